"""Measures `seed build` against the yardstick, in turn on the same files. Started by Scripts/bench."""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
from typing import NamedTuple

class Shape(NamedTuple):
    goal: float  # the largest ratio of wall times that is good enough
    yardstick: str  # the shape of the XML that the yardstick reads
    file: str
    most: float = 32  # MiB, below scale 10
    model: str = ""  # a Core Data model, into whose store the tool puts the rows


# The orders as a Core Data model: the items belong to their order, so each has a key to it.
ORDER_MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
  <entity name="Order">
    <attribute name="country" attributeType="String"/>
    <attribute name="customer" attributeType="String"/>
    <attribute name="date" attributeType="Date"/>
    <attribute name="id" attributeType="Integer 32"/>
    <attribute name="note" optional="YES" attributeType="String"/>
    <attribute name="status" attributeType="String"/>
    <attribute name="total" attributeType="Decimal"/>
    <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="order" inverseEntity="Item"/>
  </entity>
  <entity name="Item">
    <attribute name="name" attributeType="String"/>
    <attribute name="price" attributeType="Decimal"/>
    <attribute name="qty" attributeType="Integer 16"/>
    <attribute name="sku" attributeType="String"/>
    <relationship name="order" maxCount="1" destinationEntity="Order" inverseName="items" inverseEntity="Order"/>
  </entity>
</model>
"""

SHAPES = {
    "events": Shape(0.6, "events", "events.xml"),
    "orders": Shape(0.7, "orders", "orders.xml"),
    "posts": Shape(0.7, "posts", "posts.xml"),
    # The same events in other formats, against the same yardstick.
    "csv": Shape(0.5, "events", "events.csv"),
    "ndjson": Shape(0.5, "events", "events.ndjson"),
    # The orders in a Core Data store.
    "coredata": Shape(0.9, "orders", "orders.xml", 64, ORDER_MODEL),
}


class Figures(NamedTuple):
    wall: float
    cpu: float
    peak: float  # MiB


def parse():
    parser = argparse.ArgumentParser(prog="Scripts/bench", add_help=False)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shape", action="append", choices=SHAPES)
    parser.add_argument("--directory", default=".build/bench")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seed", required=True)
    parser.add_argument("--benchmarks", required=True)
    options = parser.parse_args()
    if not 0 < options.scale <= 100:
        parser.error("--scale is a number above 0, at most 100")
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    return options


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


def measured(benchmarks, command, output):
    """One run, timed from outside by the benchmark program's own small process."""
    remove(output)
    run = subprocess.run([benchmarks, "measure", *command], capture_output=True, text=True)
    wall, user, system, peak, code = run.stdout.split()
    if int(code) != 0:
        sys.exit(f"bench: {' '.join(command)} exited {code}: {run.stderr.strip()}")
    return Figures(float(wall), float(user) + float(system), float(peak) / 1024)


def project(folder, form):
    """Writes the model and the project file of a store; returns the latter's path."""
    with open(os.path.join(folder, "contents"), "w", encoding="utf-8") as file:
        file.write(form.model)
    path = os.path.join(folder, "coredata.seed.json")
    columns = {"customer": {"from": "Customer"}, "country": {"from": "Customer/@country"}}
    source = {"file": form.file, "records": {"Orders/Order": {"table": "Order", "columns": columns}}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": "contents", "sources": [source]}, file)
    return path


def row_count(output):
    """The rows of all tables but SQLite's, the stamp and Core Data's own."""
    import sqlite3

    with contextlib.closing(sqlite3.connect(output)) as database:
        tables = database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_seed%' ESCAPE '\\'"
            " AND name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE')"
        ).fetchall()
        return sum(
            database.execute('SELECT count(*) FROM "%s"' % name.replace('"', '""')).fetchone()[0]
            for (name,) in tables
        )


def medians(figures):
    return Figures(*(statistics.median(column) for column in zip(*figures)))


def can_read(seed, source):
    """Whether the tool reads the file's format, tried on its first lines."""
    probe = os.path.join(os.path.dirname(source), "probe" + os.path.splitext(source)[1])
    output = probe + ".sqlite"
    with open(source, "rb") as file, open(probe, "wb") as start:
        start.writelines(file.readline() for _ in range(3))
    run = subprocess.run([seed, "build", probe, "-o", output], capture_output=True)
    remove(probe)
    remove(output)
    return run.returncode == 0


def compare(options, folder, shape):
    """Runs yardstick and tool in turn; prints a row each and gives back what misses a goal."""
    form = SHAPES[shape]
    source = os.path.join(folder, form.file)
    if not source.endswith(".xml") and not can_read(options.seed, source):
        print(f"{shape:8} is left out: this seed does not read it", flush=True)
        return
    outputs = {name: os.path.join(folder, f"{name}.sqlite") for name in ("yardstick", "seed")}
    commands = {
        "yardstick": [
            options.benchmarks, "yardstick", form.yardstick,
            os.path.join(folder, form.yardstick + ".xml"), outputs["yardstick"],
        ],
        "seed": [
            options.seed, "build", *(["--config", project(folder, form)] if form.model else [source]),
            "-o", outputs["seed"],
        ],
    }
    taken, rows = {name: [] for name in commands}, {}
    for turn in range(options.rounds + 1):
        for name, command in commands.items():
            figures = measured(options.benchmarks, command, outputs[name])
            if turn == 0:
                rows[name] = row_count(outputs[name])
            else:
                taken[name].append(figures)
            remove(outputs[name])
    ratio = statistics.median(a.wall / b.wall for a, b in zip(taken["seed"], taken["yardstick"]))
    for name in commands:
        middle = medians(taken[name])
        print(
            f"{shape:8} {name:10} {middle.wall:8.2f} {middle.cpu:8.2f} {middle.peak:9.1f}"
            f" {rows[name]:10,} {rows[name] / middle.wall:11,.0f} "
            + (f"{ratio:8.2f}" if name == "seed" else f"{1:8.2f}"),
            flush=True,
        )

    yardstick = medians(taken["yardstick"])
    if yardstick.wall > 1.15 * yardstick.cpu:
        # It has one thread and never waits for a disk, so others had its processor.
        print(f"{shape:8} the machine was busy: these ratios say little", flush=True)

    peak, most = medians(taken["seed"]).peak, form.most if options.scale < 10 else 64
    if ratio > form.goal:
        yield f"{shape}: ratio {ratio:.2f} is above {form.goal}"
    if peak > most:
        yield f"{shape}: {peak:.1f} MiB is above {most}"


def main():
    options = parse()
    folder = os.path.join(options.directory, f"scale-{options.scale:g}")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([options.benchmarks, "generate", folder, repr(options.scale)], check=True)
    print(
        f"scale {options.scale:g}, medians of {options.rounds} rounds, in turn, after one warm-up"
    )
    print("shape    program      wall s    cpu s  peak MiB       rows      rows/s    ratio")
    missed = []
    for shape in options.shape or SHAPES:
        missed += compare(options, folder, shape)
    if options.check:
        for miss in missed:
            print("goal missed:", miss)
        if missed:
            sys.exit(1)
        print("all goals are met")


main()
