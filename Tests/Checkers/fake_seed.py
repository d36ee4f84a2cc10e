#!/usr/bin/env python3
"""A stand-in for the tool, so that the tests of hostile.py can show it a right one and wrong ones.

    fake_seed.py build FILE -o OUTPUT        FAKE_FAULT in the environment names what it does wrong
"""

import os
import pathlib
import sys
import time
import xml.parsers.expat


def main():
    _, _, file, _, output = sys.argv
    fault = os.environ.get("FAKE_FAULT", "")
    try:
        document = xml.parsers.expat.ParserCreate()
        document.ParseFile(open(file, "rb"))
    except xml.parsers.expat.ExpatError as error:
        if fault == "accepts":
            return 0
        if fault == "changes the output":
            pathlib.Path(output).write_text("half")
        if fault == "leaves a file":
            pathlib.Path(output + ".tmp").write_text("half")
        if fault == "leaves a file in TMPDIR":
            pathlib.Path(os.environ["TMPDIR"], "half").write_text("half")
        if fault == "prints on stdout":
            print("half")
        if fault == "crashes":
            os.abort()
        if fault == "takes memory":
            bytes(range(256)) * (1 << 20)
        if fault == "takes time":
            start = time.process_time()
            while time.process_time() < start + 3:
                pass
        if fault == "says nothing":
            return 65
        place = "" if fault == "names no place" else ":%d:%d" % (error.lineno, error.offset + 1)
        message = xml.parsers.expat.ErrorString(error.code)
        print("%s%s: error: %s" % (file, place, message), file=sys.stderr)
        return 1 if fault == "exits 1" else 65
    pathlib.Path(output).write_bytes(b"made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
