"""The system calls of a loader: their order, and making one of them fatal, fail or wait."""

import os
import re
import shutil
import subprocess

from bench import Skipped

LINE = re.compile(r"^(\d+) +(\w+)\((.*)")
# The calls that change what is on the disk; between two of them nothing does.
CHANGING = {
    "openat", "write", "pwrite64", "copy_file_range", "sendfile", "ioctl", "fsync", "fdatasync", "rename", "renameat",
    "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "ftruncate", "fchmod", "close", "exit_group",
}  # fmt: skip


class Call:
    """The n-th call of a name, counted from the start of the process."""

    def __init__(self, name, number, text):
        self.name, self.number, self.text = name, number, text

    def __str__(self):
        return f"{self.name} {self.number} [{self.text[:90]}]"

    @property
    def is_changing(self):
        if self.name == "openat":
            return "O_CREAT" in self.text
        return self.name in CHANGING


def require(bench):
    if shutil.which("strace") is None:
        raise Skipped("needs strace")
    run = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if run.returncode != 0:
        raise Skipped(f"strace does not work here: {run.stderr.strip()}")


def trace(bench, command, place, injections=(), **options):
    """Runs a command under strace; returns its end and its calls from the first that is about the
    place on. What comes before is the loader of programs, which knows nothing of files yet."""
    log = os.path.join(bench.folder, f"strace-{os.urandom(4).hex()}.txt")
    prefix = ["strace", "-f", "-qq", "-s", "300", "-o", log]
    for injection in injections:
        prefix += ["-e", f"inject={injection}"]
    result = bench.run(prefix + command, **options)
    with open(log, errors="replace") as file:
        lines = file.readlines()
    os.remove(log)
    calls, counts, main, is_inside = [], {}, None, False
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        process, name, text = match.groups()
        main = main or process
        if process != main:
            continue
        counts[name] = counts.get(name, 0) + 1
        is_inside = is_inside or name != "execve" and place.folder in text
        if is_inside:
            calls.append(Call(name, counts[name], text.rstrip()))
    return result, calls


def inject(command, call, what, more=()):
    """The command with something done to one of its calls, and more done to others.

    Never with --seccomp-bpf, under which strace delivers no signal and all would seem well.
    """
    # Only calls that are traced can be tampered with.
    names = ",".join([call.name, *(injection.split(":")[0] for injection in more)])
    prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={names}"]
    for injection in (f"{call.name}:{what}:when={call.number}", *more):
        prefix += ["-e", f"inject={injection}"]
    return prefix + command
