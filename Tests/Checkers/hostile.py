#!/usr/bin/env python3
"""Runs the built tool over hostile and broken inputs and checks how it refuses them.

    hostile.py SEED [--seconds N] [--mebibytes N] [--group cases|cuts|files] [--only TEXT]

Each run must exit 65 with one clear message at a place of the input, within the limits of processor
time and resident memory, without a crash, with nothing on standard output, with the previous output
untouched and no other file left. Prints each failure; exit 1 if there is one.

cases   the table in hostile_cases.py
cuts    a document of 700 bytes, cut at every byte
files   external entities and DTDs: strace shows which files are opened, and that no socket is
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import hostile_cases

def database():
    """The bytes of a database of the tool: it replaces nothing else, so the previous output is one."""
    connection = sqlite3.connect(":memory:")
    connection.executescript("CREATE TABLE _seed (name); CREATE TABLE previous (x); INSERT INTO previous VALUES (1)")
    return connection.serialize()


PREVIOUS = database()
# Each of them ends a line of XML.
LINE_END = re.compile(rb"\r\n|\r|\n")
CRASH = re.compile(
    r"fatal error|precondition|assertion|stack dump|crash|segmentation|internal fault|signal \d", re.I
)


class Run:
    """One run of the tool in a folder of its own, with what it left behind."""

    def __init__(self, seed, folder, file, seconds, has_previous=True, prefix=()):
        self.folder, self.file = pathlib.Path(folder), file
        out, scratch = self.folder / "out", self.folder / "tmp"
        out.mkdir()
        scratch.mkdir()
        output = out / "default.sqlite"
        if has_previous:
            output.write_bytes(PREVIOUS)
        before = output.stat() if has_previous else None
        environment = {**os.environ, "TMPDIR": str(scratch)}
        with open(self.folder / "stdout", "wb") as stdout, open(self.folder / "stderr", "wb") as err:
            start = time.monotonic()
            process = subprocess.Popen(
                [*prefix, seed, "build", file, "-o", "out/default.sqlite"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=err, env=environment,
            )
            timer = threading.Timer(seconds * 6, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - start
        self.exit = process.returncode
        self.seconds = usage.ru_utime + usage.ru_stime
        self.mebibytes = usage.ru_maxrss / 1024
        self.stdout = (self.folder / "stdout").read_bytes()
        self.stderr = (self.folder / "stderr").read_bytes().decode("utf-8", "replace")
        self.left = sorted(
            str(path.relative_to(self.folder))
            for path in (*out.iterdir(), *scratch.iterdir())
            if path != output
        )
        self.output_is_untouched = (
            output.exists() and output.read_bytes() == PREVIOUS and output.stat().st_ino == before.st_ino
            if has_previous
            else not output.exists()
        )


def faults(run, limits, says=(), place="", has_place=True, exits=(65,)):
    """What is wrong with one run, as a list of sentences; empty if it is right."""
    found = []
    errors = [line for line in run.stderr.split("\n") if ": error: " in line]
    if run.exit not in exits:
        found.append("exits %s, not %s" % (run.exit, exits[0]))
    if run.exit == 65:
        name = re.escape(run.file)
        form = name + (r":(\d+):(\d+)" if has_place else r"(?::(\d+)(?::(\d+))?)?") + ": error: .{8}"
        if not errors:
            found.append("says no error")
        elif not re.match(form, errors[0]):
            found.append("names no place")
        elif place and not errors[0].startswith("%s:%s:" % (run.file, place)):
            found.append("names another place than %s" % place)
        for pattern in says:
            if errors and not re.search(pattern, errors[0], re.I):
                found.append("does not say /%s/" % pattern)
        if not run.output_is_untouched:
            found.append("changes the output")
    if CRASH.search(run.stderr):
        found.append("crashes")
    if run.left:
        found.append("leaves %s" % run.left)
    if run.stdout:
        found.append("prints %r on standard output" % run.stdout[:80])
    if len(run.stderr) > 8192:
        found.append("prints %d bytes of messages" % len(run.stderr))
    if run.seconds > limits.seconds or run.wall > limits.seconds * 5:
        found.append("takes %.1f s (%.1f s on the wall)" % (run.seconds, run.wall))
    if run.mebibytes > limits.mebibytes:
        found.append("takes %.0f MiB" % run.mebibytes)
    if found:
        found.append("stderr: " + run.stderr[:400].rstrip())
    return found


def check_case(seed, case, limits):
    with tempfile.TemporaryDirectory() as folder:
        case.make(os.path.join(folder, case.file))
        run = Run(seed, folder, case.file, limits.seconds)
        return case.name, faults(run, limits, case.says, case.place, case.has_place, case.exits)


def check_cut(seed, length, limits):
    data = hostile_cases.cut_document()
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cut.xml").write_bytes(data[:length])
        run = Run(seed, folder, "cut.xml", limits.seconds, has_previous=length % 2 == 0)
        found = faults(run, limits, has_place=length > 0)
        match = re.search(r"^cut\.xml:(\d+):", run.stderr, re.M)
        if match and int(match.group(1)) > len(LINE_END.findall(data[:length])) + 1:
            found.append("names line %s, which the file has not" % match.group(1))
        return "cut at byte %d" % length, found


def whole_document(seed, limits):
    """The document that the cuts cut is right when it is whole; else the cuts prove nothing."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "whole.xml").write_bytes(hostile_cases.cut_document())
        run = Run(seed, folder, "whole.xml", limits.seconds, has_previous=False)
        found = faults(run, limits, exits=(0,))
        if not pathlib.Path(folder, "out/default.sqlite").exists():
            found.append("makes no output")
        return "the whole document", found


# Documents that name something outside: (name, document, exit). {F} is the folder of the secrets.
OUTSIDE = [
    ("nothing outside", '<r><a x="1"/></r>', 0),
    ("a DTD merely named", '<!DOCTYPE r SYSTEM "{F}/r.dtd">\n<r><a x="1"/></r>', 0),
    ("a relative DTD merely named", '<!DOCTYPE r SYSTEM "r.dtd">\n<r><a x="1"/></r>', 0),
    ("a DTD at file:", '<!DOCTYPE r SYSTEM "file://{F}/r.dtd">\n<r><a x="1"/></r>', 0),
    ("a DTD at http:", '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/r.dtd">\n<r><a x="1"/></r>', 0),
    ("a public DTD", '<!DOCTYPE r PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
     '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<r><a x="1"/></r>', 0),
    ("an entity of a DTD at file:",
     '<!DOCTYPE r SYSTEM "file://{F}/r.dtd">\n<r><a>&secret;</a></r>', 65),
    ("a general entity at file:",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "file://{F}/secret.txt">]>\n<r><a>&x;</a></r>', 65),
    ("a general entity at a path",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "{F}/secret.txt">]>\n<r><a>&x;</a></r>', 65),
    ("a general entity at a relative path",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "secret.txt">]>\n<r><a>&x;</a></r>', 65),
    ("a general entity at http:",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]>\n<r><a>&x;</a></r>', 65),
    ("a general entity at ftp:",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "ftp://127.0.0.1:9/x">]>\n<r><a>&x;</a></r>', 65),
    ("a general entity in an attribute",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "file://{F}/secret.txt">]>\n<r><a x="&x;"/></r>', 65),
    ("a general entity inside another",
     '<!DOCTYPE r [<!ENTITY x SYSTEM "file://{F}/secret.txt"><!ENTITY y "&x;">]>\n'
     "<r><a>&y;</a></r>", 65),
    ("a parameter entity at file:",
     '<!DOCTYPE r [<!ENTITY % p SYSTEM "file://{F}/r.dtd"> %p;]>\n<r><a x="1"/></r>', 65),
    ("a parameter entity at http:",
     '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>\n<r><a x="1"/></r>', 65),
    ("XInclude", '<r xmlns:xi="http://www.w3.org/2001/XInclude">'
     '<xi:include href="file://{F}/secret.txt" parse="text"/></r>', 0),
    ("a schema and a style sheet", '<?xml-stylesheet href="http://127.0.0.1:9/s"?>'
     '<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
     'xsi:noNamespaceSchemaLocation="http://127.0.0.1:9/s.xsd"><a x="1"/></r>', 0),
]

# What every program opens: its libraries, and the kernel's views of it.
SYSTEM = re.compile(r"/(proc|sys|dev)/|/etc/ld\.so\.|.*\.so(\.[0-9.]+)?$")
CALL = re.compile(r'\b(?:open|openat|openat2|creat)\((?:[^"]*, )?"((?:[^"\\]|\\.)*)"')


def check_outside(seed, name, document, expected, limits):
    with tempfile.TemporaryDirectory() as secrets, tempfile.TemporaryDirectory() as folder:
        pathlib.Path(secrets, "secret.txt").write_text("SECRET")
        pathlib.Path(secrets, "r.dtd").write_text('<!ENTITY secret "SECRET">')
        for relative in ("secret.txt", "r.dtd"):
            os.symlink(os.path.join(secrets, relative), os.path.join(folder, relative))
        pathlib.Path(folder, "input.xml").write_text(document.replace("{F}", secrets))
        trace = os.path.join(secrets, "trace")
        prefix = ["strace", "-f", "-qq", "-s", "4096", "-o", trace,
                  "-e", "trace=open,openat,openat2,creat,socket,connect,execve"]
        run = Run(seed, folder, "input.xml", limits.seconds, prefix=prefix)
        found = faults(run, limits, exits=(expected,))
        calls = pathlib.Path(trace).read_text(errors="replace").split("\n")
        if sum("execve(" in call for call in calls) != 1:
            found.append("starts another program, or strace saw nothing")
        found += ["calls " + call for call in calls if "socket(" in call or "connect(" in call]
        opened = [match.group(1) for call in calls if (match := CALL.search(call))]
        if not any(path.endswith("input.xml") for path in opened):
            found.append("strace did not see the input opened")
        for path in opened:
            full = os.path.normpath(os.path.join(folder, path))
            is_own = full.endswith("/input.xml") or full.startswith(
                (os.path.join(folder, "out"), os.path.realpath(os.path.join(folder, "out"))))
            if not is_own and full != folder and not SYSTEM.match(full):
                found.append("opens " + full)
        output = pathlib.Path(folder, "out/default.sqlite")
        if b"SECRET" in output.read_bytes() or "SECRET" in run.stderr:
            found.append("tells the secret")
        return "outside: " + name, found


def own_mebibytes():
    """This process's greatest resident memory, which the runs count as theirs until they execute."""
    try:
        status = pathlib.Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # Not getrusage(), which counts in turn what started this process.
    return int(re.search(r"^VmHWM:\s+(\d+) kB", status, re.M).group(1)) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed", help="the built tool")
    parser.add_argument("--seconds", type=float, default=10, help="processor time of one run")
    parser.add_argument("--mebibytes", type=float, default=128, help="resident memory of one run")
    parser.add_argument("--group", choices=["cases", "cuts", "files"], action="append")
    parser.add_argument("--only", default="", help="only checks whose name has this text")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    seed = os.path.abspath(arguments.seed)
    groups = arguments.group or ["cases", "cuts", "files"]
    checks = []
    if "cases" in groups:
        checks += [(check_case, (seed, case, arguments), case.name) for case in hostile_cases.CASES]
    if "cuts" in groups:
        checks.append((whole_document, (seed, arguments), "the whole document"))
        lengths = range(len(hostile_cases.cut_document()))
        checks += [(check_cut, (seed, n, arguments), "cut at byte %d" % n) for n in lengths]
    if "files" in groups:
        for name, document, expected in OUTSIDE:
            checks.append((check_outside, (seed, name, document, expected, arguments), name))
    checks = [check for check in checks if arguments.only in check[2]]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for future in [pool.submit(function, *rest) for function, rest, _ in checks]:
            name, found = future.result()
            failures += bool(found)
            if found:
                print("%s: %s" % (name, "; ".join(found)), flush=True)
    own = own_mebibytes()
    if own > arguments.mebibytes:
        failures += 1
        print("this checker took %.0f MiB itself, so the memory of the runs is unknown" % own)
    print("%d of %d checks failed" % (failures, len(checks)))
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
