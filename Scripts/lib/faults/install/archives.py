"""Packed seeds that are damaged, installations that are cancelled, and what is told on the way."""

import gzip
import os
import struct
import sys
import zlib

import invariants
from kills import pack

LIMIT = 64 << 20


def packed(bench):
    """C1"""
    place = pack(bench, bench.place("packed", bench.make_seed("middle", 3_000_000)))
    os.remove(place.source[:-3] + ".manifest.json")
    with open(place.source, "rb") as file:
        whole = file.read()
    plain = gzip.decompress(whole)
    cases = {
        f"cut off at {share:.0%}": whole[: int(len(whole) * share)]
        for share in (0.001, 0.3, 0.7, 0.999)
    }
    cases["something behind its end"] = whole + b"more"
    cases["a second member"] = whole + gzip.compress(b"more")
    cases["another size at its end"] = whole[:-4] + struct.pack("<I", len(plain) + PAGE)
    cases["another checksum"] = whole[:-8] + b"\1\2\3\4" + whole[-4:]
    cases["a corrupt block"] = (
        whole[: len(whole) // 2] + b"\xff" * 64 + whole[len(whole) // 2 + 64 :]
    )
    cases["no database"] = gzip.compress(b"text" * 5000)
    cases["a bomb"] = bomb(100 if bench.is_quick else 1024)
    most = 0
    for what, content in cases.items():
        place.clear()
        with open(place.source, "wb") as file:
            file.write(content)
        place.before = invariants.snapshot(place.bundle)
        command = bench.command(place)
        if bench.is_naive:
            # Unless it exists, unpacked into its place.
            script = 'test -e "$2" || gunzip -c "$1" > "$2"'
            command = ["sh", "-c", script, "sh", place.source, place.destination]
        result, used = run_measured(bench, command)
        most = max(most, used)
        bench.expect_error(result, place, what)
        bench.expect(not os.path.lexists(place.destination), f"{what}: installed")
        bench.expect_tidy(place, what)
        bench.expect_source(place, what)
    bench.expect(most < LIMIT, f"{most >> 20} MiB of memory")
    return f"{len(cases)} damaged archives, {most / (1 << 20):.0f} MiB of memory"


PAGE = 4096


def bomb(megabytes):
    """A megabyte that unpacks to a thousand, which its end denies."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(b"SQLite format 3\0" + bytes(84))]
    block = bytes(1 << 20)
    parts += [packer.compress(block) for _ in range(megabytes)]
    content = b"".join(parts) + packer.flush()
    return content[:-4] + struct.pack("<I", 3 * PAGE)


def run_measured(bench, command):
    """Runs a loader; returns its end and the most memory it used, in bytes."""
    log = os.path.join(bench.folder, "memory.txt")
    code = (
        "import resource, subprocess, sys\n"
        "run = subprocess.run(sys.argv[2:])\n"
        "open(sys.argv[1], 'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))\n"
        "sys.exit(run.returncode)\n"
    )
    result = bench.run([sys.executable, "-c", code, log, *command])
    with open(log) as file:
        return result, int(file.read()) * 1024


def cancelled(bench):
    """C2"""
    place = bench.place("large", bench.make_seed("middle", 8_000_000))
    for share in (0.0, 0.3, 0.5, 0.9):
        place.clear()
        what = f"cancelled at {share:.0%}"
        result = bench.run(bench.probing("load", place, "--do", "cancel", "--at", share))
        bench.expect(result.code == 1 and "ancel" in result.message, f"{what}: {result}")
        bench.expect(
            not os.path.lexists(place.destination),
            f"{what}: the destination is {invariants.state(place.destination)}",
        )
        bench.expect_tidy(place, what)
        bench.expect_next(place, what, "--lock-timeout", "2")
    place.clear()
    result = bench.run(bench.probing("load", place, "--do", "fail"))
    bench.expect(result.code == 1, f"a preparation that throws: {result}")
    bench.expect(not os.path.lexists(place.destination), "a preparation that throws: installed")
    bench.expect_tidy(place, "a preparation that throws")
    if bench.is_naive:
        return "4 moments"
    result = bench.run(bench.probing("load", place, "--do", "cancel", "--at", 1))
    bench.expect(result["outcome"] == "installed", f"cancelled after its end: {result}")
    return "4 moments, after the end, and a preparation that throws"


def progress(bench):
    """C3"""
    said = []
    for name, place in (
        ("copied", bench.place("large", bench.make_seed("middle", 8_000_000))),
        ("unpacked", pack(bench, bench.place("packed", bench.make_seed("middle", 8_000_000)))),
    ):
        result = bench.run(bench.probing("progress", place))
        shares = [float(share) for share in result.facts.get("share", [])]
        bench.expect(result.code == 0, f"{name}: {result}")
        bench.expect(shares == sorted(set(shares)), f"{name}: goes back or repeats: {shares}")
        bench.expect(
            shares and shares[-1] == 1 and shares.count(1) == 1, f"{name}: ends with {shares[-1:]}"
        )
        bench.expect(all(0 <= share <= 1 for share in shares), f"{name}: {shares}")
        bench.expect(result["there"] == "1", f"{name}: said to be done before it is there")
        result = bench.run(bench.probing("progress", place))
        bench.expect(
            result.facts.get("share") == ["1.0"], f"{name}, again: {result.facts.get('share')}"
        )
        said.append(f"{name}: {len(shares)} reports")
    return ", ".join(said)
