"""Builds that run out of room, or whose system calls fail."""

import os
import re
import shutil
import subprocess

from workshop import CANNOT_CREATE, IO, Skipped, read

PAGE = 4096


def fill(path, size):
    """Takes all the room of a file system but some bytes."""
    free = os.statvfs(path).f_bavail * PAGE - size
    with open(os.path.join(path, "filler"), "wb") as file:
        if free > 0:
            os.posix_fallocate(file.fileno(), 0, free)


def full(shop, quick, count):
    """No space left, from nothing free up to just enough for a build."""
    folder = shop.mount("full", "size=64m")
    output, steps, free = os.path.join(folder, "out.sqlite"), 0, 0
    step = PAGE * (8 if quick else 1)
    while True:
        shop.put_old(output)
        fill(folder, free)
        result = shop.build(shop.small, output)
        what = f"{free} bytes free"
        os.remove(os.path.join(folder, "filler"))
        if result.code == 0:
            shop.expect(read(output) == shop.new_small, f"{what}: exit 0, but the output is wrong")
            shop.expect_tidy(output, what)
            break
        shop.expect_unpublished(result, output, (CANNOT_CREATE, IO), what)
        steps, free = steps + 1, free + step
        if not shop.expect(free < 32 << 20, "the build fails however much is free"):
            break
    shop.expect(steps > 0, "the build succeeded with nothing free")
    shop.unmount(folder)
    return f"{steps} steps until {free} bytes were enough; {no_names(shop)}"


def no_names(shop):
    """A file system without room for one more file."""
    folder = shop.mount("names", "size=64m,nr_inodes=2")
    output = os.path.join(folder, "out.sqlite")
    shop.put_old(output)
    result = shop.build(shop.small, output)
    shop.expect_unpublished(result, output, (CANNOT_CREATE,), "no file can be created")
    shop.unmount(folder)
    return "no room for a name"


def limit(shop, quick, count):
    """RLIMIT_FSIZE: the system's signal for it must not end the build half-way."""
    output, steps, most = os.path.join(shop.subfolder("limit"), "out.sqlite"), 0, 0
    step = PAGE * (8 if quick else 1)
    while most <= len(shop.new_small):
        shop.put_old(output)
        result = shop.build(shop.small, output, file_limit=most)
        if result.code == 0:
            break
        shop.expect_unpublished(result, output, (IO,), f"files of at most {most} bytes")
        steps, most = steps + 1, most + step
    shop.expect(steps > 0, "the build succeeded although no file may have a byte")
    shop.put_old(output)
    result = shop.build(shop.small, output, file_limit=len(shop.new_small))
    shop.expect(result.code == 0, f"files as large as the output: {result}")
    return f"{steps} steps up to {len(shop.new_small)} bytes"


# What a call can fail with; the calls that read the input are in the group of the inputs.
CALLS = [
    ("fsync", "EIO"), ("fsync", "ENOSPC"), ("fdatasync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"),
    ("pwrite64", "EDQUOT"), ("write", "EIO"), ("rename", "EIO"), ("rename", "ENOSPC"), ("rename", "EACCES"),
    ("renameat2", "EIO"), ("ftruncate", "EIO"), ("fchmod", "EPERM"), ("openat", "EMFILE"), ("openat", "EACCES"),
]  # fmt: skip


def call(shop, quick, count):
    """The n-th call fails, for n from 1 until the build no longer makes so many."""
    if shutil.which("strace") is None:
        raise Skipped("needs strace")
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        raise Skipped(f"strace does not work here: {probe.stderr.strip()}")
    folder = shop.subfolder("call")
    output, log = os.path.join(folder, "out.sqlite"), shop.path("strace.txt")
    tried = 0
    for name, error in CALLS:
        turn = 1
        while turn <= (12 if quick else 400):
            shop.put_old(output)
            prefix = ["strace", "-f", "-qq", "-o", log, "-e", f"trace={name}"]
            # Only calls on files of this folder: the loader's own are not ours.
            prefix += ["-e", f"inject={name}:error={error}:when={turn}"]
            result = shop.build(shop.small, output, prefix=prefix)
            with open(log, errors="replace") as file:
                hit = [line for line in file if "(INJECTED)" in line]
            if not hit:
                break
            tried += 1
            judge(shop, result, output, hit[0].strip(), f"{name} number {turn} fails with {error}")
            turn += 1
    return f"{tried} failing calls"


def judge(shop, result, output, line, what):
    """After a failed call: a build that did not need it, or one that failed as it should."""
    what = f"{what} [{re.sub(r'^[0-9]+ +', '', line)[:120]}]"
    if result.code == 127 or "error while loading shared libraries" in result.message:
        return  # the loader's call: the program never began
    if "/proc/self/maps" in line:
        return  # the runtime's way to the arguments: without them the program can only show its help
    if result.code == 0:
        shop.expect(read(output) == shop.new_small, f"{what}: exit 0, but the output is wrong")
        shop.expect_tidy(output, what)
    elif read(output) == shop.new_small:
        # Only making the new name durable failed, which the error says.
        shop.expect(result.code == IO and "fsync" in what, f"{what}: {result}, but published")
        shop.expect_tidy(output, what)
    else:
        shop.expect_unpublished(result, output, (66, CANNOT_CREATE, IO), what)
