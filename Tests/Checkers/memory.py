#!/usr/bin/env python3
"""Builds a document whose every record is near the bound on a record, and measures the memory.

    memory.py SEED

What a build holds must not grow with the number of such records. Exits 1 when it took too much.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

VALUE = b"x" * (15 << 20)
RECORDS = 10
# A record is held some ten times over: window, piece, value, batches, SQLite. All ten would be 1,500.
MOST_MEBIBYTES = 320


def main():
    seed = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        document = pathlib.Path(folder, "huge.xml")
        with document.open("wb") as file:
            file.write(b"<r>\n")
            for _ in range(RECORDS):
                file.write(b'<e a="' + VALUE + b'"/>\n')
            file.write(b"</r>\n")
        process = subprocess.Popen([seed, "build", str(document), "-o", folder + "/out.sqlite"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    mebibytes = usage.ru_maxrss >> 10
    print("exit %d, %d MiB" % (process.returncode, mebibytes))
    return 0 if process.returncode == 0 and mebibytes <= MOST_MEBIBYTES else 1


if __name__ == "__main__":
    sys.exit(main())
