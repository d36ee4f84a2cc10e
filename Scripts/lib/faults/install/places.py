"""Places that are hard to write to: permissions, names, volumes, too few descriptors."""

import os
import resource
import shutil
import stat
import subprocess
import unicodedata

import invariants
import tracing
from bench import Skipped


def unprivileged(umask=None):
    """Makes a child somebody else than root."""

    def drop():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        if umask is not None:
            os.umask(umask)

    return drop


def permissions(bench):
    """M1"""
    if os.geteuid() != 0:
        raise Skipped("needs root to be somebody else")
    done = []
    bench.show_to_all()
    # The one thing that must work: a read-only seed gives a database that can be written to.
    place = bench.place()
    os.chmod(place.source, 0o444)
    os.chmod(place.app, 0o777)
    place.before = invariants.snapshot(place.bundle)
    result = bench.install(place, preexec_fn=unprivileged())
    bench.expect(result.code == 0, f"a seed with 0444: {result}")
    result = bench.run(bench.probing("open", place, "--row", 100_000), preexec_fn=unprivileged())
    bench.expect(result.code == 0, f"a seed with 0444: the app's insert: {result}")
    bench.expect_source(place, "a seed with 0444")
    done.append("seed 0444")
    # Under 0777 the process may not even read what it makes.
    for umask in (0o077, 0o000, 0o777):
        place = bench.place()
        os.chmod(place.app, 0o777)
        result = bench.install(place, preexec_fn=unprivileged(umask))
        bench.expect(result.code == 0, f"umask {umask:03o}: {result}")
        mode = stat.S_IMODE(os.stat(place.destination).st_mode) if result.code == 0 else 0
        bench.expect(mode == 0o600, f"umask {umask:03o}: permissions {mode:03o}")
        again = bench.install(place, preexec_fn=unprivileged(umask))
        bench.expect(again.code == 0, f"umask {umask:03o}, again: {again}")
        done.append(f"umask {umask:03o}")
    for what, mode, options in (
        ("a folder with 0555", 0o555, {}),
        ("a folder of somebody else", 0o755, {}),
    ):
        place = bench.place()
        os.chmod(place.app, mode)
        result = bench.install(place, preexec_fn=unprivileged(), **options)
        bench.expect_error(result, place, what, errors=["permission denied"])
        bench.expect(os.listdir(place.app) == [], f"{what}: something was made")
        done.append(what)
    place = bench.place()
    os.chmod(place.app, 0o777)
    with open(place.destination, "w") as file:
        file.write("")
    os.chmod(place.destination, 0o600)
    shutil.copyfile(place.source, place.destination)
    result = bench.install(place, preexec_fn=unprivileged())
    bench.expect_error(result, place, "a database of somebody else")
    done.append("a database of somebody else")
    return ", ".join(done) + read_only(bench)


def read_only(bench):
    if bench.is_naive:
        return ""
    place = bench.place()
    subprocess.run(["mount", "--bind", place.app, place.app], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", place.app], check=True)
        result = bench.install(place)
        bench.expect_error(result, place, "a read-only mount", errors=["read-only file system"])
    finally:
        subprocess.run(["umount", place.app], check=True)
    bench.expect_next(place, "writable again")
    place.clear()
    run = subprocess.run(["chattr", "+i", place.app], capture_output=True, text=True)
    if run.returncode != 0:
        return f", a read-only mount; IMMUTABLE SKIPPED: {run.stderr.strip()}"
    result = bench.install(place)
    subprocess.run(["chattr", "-i", place.app], check=True)
    bench.expect_error(result, place, "an immutable folder", errors=["not permitted", "denied"])
    bench.expect_next(place, "mutable again")
    return ", a read-only mount, an immutable folder"


NAMES = [
    "with spaces.sqlite", "100%.sqlite", "what?.sqlite", "a#b?c=d%20.sqlite", "-rf", "'\"\\.sqlite", "…🛒.sqlite",
    unicodedata.normalize("NFC", "Äpfel.sqlite"), unicodedata.normalize("NFD", "Äpfel.sqlite"), "n" * 230, "ü" * 115,
    "file:x?mode=memory", ":memory:", "a\nb.sqlite",
]  # fmt: skip


def names(bench):
    """M2"""
    for name in NAMES:
        place = bench.place(destination=name)
        result = bench.install(place)
        if not bench.expect(result.code == 0, f"the name {name!r}: {result}"):
            continue
        bench.expect(name in os.listdir(place.app), f"the name {name!r}: {os.listdir(place.app)}")
        bench.expect_next(place, f"the name {name!r}")
    deep = bench.place(destination="a/b/c/d/shop.sqlite")
    bench.expect(bench.install(deep).code == 0, "missing folders")
    bench.expect_whole(deep, "missing folders")
    place = bench.place(destination="file/shop.sqlite")
    open(os.path.join(place.app, "file"), "w").close()
    bench.expect_error(
        bench.install(place), place, "a folder that is a file", errors=["not a directory"]
    )
    place = bench.place(destination="link/shop.sqlite")
    os.makedirs(os.path.join(place.app, "real"))
    os.symlink("real", os.path.join(place.app, "link"))
    result = bench.install(place)
    bench.expect(result.code == 0, f"a folder that is a link: {result}")
    bench.expect(os.path.exists(os.path.join(place.app, "real/shop.sqlite")), "not behind the link")
    place = bench.place(destination="x" * 256)
    bench.expect_error(bench.install(place), place, "a name of 256 bytes", errors=["too long"])
    bench.expect(os.listdir(place.app) == [], "a name of 256 bytes: something is left")
    one = bench.place("one")
    for name in ("Shop.sqlite", "shop.sqlite"):
        one.destination = os.path.join(one.app, name)
        bench.expect(bench.install(one).code == 0, f"the name {name}")
    volume = other_volume(bench)
    return (
        f"{len(NAMES)} names, missing folders, a file, a link, a name too long, two cases{volume}"
    )


def other_volume(bench):
    try:
        path = bench.mount("volume", ["-t", "tmpfs", "-o", "size=16m", "seed-faults"])
    except Skipped as reason:
        return f"; OTHER VOLUME SKIPPED: {reason}"
    try:
        place = bench.place()
        place.app = path
        place.destination = os.path.join(path, "a/shop.sqlite")
        result = bench.install(place)
        bench.expect(result.code == 0, f"another volume: {result}")
        bench.expect_whole(place, "another volume")
    finally:
        bench.unmount(path)
    return ", another volume"


def descriptors(bench):
    """M3"""
    tracing.require(bench)
    place, limits = bench.place(), 0
    # No descriptor is left over, whether it succeeds or fails.
    publishing = "rename" if bench.is_naive else "renameat2"
    for what, failing in (
        ("a success", ""),
        ("no descriptor for the lock", "flock:error=EMFILE"),
        ("a publication that fails", f"{publishing}:error=EIO"),
    ):
        prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={publishing},flock"]
        prefix += ["-e", f"inject={failing}"] if failing else []
        place.clear()
        result = bench.run(prefix + bench.probing("descriptors", place))
        bench.expect(
            result["before"] == result["after"] and result["before"],
            f"{what}: {result['before']} descriptors before, {result['after']} after",
        )
    for most in range(3, 16):
        place.clear()

        def limit(most=most):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

        result = bench.install(place, preexec_fn=limit)
        limits += result.code != 0
        if result.code == 127 or "shared libraries" in result.message:
            continue
        what = f"{most} descriptors"
        if result.code != 0:
            bench.expect_error(result, place, what)
            bench.expect_tidy(place, what)
        bench.expect_next(place, what)
    _, calls = tracing.trace(bench, bench.command(place), place)
    place.clear()
    _, calls = tracing.trace(bench, bench.command(place), place)
    opens = [call for call in calls if call.name == "openat"]
    for call in opens:
        place.clear()
        result = bench.run(tracing.inject(bench.command(place), call, "error=EMFILE"))
        what = f"EMFILE from {call}"
        if result.code != 0:
            bench.expect_error(result, place, what)
        bench.expect_whole(place, what)
        bench.expect_tidy(place, what)
        bench.expect_next(place, what)
    closed = 0
    for numbers in ((0,), (1,), (2,), (0, 1, 2)):
        place.clear()
        redirect = " ".join(f"{number}>&-" if number else "0<&-" for number in numbers)
        run = subprocess.run(
            ["sh", "-c", f'exec "$@" {redirect}', "sh", *bench.command(place)], capture_output=True
        )
        what = f"descriptors {numbers} closed"
        state = bench.expect_whole(place, what)
        # Without a standard output the result cannot be said, which is an error of its own.
        bench.expect(state == "complete", f"{what}: exit {run.returncode}, {state}")
        shape = invariants.shape(place.destination)
        bench.expect(shape is None, f"{what}: {shape}")
        bench.expect_next(place, what)
        closed += 1
    return f"{limits} limits, {len(opens)} times EMFILE, {closed} closed at the start"
