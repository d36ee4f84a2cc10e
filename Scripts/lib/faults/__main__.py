"""Runs the groups of faults and prints a line each. Started by Scripts/faults."""

import argparse
import sys
import time

import merging
import moments
import places
import space
from workshop import Skipped, Workshop

GROUPS = {
    "kill": moments.kill,
    "signal": moments.interrupt,
    "together": moments.together,
    "full": space.full,
    "limit": space.limit,
    "call": space.call,
    "output": places.output,
    "input": places.inputs,
    "merge": merging.merge,
}


def parse():
    parser = argparse.ArgumentParser(prog="Scripts/faults", add_help=False)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--group", action="append", choices=GROUPS)
    parser.add_argument("--moments", type=int)
    parser.add_argument("--random-seed", type=int, default=1)
    return parser.parse_args()


def main():
    options = parse()
    count = options.moments or (25 if options.quick else 200)
    shop = Workshop(options.seed, 60_000 if options.quick else 150_000, options.random_seed)
    failed = passed = skipped = 0
    try:
        print(f"an undisturbed build takes {shop.seconds:.2f} s and {len(shop.new):,} bytes")
        for name in options.group or GROUPS:
            started, shop.failures = time.monotonic(), []
            try:
                summary = GROUPS[name](shop, options.quick, count)
            except Skipped as reason:
                skipped += 1
                print(f"{name:9} SKIPPED: {reason}", flush=True)
                continue
            verdict = f"FAILED ({len(shop.failures)})" if shop.failures else "ok"
            print(f"{name:9} {verdict}: {summary}, {time.monotonic() - started:.1f} s", flush=True)
            for failure in shop.failures[:20]:
                print("  " + failure.replace("\n", " | "), flush=True)
            failed, passed = failed + bool(shop.failures), passed + (not shop.failures)
    finally:
        shop.close()
    print(f"faults: {passed} groups passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


main()
