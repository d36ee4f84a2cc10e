"""Builds that are killed, interrupted, or not alone."""

import os
import signal
import time

from workshop import INTERRUPTED, read, stop, temporary_files


def kill(shop, quick, count):
    """kill -9: old or new output, never between; the next build removes what was left."""
    output = os.path.join(shop.subfolder("kill"), "out.sqlite")
    killed = swept = 0
    for moment in shop.moments(count):
        what = f"kill -9 after {moment:.4f} s"
        shop.put_old(output)
        process = shop.start_build(shop.input, output)
        time.sleep(moment)
        stop(process)
        result = shop.finish(process)
        now = read(output)
        if result.code == -signal.SIGKILL:
            killed += 1
            # The rename may be done although the process had no time to say so.
            shop.expect(now in (shop.old, shop.new), f"{what}: the output is neither old nor new")
        else:
            shop.expect(result.code == 0, f"{what}: {result}")
            shop.expect(now == shop.new, f"{what}: finished, but the output is not the new one")
        swept += len(temporary_files(output))
        result = shop.build(shop.small, output)
        shop.expect(result.code == 0, f"{what}: the next build: {result}")
        shop.expect(read(output) == shop.new_small, f"{what}: the next build's output is wrong")
        shop.expect_tidy(output, f"{what}: the next build")
    # On a busy machine a build takes now longer, now shorter than the one that was timed.
    shop.expect(killed >= count / 8, f"only {killed} of {count} builds were killed before their end")
    return f"{count} moments, {killed} killed before their end, {swept} leftovers swept"


def interrupt(shop, quick, count):
    """Signals that a terminal or a system sends: 130, nothing published, nothing left."""
    output = os.path.join(shop.subfolder("signal"), "out.sqlite")
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    interrupted = early = 0
    for turn, moment in enumerate(shop.moments(count)):
        number = numbers[turn % len(numbers)]
        what = f"{number.name} after {moment:.4f} s"
        shop.put_old(output)
        process = shop.start_build(shop.input, output)
        time.sleep(moment)
        stop(process, number)
        result = shop.finish(process)
        now = read(output)
        if result.code == 0:
            shop.expect(now == shop.new, f"{what}: exit 0, but the output is not the new one")
        elif result.code == -number and moment < 0.05:
            # The system had not even started the program's own code.
            early += 1
            shop.expect(now == shop.old, f"{what}: the previous output changed")
        else:
            interrupted += 1
            shop.expect(result.code == INTERRUPTED, f"{what}: {result}, expected exit 130")
            shop.expect(now == shop.old, f"{what}: the previous output changed ({result})")
        shop.expect_tidy(output, f"{what} ({result})")
    shop.expect(interrupted >= count / 8, f"only {interrupted} of {count} builds were interrupted")
    return f"{count} moments, {interrupted} interrupted, {early} before the program began"


def together(shop, quick, count):
    """Two builds of one output: one of both, whole; the living one's file is nobody's leftover."""
    output = os.path.join(shop.subfolder("together"), "out.sqlite")
    rounds = max(4, count // 10)
    for turn, moment in enumerate(shop.moments(rounds)):
        what = f"two builds, the second {moment:.4f} s later"
        shop.put_old(output)
        first = shop.start_build(shop.input, output)
        time.sleep(moment / 2)
        if turn % 2 == 0:
            stop(first)
            # Until the system has taken it down it may still hold its locks.
            shop.finish(first)
            what += ", the first killed"
        second = shop.build(shop.small, output)
        shop.expect(second.code == 0, f"{what}: the second: {second}")
        if turn % 2 == 0:
            shop.expect(read(output) == shop.new_small, f"{what}: the output is not the second's")
        else:
            result = shop.finish(first)
            shop.expect(result.code == 0, f"{what}: the first: {result}")
            shop.expect(
                read(output) in (shop.new, shop.new_small), f"{what}: the output is neither's"
            )
        shop.expect_tidy(output, what)
    return f"{rounds} pairs"
