"""Runs the cases of the first run and prints a line each. Started by Scripts/faults install."""

import argparse
import sys
import time

import archives
import costs
import fixtures
import kills
import locks
import places
import power
import races
import rooms
from bench import Bench, Skipped

# The case, what it does, and the naive loaders that must fail it.
CASES = {
    "K1": (kills.every_call, ["copy-item", "stream", "rename"]),
    "K2": (kills.random_moments, ["copy-item", "rename"]),
    "K3": (kills.in_closures, ["stream", "rename"]),
    "K4": (kills.holding_lock, ["rename"]),
    "P1": (power.cuts, ["copy-item", "rename", "synced-rename"]),
    "P3": (power.order, ["copy-item", "rename", "synced-rename"]),
    "S1": (rooms.full, ["copy-item", "rename"]),
    "S2": (rooms.limited, ["copy-item", "rename"]),
    "S3": (rooms.clone_without_room, ["copy-item", "rename"]),
    "E1": (rooms.broken, ["copy-item", "rename"]),
    "E2": (rooms.interrupted, ["stream"]),
    "E3": (rooms.unsupported, ["rename"]),
    "R1": (races.together, ["stream", "copy-item", "rename"]),
    "R2": (races.without_lock, ["copy-item", "stream"]),
    "R3": (races.meanwhile_created, ["rename"]),
    "R4": (races.paused, ["rename"]),
    "R5": (races.versions, ["copy-item", "rename"]),
    "J1": (races.journal_modes, ["rename"]),
    "L1": (locks.in_transaction, ["copy-item"]),
    "L2": (locks.replaced_in_use, ["rename"]),
    "L3": (locks.forked, ["rename"]),
    "W1": (fixtures.logs_of_others, ["copy-item", "rename"]),
    "W2": (fixtures.log_in_use, ["copy-over", "rename-over"]),
    "W3": (fixtures.seeds_with_logs, ["copy-item"]),
    "Z1": (fixtures.destinations, ["copy-item"]),
    "Z2": (fixtures.seeds, ["copy-item"]),
    "M1": (places.permissions, ["copy-item"]),
    "M2": (places.names, ["copy-item"]),
    "M3": (places.descriptors, ["plain-calls"]),
    "C1": (archives.packed, ["stream"]),
    "C2": (archives.cancelled, ["stream"]),
    "C3": (archives.progress, ["stream", "rename"]),
    "X1": (costs.memory, ["atomic-write"]),
    "X2": (costs.duration, ["copy-item"]),
    "X3": (costs.repeated_names, ["rename"]),
}


def parse():
    parser = argparse.ArgumentParser(prog="Scripts/faults install", add_help=False)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--probe", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--random-seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        print(
            f"faults: error: no case '{unknown[0]}'; there are {' '.join(CASES)}", file=sys.stderr
        )
        sys.exit(64)
    return options


def attempt(bench, case, loader):
    bench.loader, bench.failures = loader, []
    started = time.monotonic()
    summary = case(bench)
    return summary, bench.failures, time.monotonic() - started


def main():
    options = parse()
    bench = Bench(options.seed, options.probe, options.random_seed, options.quick)
    passed = failed = skipped = 0
    try:
        for name in options.cases or CASES:
            case, naive = CASES[name]
            try:
                is_good = True
                for loader in naive:
                    summary, failures, seconds = attempt(bench, case, loader)
                    is_good = is_good and bool(failures)
                    verdict = f"fails in {len(failures)} checks" if failures else "DOES NOT FAIL"
                    print(f"{name:3} {loader}: {verdict} ({summary}), {seconds:.1f} s", flush=True)
                    for failure in failures[: None if options.verbose else 1]:
                        print("      " + failure.replace("\n", " | ")[:300], flush=True)
                summary, failures, seconds = attempt(bench, case, "seed")
            except Skipped as reason:
                skipped += 1
                print(f"{name:3} SKIPPED: {reason}", flush=True)
                continue
            is_good = is_good and not failures
            verdict = "ok" if not failures else f"FAILED ({len(failures)})"
            print(f"{name:3} seed: {verdict}: {summary}, {seconds:.1f} s", flush=True)
            for failure in failures[: None if options.verbose else 20]:
                print("      " + failure.replace("\n", " | "), flush=True)
            passed, failed = passed + is_good, failed + (not is_good)
    finally:
        bench.close()
    print(f"faults install: {passed} cases passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


main()
