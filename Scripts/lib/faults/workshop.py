"""The folder that the faults happen in, and what every check looks at afterwards."""

import contextlib
import glob
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

# sysexits.h, and the shell's code for SIGINT.
USAGE, BAD_INPUT, NO_INPUT, INTERNAL, CANNOT_CREATE, IO, INTERRUPTED = 64, 65, 66, 70, 73, 74, 130


class Result:
    def __init__(self, code, message):
        self.code, self.message = code, message

    def __str__(self):
        return f"exit {self.code}: {self.message.strip() or '(no message)'}"


class Skipped(Exception):
    """A group cannot run here; the text says why."""


class Workshop:
    """Inputs, the output of a build of each, and the list of what went wrong."""

    def __init__(self, seed, rows, chance):
        self.seed, self.chance = seed, random.Random(chance)
        self.folder = tempfile.mkdtemp(prefix="seed-faults.")
        self.failures, self.mounts = [], []
        self.before = self.path("before.xml")
        self.input = self.path("input.xml")
        self.small = self.path("small.xml")
        write_input(self.before, 2_000, "before")
        write_input(self.small, 3_000, "small")
        write_input(self.input, rows, "after")
        self.old = self.reference(self.before)
        self.new_small = self.reference(self.small)
        # The shortest of three, so that moments within it lie within most other builds too.
        self.seconds = float("inf")
        for _ in range(3):
            started = time.monotonic()
            self.new = self.reference(self.input)
            self.seconds = min(self.seconds, time.monotonic() - started)

    def close(self):
        for mount in reversed(self.mounts):
            subprocess.run(["umount", mount], check=False)
        shutil.rmtree(self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def subfolder(self, name):
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        return path

    def mount(self, name, options):
        """A file system in memory with a size of its own."""
        if os.geteuid() != 0:
            raise Skipped("needs root to mount a file system")
        path = self.subfolder(name)
        run = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "seed-faults", path],
            capture_output=True,
            text=True,
        )
        if run.returncode != 0:
            raise Skipped(f"cannot mount a file system here: {run.stderr.strip()}")
        self.mounts.append(path)
        return path

    def unmount(self, path):
        subprocess.run(["umount", path], check=True)
        self.mounts.remove(path)

    def reference(self, source):
        """The bytes of an undisturbed build, checked once."""
        output = self.path("reference.sqlite")
        with contextlib.suppress(FileNotFoundError):
            os.remove(output)
        result = self.build(source, output)
        if result.code != 0:
            raise SystemExit(f"faults: an undisturbed build of {source} failed: {result}")
        with contextlib.closing(sqlite3.connect(output)) as database:
            if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise SystemExit(f"faults: an undisturbed build of {source} is not sound")
        return read(output)

    def start(self, arguments, prefix=(), file_limit=None, **options):
        """Starts the tool; its output is read only when it ended, and is never long."""

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        options.setdefault("stdout", subprocess.DEVNULL)
        return subprocess.Popen(
            [*prefix, self.seed, *arguments],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=limit if file_limit is not None else None,
            **options,
        )

    def finish(self, process, timeout=120):
        try:
            _, message = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            _, message = process.communicate()
            message += b" (killed: no end after %d s)" % timeout
        return Result(process.returncode, message.decode(errors="replace"))

    def run(self, *arguments, **options):
        return self.finish(self.start(arguments, **options))

    def build(self, source, output, **options):
        return self.run("build", source, "-o", output, **options)

    def start_build(self, source, output, **options):
        return self.start(["build", source, "-o", output], **options)

    def put_old(self, output):
        with open(output, "wb") as file:
            file.write(self.old)

    def expect(self, condition, what):
        if not condition:
            self.failures.append(what)
        return condition

    def expect_unpublished(self, result, output, codes, what):
        """The build failed as it should: old output, no temporary file, a code and a message."""
        self.expect(
            result.code in codes, f"{what}: {result}, expected exit {' or '.join(map(str, codes))}"
        )
        if result.code > 0:
            self.expect("error: " in result.message, f"{what}: no error in the message: {result}")
        self.expect(read(output) == self.old, f"{what}: the previous output changed ({result})")
        self.expect_tidy(output, f"{what} ({result})")

    def expect_tidy(self, output, what):
        left = temporary_files(output)
        self.expect(not left, f"{what}: left {', '.join(map(os.path.basename, left))}")
        for path in left:
            os.remove(path)

    def moments(self, count):
        """Random moments of a build, a few of them just after its end."""
        return [self.chance.uniform(0, 1.05 * self.seconds) for _ in range(count)]


def temporary_files(output):
    folder, name = os.path.split(output)
    return glob.glob(os.path.join(glob.escape(folder), "." + glob.escape(name) + ".seed-*"))


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_input(path, rows, mark):
    """Events and orders in turn: a flat table, a child table, a key and an index."""
    chance = random.Random(mark)
    with open(path, "w", encoding="utf-8") as file:
        file.write("<?xml version='1.0' encoding='UTF-8'?>\n<data>\n")
        for row in range(rows):
            number = chance.randrange(1_000_000)
            file.write(
                f'  <event id="{row}" date="{1 + number % 28:02}.{1 + number % 12:02}.2010"'
                f' value="{number / 100}" title="{mark} &amp; {number} Zürich"/>\n'
            )
            if row % 4 == 0:
                file.write(
                    f'  <order number="{row}"><items><item sku="A{number}"/><item sku="B"/></items>'
                    f"<total>{number}</total></order>\n"
                )
        file.write("</data>\n")


def stop(process, number=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)
