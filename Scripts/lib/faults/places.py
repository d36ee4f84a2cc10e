"""Outputs that cannot be, and inputs that change under the reader."""

import os
import signal
import stat
import subprocess

from workshop import CANNOT_CREATE, IO, NO_INPUT, Skipped, read, stop


def output(shop, quick, count):
    """Every kind of wrong output is refused by name; links are followed and stay."""
    folder = shop.subfolder("output")

    def refused(path, what):
        result = shop.build(shop.small, path)
        shop.expect(result.code == CANNOT_CREATE, f"{what}: {result}, expected exit 73")
        shop.expect("error: " in result.message, f"{what}: no error in the message: {result}")
        shop.expect(path in result.message, f"{what}: the message does not name {path}: {result}")

    def place(name):
        return os.path.join(folder, name)

    os.mkdir(place("directory"))
    refused(place("directory"), "a directory")
    shop.expect(os.listdir(place("directory")) == [], "a directory: something was put into it")
    refused(place("missing/out.sqlite"), "a missing folder")
    shop.expect(not os.path.exists(place("missing")), "a missing folder: it was created")

    with open(place("file.txt"), "w") as file:
        file.write("not a database, and nobody said that it may go\n" * 20)
    kept = read(place("file.txt"))
    refused(place("file.txt") + "/out.sqlite", "a folder that is a file")
    refused(place("file.txt"), "a file that is no database")
    shop.expect(read(place("file.txt")) == kept, "a file that is no database: it was changed")

    os.mkfifo(place("fifo"))
    refused(place("fifo"), "a FIFO")
    shop.expect(stat.S_ISFIFO(os.stat(place("fifo")).st_mode), "a FIFO: it was replaced")
    refused(place("x" * 300), "a name that is too long")
    os.symlink("loop-2", place("loop-1"))
    os.symlink("loop-1", place("loop-2"))
    refused(place("loop-1"), "links in a circle")

    os.mkdir(place("elsewhere"))
    links(shop, place)
    left = [name for _, _, names in os.walk(folder) for name in names if ".seed-" in name]
    shop.expect(not left, f"outputs that cannot be: left {', '.join(left)}")
    try:
        return f"refusals and links; {read_only(shop, refused)}"
    except Skipped as reason:
        return f"refusals and links; READ-ONLY MOUNT SKIPPED: {reason}"


def links(shop, place):
    for name, target, is_there in (
        ("link", "elsewhere/target.sqlite", True),
        ("dangling", "elsewhere/new.sqlite", False),
    ):
        if is_there:
            shop.put_old(place(target))
        os.symlink(target, place(name))
        result = shop.build(shop.small, place(name))
        shop.expect(result.code == 0, f"a link to {target}: {result}")
        shop.expect(os.path.islink(place(name)), f"a link to {target}: the link is gone")
        shop.expect(
            read(place(target)) == shop.new_small,
            f"a link to {target}: the target is not the new output",
        )


def read_only(shop, refused):
    folder = shop.mount("read-only", "size=64m")
    path = os.path.join(folder, "out.sqlite")
    shop.put_old(path)
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    refused(path, "a read-only file system")
    refused(os.path.join(folder, "new.sqlite"), "a new file on a read-only file system")
    shop.expect(read(path) == shop.old, "a read-only file system: the previous output changed")
    shop.expect(
        os.listdir(folder) == ["out.sqlite"], "a read-only file system: something was created"
    )
    shop.unmount(folder)
    return "a read-only file system"


def change_input(shop, what, change, judge):
    """Stops a build in the middle of its input, changes that, and lets the build go on."""
    folder = shop.subfolder("input")
    source, path = os.path.join(folder, "input.xml"), os.path.join(folder, "out.sqlite")
    caught = 0
    for share in (0.01, 0.1, 0.25, 0.5, 0.75):
        with open(source, "wb") as file:
            file.write(read(shop.input))
        shop.put_old(path)
        process = shop.start_build(source, path)
        while process.poll() is None and read_share(process.pid, source) < share:
            pass
        stop(process, signal.SIGSTOP)
        # The last bytes may be read already although the end is not reached.
        if is_inside := process.poll() is None and read_share(process.pid, source) < 0.95:
            caught += 1
            change(source)
        stop(process, signal.SIGCONT)
        result = shop.finish(process)
        if is_inside:
            judge(result, path, f"{what} with {share:.0%} of it read")
    shop.expect(caught > 0, f"{what}: no build was caught while reading")
    return caught


def read_share(pid, source):
    """How much of a file a process has read: from 0, also when it is not open, to 1."""
    try:
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            if os.readlink(f"/proc/{pid}/fd/{descriptor}") == source:
                with open(f"/proc/{pid}/fdinfo/{descriptor}") as file:
                    return int(file.readline().split()[1]) / os.path.getsize(source)
    except OSError:
        pass  # the process ended, or closed the file, between the looks
    return 0


def inputs(shop, quick, count):
    """Inputs that change while they are read, cannot be read, or a result that cannot be written."""

    def fails(result, path, what):
        shop.expect_unpublished(result, path, (IO,), what)
        shop.expect(
            "input.xml" in result.message, f"{what}: the message does not name the input: {result}"
        )

    def may_succeed(result, path, what):
        # The open file outlives its name, so its content is whole.
        if result.code == 0:
            shop.expect(read(path) == shop.new, f"{what}: exit 0, but the output is wrong")
            shop.expect_tidy(path, what)
        else:
            shop.expect_unpublished(result, path, (NO_INPUT, IO), what)

    def cut(source):
        os.truncate(source, os.path.getsize(source) // 2)

    def empty(source):
        os.truncate(source, 0)

    def grow(source):
        with open(source, "ab") as file:
            file.write(b"<!-- more -->\n" * 100)

    def change(source):
        """Same size, other bytes, all of them well-formed."""
        with open(source, "r+b") as file:
            content = file.read()
            file.seek(0)
            file.write(content.replace(b"after", b"later"))

    caught = sum(
        change_input(shop, *case)
        for case in (
            ("the input is deleted", os.remove, may_succeed),
            ("the input is cut", cut, fails),
            ("the input is emptied", empty, fails),
            ("the input grows", grow, fails),
            ("the input is rewritten", change, fails),
        )
    )

    folder = shop.subfolder("input")
    path = os.path.join(folder, "out.sqlite")
    for what, source in (
        ("no input", os.path.join(folder, "none.xml")),
        ("a folder as input", folder),
    ):
        shop.put_old(path)
        result = shop.build(source, path)
        shop.expect_unpublished(result, path, (NO_INPUT,), what)
        shop.expect(
            source in result.message, f"{what}: the message does not name {source}: {result}"
        )

    shop.put_old(path)
    for arguments in (["schema", shop.small], ["inspect", path], ["--help"]):
        with open("/dev/full", "wb") as full:
            result = shop.run(*arguments, stdout=full)
        shop.expect(
            result.code == IO, f"{arguments[0]} into a full device: {result}, expected exit 74"
        )
    return f"{caught} inputs changed while they were read, a full standard output"
