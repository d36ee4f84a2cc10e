"""The folders that the faults happen in, how loaders are run, and the list of what went wrong."""

import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading

import invariants

ROWS = 300
# What a loader may end with besides success: sysexits.h, and 1 for the probe.
ERRORS = (1, 65, 66, 69, 73, 74)


class Skipped(Exception):
    """A case cannot run here; the text says why."""


class Run:
    """A finished process: how it ended, what it said, and the facts in that."""

    def __init__(self, code, output, message):
        self.code, self.output, self.message = code, output, message.strip()
        self.facts = {}
        if output.lstrip().startswith("{"):
            report = json.loads(output)
            self.facts = {
                "outcome": [report["outcome"]],
                "method": [report.get("by", "")],
                "publishing": [report["published_by"] or ""],
                "quarantined": report["quarantined"],
                "locked": [str(int(report["locked"]))],
                "from": [report.get("from", "")],
            }
        else:
            self.add(output)

    def add(self, text):
        """Takes over facts that were read before the end."""
        for line in text.splitlines():
            name, _, value = line.partition("=")
            self.facts.setdefault(name, []).append(value)

    def __getitem__(self, name):
        return self.facts.get(name, [""])[0]

    def __str__(self):
        return f"exit {self.code}: {self.message or self.output.strip() or '(no message)'}"


class Place:
    """A folder with a seed in `bundle` and a destination in `app`."""

    def __init__(self, folder, source, destination):
        self.folder, self.source, self.destination = folder, source, destination
        self.bundle, self.app = os.path.dirname(source), os.path.join(folder, "app")
        self.before = invariants.snapshot(self.bundle)

    @property
    def lock(self):
        folder, name = os.path.split(self.destination)
        return os.path.join(folder, f".{name}.install-lock")

    def clear(self):
        """Nothing was ever installed."""
        shutil.rmtree(self.app, ignore_errors=True)
        os.makedirs(self.app)


class Bench:
    """Everything that the cases share; one loader at a time is looked at."""

    def __init__(self, seed, probe, chance, is_quick):
        self.seed, self.probe, self.chance = seed, probe, random.Random(chance)
        self.is_quick = is_quick
        self.folder = tempfile.mkdtemp(prefix="seed-install-faults.")
        self.loader, self.failures, self.mounts, self.processes = "seed", [], [], []
        self.lock = threading.Lock()
        self.small = self.make_seed("small")

    @property
    def is_naive(self):
        return self.loader != "seed"

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        for mount in reversed(self.mounts):
            subprocess.run(["umount", "-l", mount], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def show_to_all(self):
        """Puts the programs where users other than root can start them."""
        os.chmod(self.folder, 0o755)
        for name in ("seed", "probe"):
            path = os.path.join(self.folder, name)
            if getattr(self, name) != path:
                shutil.copy(getattr(self, name), path)
            os.chmod(path, 0o755)
            setattr(self, name, path)

    # Seeds and places

    def make_seed(
        self, name, byte_count=0, version="1", rows=ROWS, prefix="row", stamped=True, mode="delete",
        seed_name="shop", manifest=True, owned=False,
    ):  # fmt: skip
        """A database with rows and, to be large, random bytes; with a stamp and a manifest."""
        folder = os.path.join(self.folder, "seeds", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        path = os.path.join(folder, "shop.sqlite")
        write_database(path, byte_count, version, rows, prefix, stamped, seed_name)
        if owned:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
                database.execute("CREATE TABLE _seed_owned(table_name TEXT, column_name TEXT)")
                database.execute("INSERT INTO _seed_owned VALUES ('item', NULL)")
        if mode == "wal":
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA journal_mode = WAL")
        if manifest:
            write_manifest(path)
        return path

    def place(self, name="place", seed=None, destination="shop.sqlite", folder=None):
        """A fresh folder with a copy of a seed."""
        folder = folder or os.path.join(self.folder, "places", name)
        shutil.rmtree(folder, ignore_errors=True)
        bundle = os.path.join(folder, "bundle")
        shutil.copytree(os.path.dirname(seed or self.small), bundle)
        os.makedirs(os.path.join(folder, "app"))
        source = os.path.join(bundle, os.path.basename(seed or self.small))
        return Place(folder, source, os.path.join(folder, "app", destination))

    # Processes

    def command(self, place, *options):
        """The loader at hand: the tool itself, or the probe with a naive loader."""
        if self.is_naive:
            return [self.probe, "load", "--loader", self.loader, place.source, place.destination]
        return [self.seed, "install", place.source, place.destination, "--json", *options]

    def probing(self, verb, place, *options):
        return [
            self.probe, verb, "--loader", self.loader, *map(str, options), place.source,
            place.destination,
        ]  # fmt: skip

    def start(self, command, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )
        with self.lock:
            self.processes = [other for other in self.processes if other.returncode is None]
            self.processes.append(process)
        return process

    def finish(self, process, timeout=300):
        return self.finish_with(process, None, timeout)

    def finish_with(self, process, text, timeout=300):
        """Writes to the process, if it is to be told something, and reads what it says."""
        try:
            output, message = process.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            output, message = process.communicate()
            message += b" (killed: no end after %d s)" % timeout
        return Run(
            process.returncode, output.decode(errors="replace"), message.decode(errors="replace")
        )

    def run(self, command, timeout_seconds=300, **options):
        return self.finish(self.start(command, **options), timeout_seconds)

    def install(self, place, *options, **more):
        return self.run(self.command(place, *options), **more)

    # Judgement

    def expect(self, condition, what):
        if not condition:
            with self.lock:
                self.failures.append(what)
        return condition

    def expect_whole(self, place, what, prefix="row"):
        """I1: absent or complete."""
        state = invariants.state(place.destination, prefix)
        self.expect(state in ("absent", "complete"), f"{what}: I1, the destination is {state}")
        return state

    def expect_next(self, place, what, *options, prefix="row"):
        """I2 and I4: the next call succeeds by itself and tidies up; the seed is as it was."""
        result = self.install(place, *options)
        if not self.expect(result.code == 0, f"{what}: I2, the next call: {result}"):
            return result
        state = invariants.state(place.destination, prefix)
        self.expect(state == "complete", f"{what}: I2, after the next call: {state}")
        self.expect_tidy(place, what)
        self.expect_source(place, what)
        return result

    def expect_tidy(self, place, what):
        left = invariants.litter(place.destination)
        self.expect(not left, f"{what}: I2, left {', '.join(left)}")

    def expect_source(self, place, what):
        self.expect(
            invariants.snapshot(place.bundle) == place.before, f"{what}: I4, the seed changed"
        )

    def expect_error(self, result, place, what, codes=ERRORS, errors=None):
        """I6: a failure that says where, at which step and why."""
        self.expect(result.code in codes, f"{what}: {result}, expected an error")
        if self.is_naive or result.code not in codes:
            return
        self.expect("error: " in result.message, f"{what}: I6, no error in {result}")
        self.expect(
            invariants.STEP.search(result.message), f"{what}: I6, no step is named: {result}"
        )
        named = re.match(r"(/[^:]*): error: ", result.message)
        # What is wrong is in the folder, or with one of those above it.
        self.expect(
            named and (place.folder in named[1] or place.folder.startswith(named[1])),
            f"{what}: I6, no path is named: {result}",
        )
        if errors:
            self.expect(
                any(error.lower() in result.message.lower() for error in errors),
                f"{what}: I6, the reason is not {' or '.join(errors)}: {result}",
            )

    # Mounts

    def mount(self, name, arguments):
        if os.geteuid() != 0:
            raise Skipped("needs root to mount a file system")
        path = os.path.join(self.folder, "mounts", name)
        os.makedirs(path, exist_ok=True)
        run = subprocess.run(["mount", *arguments, path], capture_output=True, text=True)
        if run.returncode != 0:
            raise Skipped(f"cannot mount a file system here: {run.stderr.strip()}")
        self.mounts.append(path)
        return path

    def unmount(self, path):
        subprocess.run(["umount", path], check=True)
        self.mounts.remove(path)


def write_database(path, byte_count, version, rows, prefix, stamped, name):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        database.executemany(
            "INSERT INTO item VALUES (?, ?)",
            ((row, f"{prefix} {row} {'-' * 200}") for row in range(1, rows + 1)),
        )
        if byte_count:
            database.execute("CREATE TABLE padding (bytes BLOB)")
            chance = random.Random(version)
            for _ in range(byte_count // 1_000_000):
                database.execute("INSERT INTO padding VALUES (?)", (chance.randbytes(995_000),))
        if stamped:
            database.execute(
                "CREATE TABLE _seed(format INTEGER NOT NULL, name TEXT NOT NULL, version TEXT,"
                " content_sha256 TEXT NOT NULL, tool TEXT NOT NULL, inputs_sha256 TEXT)"
            )
            database.execute(
                "INSERT INTO _seed VALUES (1, ?, ?, ?, 'faults', NULL)",
                (name, version, content_digest(prefix, version)),
            )
        database.execute("COMMIT")


def content_digest(prefix, version):
    """Stands for the digest over the rows, which nothing here has checked."""
    return hashlib.sha256(f"{prefix} {version}".encode()).hexdigest()


def write_manifest(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as seed:
        with contextlib.suppress(sqlite3.OperationalError):
            content = seed.execute("SELECT content_sha256 FROM _seed").fetchone()[0]
            manifest = {"format": 1, "content_sha256": content}
            manifest["sha256"], manifest["bytes"] = digest(path), os.path.getsize(path)
            with open(path + ".manifest.json", "w") as file:
                json.dump(manifest, file)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stop(process, number=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)
