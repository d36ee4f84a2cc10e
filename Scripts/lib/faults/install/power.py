"""Power cuts: file systems of their own that stop without writing what they hold."""

import collections
import concurrent.futures
import contextlib
import fcntl
import os
import shutil
import signal
import struct
import subprocess
import time

import invariants
import tracing
from bench import Place, Skipped

# linux/fs.h; flag 2 is FS_SHUTDOWN_FLAGS_NOLOGFLUSH: what is in memory, the log too, is lost.
FS_IOC_SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, 2
KINDS = {"ext4": ("64M", ["mkfs.ext4", "-q", "-F"]), "xfs": ("320M", ["mkfs.xfs", "-q", "-f"])}


class Disk:
    """A file system in a file; it can lose its power."""

    def __init__(self, bench, kind, number, size=None):
        self.bench, self.kind = bench, kind
        size, command = size or KINDS[kind][0], KINDS[kind][1]
        if os.geteuid() != 0:
            raise Skipped("needs root to mount a file system")
        command = [
            shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin:/sbin"),
            *command[1:],
        ]
        if command[0] is None:
            raise Skipped(f"needs mkfs.{kind}")
        name = f"{kind}-{number}"
        self.image = os.path.join(bench.folder, name + ".img")
        if not os.path.exists(self.image):
            with open(self.image, "wb"):
                os.truncate(self.image, int(size[:-1]) << 20)
            run = subprocess.run([*command, self.image], capture_output=True, text=True)
            if run.returncode != 0:
                raise Skipped(f"mkfs.{kind}: {run.stderr.strip()}")
        self.arguments, self.name = ["-o", "loop", self.image], name
        self.path = bench.mount(name, self.arguments)
        self.place = Place(
            os.path.join(self.path, "p"),
            bench.power_seed,
            os.path.join(self.path, "p/app/db/shop.sqlite"),
        )

    def remove(self):
        self.bench.unmount(self.path)
        os.remove(self.image)

    def restart(self):
        """Empties the folder, and has all of that on the disk."""
        shutil.rmtree(self.place.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.place.folder, "app"))
        if self.bench.is_naive:
            os.makedirs(os.path.dirname(self.place.destination))
        subprocess.run(["sync", "-f", self.path], check=True)

    def cut(self):
        descriptor = os.open(self.path, os.O_RDONLY)
        fcntl.ioctl(descriptor, FS_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        os.close(descriptor)
        # A child of another thread has the descriptor between its fork and its exec.
        for _ in range(100):
            if subprocess.run(["umount", self.path], capture_output=True).returncode == 0:
                break
            time.sleep(0.02)
        subprocess.run(["mount", *self.arguments, self.path], check=True)


def cuts(bench):
    """P1"""
    bench.power_seed = bench.make_seed("power", 1_000_000)
    tracing.require(bench)
    width = 2 if bench.is_quick else 10
    found = {}
    with contextlib.ExitStack() as stack:
        disks = {}
        for kind in KINDS:
            disks[kind] = [Disk(bench, kind, number) for number in range(width)]
            for disk in disks[kind]:
                stack.callback(disk.remove)
        with concurrent.futures.ThreadPoolExecutor(width * len(KINDS)) as pool:
            runs = [
                pool.submit(sweep, disk, number, width)
                for kind in KINDS
                for number, disk in enumerate(disks[kind])
            ]
            for run in runs:
                for key, states in run.result().items():
                    found.setdefault(key, collections.Counter()).update(states)
    return "; ".join(
        f"{kind} {when}: " + ", ".join(f"{count} {state}" for state, count in states.most_common())
        for (kind, when), states in sorted(found.items())
    )


def sweep(disk, number, width):
    """The share of one disk of all steps; what was found after the cuts."""
    bench, place = disk.bench, disk.place
    disk.restart()
    result, calls = tracing.trace(bench, bench.command(place), place)
    bench.expect(result.code == 0, f"{disk.name}: an undisturbed run: {result}")
    calls = [call for call in calls if call.is_changing]
    # A loader that copies page by page has a thousand calls that are alike.
    calls = calls[:: max(len(calls) // 40, 1)]
    # The end stands for a return in the ordinary way.
    steps = [(call, 0) for call in [*calls, None]]
    late = [(call, 8) for call in [*calls, None]]
    if bench.is_quick:
        # Half of the disks wait, the others are cut at once.
        share = late[-1:] if number % 2 else steps[-1:] if bench.is_naive else steps[::2]
        share = share * (not bench.is_naive or number % 2 == 0 or bench.loader == "copy-item")
    else:
        share = (steps + late)[number::width]
    found = {}
    for call, delay in share:
        state = cut_at(disk, call, delay)
        when = ("in between" if call else "at the end") + (", 8 s later" if delay else ", at once")
        found.setdefault((disk.kind, when), collections.Counter())[state] += 1
    return found


def cut_at(disk, call, delay):
    bench, place = disk.bench, disk.place
    disk.restart()
    command = bench.command(place)
    what = f"{disk.kind}, cut {delay} s after {f'the call before {call}' if call else 'the end'}"
    result = bench.run(tracing.inject(command, call, "signal=KILL") if call else command)
    expected = -signal.SIGKILL if call else 0
    bench.expect(result.code == expected, f"{what}: {result}")
    time.sleep(delay)
    disk.cut()
    state = invariants.state(place.destination)
    bench.expect(state in ("absent", "complete"), f"{what}: I1, the destination is {state}")
    if call is None or call.name == "exit_group":
        bench.expect(state == "complete", f"{what}: I5, the destination is {state}")
    os.makedirs(os.path.join(place.folder, "app"), exist_ok=True)
    if bench.is_naive:
        os.makedirs(os.path.dirname(place.destination), exist_ok=True)
    bench.expect_next(place, what)
    return state


def order(bench):
    """P3"""
    tracing.require(bench)
    place = bench.place(destination="a/b/shop.sqlite")
    if bench.is_naive:
        os.makedirs(os.path.dirname(place.destination))
    result, calls = tracing.trace(bench, bench.command(place), place)
    bench.expect(result.code == 0, f"an undisturbed run: {result}")
    folder, name = os.path.split(place.destination)
    opened, events = {}, []
    for call in calls:
        text = call.text
        if call.name == "openat" and " = " in text:
            opened[text.rsplit(" = ", 1)[1].split()[0]] = text.split('"')[1]
        elif call.name in ("fsync", "fdatasync"):
            events.append(("sync", opened.get(text.split(")")[0].strip(), "?")))
        elif call.name in (
            "write",
            "pwrite64",
            "copy_file_range",
            "sendfile",
            "ftruncate",
            "fchmod",
        ):
            number = text.split(",")[2 if call.name == "copy_file_range" else 0].strip()
            events.append(("write", opened.get(number, "?")))
        elif call.name.startswith(("rename", "link")):
            events.append(("publish", text.split('"')[1]))
        elif call.name.startswith("mkdir"):
            events.append(("mkdir", os.path.abspath(text.split('"')[1])))
    published = [index for index, event in enumerate(events) if event[0] == "publish"]
    if not bench.expect(len(published) == 1, f"published {len(published)} times by a rename"):
        return "no rename"
    at = published[0]
    staging = events[at][1]
    synced = [i for i, event in enumerate(events) if event == ("sync", staging)]
    written = [i for i, event in enumerate(events) if event == ("write", staging)]
    after = [i for i, event in enumerate(events) if event == ("sync", folder) and i > at]
    bench.expect(bool(synced) and synced[-1] < at, "the copy is not synchronized before its name")
    bench.expect(bool(synced) and written[-1] < synced[-1], "written to after it was synchronized")
    bench.expect(bool(after), "the folder is not synchronized after the name")
    made = [i for i, event in enumerate(events) if event[0] == "mkdir"]
    for parent in (place.app, os.path.join(place.app, "a")):
        good = [
            i for i, e in enumerate(events) if e == ("sync", parent) and made and made[-1] < i < at
        ]
        bench.expect(
            bool(good),
            f"the new folder in {os.path.relpath(parent, place.folder)} is not synchronized",
        )
    return f"{len(written)} writes, fsync, {'no ' if not published else ''}publish, fsync of the folder"
