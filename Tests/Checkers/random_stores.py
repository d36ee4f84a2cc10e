#!/usr/bin/env python3
"""Builds Core Data stores of random models and objects, and reads them with the sqlite3 module.

    random_stores.py SEED [--count N] [--start N] [--keep FOLDER]

Each model has hierarchies of entities, attributes of all types and relationships of all kinds, inside one
hierarchy and between several. The objects come as XML or JSON; some stand inside others, the rest refers to
others by a natural key. Every value and every link that was given has to be in the store and nothing else,
orders included; `seed verify --model` has to find nothing; and the store, written down by
coredata_round_trip.py and built again, has to be the same. Prints what differs; exit 1 if anything does.
"""

import argparse
import base64
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import uuid
from xml.sax.saxutils import quoteattr

import coredata_round_trip as stores

TYPES = [
    "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary",
    "UUID", "URI",
]
WORDS = ["order", "group", "select", "index", "table", "ä ö", "a\nb", "<&>", "", "0", "NULL", "'\"", "𝄞"]


class Entity:
    def __init__(self, name, parent, is_abstract):
        self.name, self.parent, self.is_abstract = name, parent, is_abstract
        self.attributes, self.relationships = [], []

    @property
    def root(self):
        return self.parent.root if self.parent else self

    def lineage(self):
        return [self] + (self.parent.lineage() if self.parent else [])

    def is_kind_of(self, other):
        return other in self.lineage()


class Relationship:
    def __init__(self, name, owner, end, is_to_many, is_ordered):
        self.name, self.owner, self.end = name, owner, end
        self.is_to_many, self.is_ordered = is_to_many, is_ordered
        self.inverse = None


class RandomModel:
    def __init__(self, source):
        self.random, self.entities, self.number = source, [], 0
        for index in range(source.randint(1, 4)):
            root = self.add_entity(None, index)
            for _ in range(source.choice([0, 0, 1, 2, 3])):
                parent = source.choice([e for e in self.entities if e.root is root])
                self.add_entity(parent, index)
        if all(e.is_abstract for e in self.entities):
            self.entities[0].is_abstract = False
        for entity in self.entities:
            if entity.parent is None:
                entity.attributes.append(("key" + entity.name, "String", False, False))
            for _ in range(source.randint(0, 4)):
                kind = source.choice(TYPES)
                entity.attributes.append((
                    self.name("a"), kind, source.random() < 0.7, kind == "Binary" and source.random() < 0.5))
        for _ in range(source.randint(0, 6)):
            self.add_relationship()

    def name(self, start):
        self.number += 1
        return "%s%s%d" % (start, self.random.choice(["", "X", "select", "Order"]), self.number)

    def add_entity(self, parent, index):
        name = self.random.choice("BDMZ") + self.random.choice(["", "a", "rder"]) + str(len(self.entities)) + "e"
        self.entities.append(Entity(name, parent, self.random.random() < (0.3 if parent is None else 0.1)))
        return self.entities[-1]

    def add_relationship(self):
        owner, end = self.random.choice(self.entities), self.random.choice(self.entities)
        kind = self.random.choice(["one", "one-many", "one-many", "many"])
        chance = lambda is_to_many: is_to_many and self.random.random() < 0.5
        there = Relationship(self.name("r"), owner, end, kind == "many", chance(kind == "many"))
        back = Relationship(self.name("r"), end, owner, kind != "one", chance(kind != "one"))
        there.inverse, back.inverse = back, there
        owner.relationships.append(there)
        end.relationships.append(back)

    def text(self):
        lines = ['<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">']
        entities = list(self.entities)
        self.random.shuffle(entities)
        for e in entities:
            lines.append("<entity name=%s%s%s>" % (
                quoteattr(e.name), " parentEntity=%s" % quoteattr(e.parent.name) if e.parent else "",
                ' isAbstract="YES"' if e.is_abstract else ""))
            for name, kind, is_optional, is_external in e.attributes:
                lines.append('<attribute name="%s" attributeType="%s"%s%s/>' % (
                    name, kind, ' optional="YES"' if is_optional else "",
                    ' allowsExternalBinaryDataStorage="YES"' if is_external else ""))
            for r in e.relationships:
                lines.append(
                    '<relationship name="%s" optional="YES" %s%s destinationEntity="%s" inverseName="%s" '
                    'inverseEntity="%s"/>' % (
                        r.name, 'toMany="YES"' if r.is_to_many else 'maxCount="1"',
                        ' ordered="YES"' if r.is_ordered else "", r.end.name, r.inverse.name, r.end.name))
            lines.append("</entity>")
        return "\n".join(lines + ["</model>", ""])


class Object:
    def __init__(self, entity, key):
        self.entity, self.key = entity, key
        self.values, self.texts, self.links, self.inside = {}, {}, {}, {}
        self.is_inside = False


def value(source, kind):
    """A random value: as a document has it, and as the store has it."""
    if kind.startswith("Integer"):
        bits = int(kind[8:]) - 1
        number = source.choice([0, 1, -1, 2**bits - 1, -(2**bits), source.randint(-(2**bits), 2**bits - 1)])
        return str(number), number
    if kind == "Decimal":
        digits = source.randint(1, 15)
        number = source.randint(-(10**digits), 10**digits) if source.random() < 0.5 else source.randint(-9999, 9999)
        text = str(number) + source.choice(["", ".5", ".25", ".00", ".10"] if abs(number) < 10**10 else [""])
        if text.startswith("-0"):
            text = text[1:]
        found = float(text)
        return text, int(found) if found == int(found) else found
    if kind == "Double":
        number = source.choice([0.0, 1.0, -2.5, 1e300, 5e-324, 0.1, 2.0**60, -3.0, source.uniform(-1e6, 1e6)])
        return repr(number), number
    if kind == "Float":
        number = source.choice([0.0, 1.0, -2.5, 0.1, 3e38, source.uniform(-1e6, 1e6)])
        return repr(number), struct.unpack("f", struct.pack("f", number))[0]
    if kind == "Boolean":
        flag = source.random() < 0.5
        return source.choice(["true", "1", "yes"] if flag else ["false", "0", "no"]), int(flag)
    if kind == "Date":
        seconds = source.randint(-3_000_000_000, 1_200_000_000)
        seconds = source.choice([seconds, seconds + 0.5, seconds + 0.25])
        return stores.date_text(seconds), int(seconds) if seconds == int(seconds) else seconds
    if kind == "Binary":
        data = source.randbytes(source.randint(1, 20))
        return base64.b64encode(data).decode(), data
    if kind == "UUID":
        data = source.randbytes(16)
        return str(uuid.UUID(bytes=data)), data
    if kind == "URI":
        text = "https://a.b/%d?q=%%20" % source.randint(0, 99)
        return text, text
    text = source.choice(WORDS) + source.choice(["", str(source.randint(0, 99))])
    return text, text


class RandomObjects:
    def __init__(self, model, source, form):
        self.model, self.random, self.form, self.objects = model, source, form, []
        for entity in model.entities:
            if entity.is_abstract:
                continue
            for index in range(source.randint(0, 5)):
                self.add(entity, index)
        source.shuffle(self.objects)
        for entity in model.entities:
            for relationship in entity.relationships:
                # Each pair once, from the side that keeps the order if one does.
                back = relationship.inverse
                first = (relationship.is_ordered, relationship.is_to_many, relationship.name) > (
                    back.is_ordered, back.is_to_many, back.name)
                if first:
                    self.link(relationship)

    def add(self, entity, index):
        item = Object(entity, "%s %d" % (entity.name, index))
        for ancestor in entity.lineage():
            for name, kind, is_optional, is_external in ancestor.attributes:
                if name.startswith("key"):
                    item.texts[name] = item.values[name] = item.key
                elif not is_optional or self.random.random() < 0.7:
                    item.texts[name], found = value(self.random, kind)
                    if kind != "String" and item.texts[name] == "":
                        continue
                    item.values[name] = b"\x01" + found if is_external else found
        self.objects.append(item)

    def link(self, relationship):
        owners = [o for o in self.objects if o.entity.is_kind_of(relationship.owner)]
        ends = [o for o in self.objects if o.entity.is_kind_of(relationship.end)]
        is_many = relationship.is_to_many and relationship.inverse.is_to_many
        free = list(ends)
        for owner in owners:
            count = self.random.choice([0, 1, 1, 2, 3]) if relationship.is_to_many else self.random.choice([0, 1])
            pool = ends if is_many or (not relationship.is_to_many and relationship.inverse.is_to_many) else free
            chosen = self.random.sample(pool, min(count, len(pool)))
            if pool is free:
                free = [o for o in free if o not in chosen]
            if not chosen:
                continue
            owner.links[relationship] = chosen
            # Some stand inside, all of those of one relationship or none: then their order is that.
            may = self.form == "xml" and relationship.is_to_many and self.random.random() < 0.5
            if may and all(not o.is_inside and o is not owner and not self.contains(o, owner) for o in chosen):
                owner.inside[relationship] = chosen
                for other in chosen:
                    other.is_inside = True

    def contains(self, outer, item):
        return any(
            other is item or self.contains(other, item)
            for others in outer.inside.values() for other in others)

    def references(self):
        found = {}
        for item in self.objects:
            for relationship in item.links:
                if relationship not in item.inside:
                    owner, end = relationship.owner, relationship.end
                    found["%s.%s" % (owner.name, relationship.name)] = {
                        "from": "ref-" + relationship.name, "to": "%s.key%s" % (end.name, end.root.name)}
        return found

    def document(self):
        outer = [o for o in self.objects if not o.is_inside]
        if self.form == "json":
            groups = {}
            for item in outer:
                record = dict(item.texts)
                for relationship, ends in item.links.items():
                    keys = [o.key for o in ends]
                    record["ref-" + relationship.name] = keys if relationship.is_to_many else keys[0]
                groups.setdefault(item.entity.name, []).append(record)
            return json.dumps(groups, ensure_ascii=False, indent=1)
        return "\n".join(["<objects>"] + [self.element(o) for o in outer] + ["</objects>", ""])

    def element(self, item):
        escapes = {"\n": "&#10;"}
        start = item.entity.name + "".join(
            " %s=%s" % (name, quoteattr(text, escapes)) for name, text in item.texts.items())
        parts = []
        for relationship, ends in item.links.items():
            if relationship in item.inside:
                parts.append("<%s>%s</%s>" % (
                    relationship.name, "".join(self.element(o) for o in ends), relationship.name))
            else:
                parts += [
                    "<ref-%s>%s</ref-%s>" % (relationship.name, o.key, relationship.name) for o in ends]
        return "<%s>%s</%s>" % (start, "".join(parts), item.entity.name) if parts else "<%s/>" % start


class Comparison:
    """What a store says, against what it was given."""

    def __init__(self, objects, store):
        self.objects, self.store, self.differences = objects, store, []
        self.found = {}
        for group in store.objects.values():
            for item in group.values():
                root = item.entity.root.name
                self.found[item.row["Z" + ("key" + root).upper()]] = item
        self.names = {id(item): key for key, item in self.found.items()}

    def run(self):
        if len(self.found) != len(self.objects.objects):
            return ["%d objects, not %d" % (len(self.found), len(self.objects.objects))]
        for item in self.objects.objects:
            found = self.found.get(item.key)
            if found is None or found.entity.name != item.entity.name:
                self.differences.append("%s is not there" % item.key)
                continue
            self.compare_values(item, found)
            for ancestor in item.entity.lineage():
                for relationship in ancestor.relationships:
                    self.compare_links(item, found, relationship)
        return self.differences

    def compare_values(self, item, found):
        for ancestor in item.entity.lineage():
            for name, *_ in ancestor.attributes:
                expected, stored = item.values.get(name), found.row["Z" + name.upper()]
                if (expected, type(expected)) != (stored, type(stored)):
                    self.differences.append("%s.%s is %r, not %r" % (item.key, name, stored, expected))

    def compare_links(self, item, found, relationship):
        given, inverse = item.links.get(relationship), relationship.inverse
        if given is None:
            given = [o for o in self.objects.objects if item in o.links.get(inverse, [])]
            is_told = not relationship.is_ordered
        else:
            is_told = True
        expected = [o.key for o in given]
        stored = self.keys(found, relationship)
        # An order is that of the side that was written; the other's own is any.
        same = stored == expected if is_told and relationship.is_ordered else sorted(stored) == sorted(expected)
        if not same:
            self.differences.append("%s.%s is %s, not %s" % (item.key, relationship.name, stored, expected))

    def keys(self, found, relationship):
        """The natural keys of the objects at the end of a relationship, as the store has them."""
        store, inverse = self.store, relationship.inverse
        ends = store.objects[relationship.end.root.name]
        key = found.row["Z_PK"]
        column = "Z" + relationship.name.upper()
        if not relationship.is_to_many:
            number = found.row[column]
            if number is None:
                return []
            self.check_entity(found, relationship, ends[number])
            return [self.names[id(ends[number])]]
        if not inverse.is_to_many:
            column = "Z" + inverse.name.upper()
            items = [o for o in ends.values() if o.row.get(column) == key and self.has(o, relationship.end)]
            if relationship.is_ordered:
                place = "Z_FOK_" + inverse.name.upper()
                items.sort(key=lambda o: o.row[place])
                places = [o.row[place] for o in items]
                if places != list(range(2048, 2048 + 1024 * len(places), 1024)):
                    self.differences.append("the places in %s are %s" % (relationship.name, places))
            return [self.names[id(o)] for o in items]
        entity = store.model.entities[relationship.owner.name]
        table, own, other, order = store.join(
            entity, relationship.name, entity.relationships[relationship.name])
        rows = store.database.execute('SELECT "%s" FROM "%s" WHERE "%s" = ? ORDER BY %s' % (
            other, table, own, order if relationship.is_ordered else "1"), (key,))
        return [self.names[id(ends[number])] for (number,) in rows]

    def has(self, item, entity):
        return any(e.name == entity.name for e in item.entity.lineage())

    def check_entity(self, found, relationship, end):
        declared = self.store.model.entities[relationship.end.name]
        if declared.children:
            column = "Z%d_%s" % (declared.id, relationship.name.upper())
            if found.row[column] != end.entity.id:
                self.differences.append("%s is %r, not %d" % (column, found.row[column], end.entity.id))


def run_one(seed, number, folder):
    """What is wrong with one store."""
    source = random.Random(number)
    model = RandomModel(source)
    form = source.choice(["xml", "json"])
    objects = RandomObjects(model, source, form)
    path = lambda name: os.path.join(folder, name)
    for name, text in (("contents", model.text()), ("objects." + form, objects.document())):
        with open(path(name), "w", encoding="utf-8") as file:
            file.write(text)
    project = {
        "schema": "contents", "output": "built.sqlite", "sources": [{"file": "objects." + form}],
        "references": objects.references()}
    with open(path("seed.json"), "w", encoding="utf-8") as file:
        json.dump(project, file)
    run = subprocess.run([seed, "build"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        return ["the build exits %d: %s" % (run.returncode, run.stderr[:600])]
    read = stores.Model(path("contents"))
    with tempfile.TemporaryDirectory() as scratch:
        differences = Comparison(objects, stores.Store(path("built.sqlite"), read, scratch)).run()
    run = subprocess.run(
        [seed, "verify", "built.sqlite", "--model", "contents"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0 or run.stdout:
        differences.append("verify exits %d: %s" % (run.returncode, (run.stdout + run.stderr)[:600]))
    if objects.objects:
        trip = subprocess.run(
            [sys.executable, "-B", stores.__file__, seed, path("contents"), path("built.sqlite"), "--format",
             source.choice(["xml", "json"])], capture_output=True, text=True)
        if trip.returncode == 1:
            differences.append("the round trip: " + (trip.stdout + trip.stderr)[:600])
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--start", type=int, default=1)
    parser.add_argument("--keep", help="where the files of what failed are kept")
    options = parser.parse_args()
    seed, failures = os.path.abspath(options.seed), 0
    for number in range(options.start, options.start + options.count):
        with tempfile.TemporaryDirectory() as folder:
            differences = run_one(seed, number, folder)
            if not differences:
                continue
            failures += 1
            for difference in differences[:5]:
                print("%d: %s" % (number, difference))
            if options.keep:
                shutil.copytree(folder, os.path.join(options.keep, str(number)), dirs_exist_ok=True)
    print("%d stores, %d of them wrong" % (options.count, failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
