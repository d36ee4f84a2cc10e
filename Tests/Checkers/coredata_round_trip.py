#!/usr/bin/env python3
"""Proves that a Core Data store can be written down as data and built again.

    coredata_round_trip.py SEED MODEL STORE [--format xml|json]

Reads the objects of a store with the model that it was made from, writes them as XML or JSON with a
project file that says what refers to what, builds with SEED, and compares table by table: every
column of every row, keys by the objects that they mean, orders by rank. The store itself is copied
first and never changed. Prints what differs; exit 1 if anything does, 2 if the store cannot be
written down (an object that others refer to without a value of its own that tells it).
"""

import argparse
import base64
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timedelta, timezone
from xml.sax.saxutils import quoteattr

EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)


class Entity:
    def __init__(self, element):
        self.name = element.get("name")
        self.parent_name = element.get("parentEntity")
        self.is_abstract = element.get("isAbstract") == "YES"
        self.attributes = {a.get("name"): a for a in element.findall("attribute")}
        self.relationships = {r.get("name"): r for r in element.findall("relationship")}
        self.parent, self.children, self.id = None, [], 0

    @property
    def root(self):
        return self.parent.root if self.parent else self

    @property
    def table(self):
        return "Z" + self.root.name.upper()

    def lineage(self):
        return [self] + (self.parent.lineage() if self.parent else [])

    def all(self, kind):
        result = {}
        for entity in reversed(self.lineage()):
            result.update({name: (entity, item) for name, item in getattr(entity, kind).items()})
        return result

    def is_kind_of(self, other):
        return other in self.lineage()


class Model:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.entities = {e.get("name"): Entity(e) for e in root.findall("entity")}
        for entity in self.entities.values():
            entity.parent = self.entities.get(entity.parent_name)
            if entity.parent:
                entity.parent.children.append(entity)
        self.by_id = {}
        self.number([e for e in self.entities.values() if not e.parent])

    def number(self, entities):
        for entity in sorted(entities, key=lambda e: (e.name.lower(), e.name)):
            entity.id = len(self.by_id) + 1
            self.by_id[entity.id] = entity
            self.number(entity.children)

    def inverse(self, relationship):
        name, destination = relationship.get("inverseName"), relationship.get("destinationEntity")
        return self.entities[destination].all("relationships").get(name) if name else None


class Object:
    def __init__(self, entity, row):
        self.entity, self.row = entity, row
        self.key = None  # what refers to it: an attribute's name


class Store:
    """The objects of a store, and its many-to-many links, by what they mean."""

    def __init__(self, path, model, scratch):
        copy = os.path.join(scratch, "copy-%d.sqlite" % len(os.listdir(scratch)))
        shutil.copyfile(path, copy)
        self.database = sqlite3.connect(copy)
        self.database.row_factory = sqlite3.Row
        self.model, self.objects = model, {}
        for root in [e for e in model.entities.values() if not e.parent]:
            rows = self.database.execute('SELECT * FROM "%s" ORDER BY Z_PK' % root.table)
            self.objects[root.name] = {
                row["Z_PK"]: Object(model.by_id[row["Z_ENT"]], dict(row)) for row in rows
            }
        self.tables = {
            name: [c[1] for c in self.database.execute('PRAGMA table_info("%s")' % name)]
            for (name,) in self.database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'"
            )
        }

    def column(self, entity, name, prefix="Z"):
        """The column of a property; those with a number behind a clash are not looked for."""
        column = prefix + name.upper()
        if column not in self.tables[entity.table]:
            raise Untold("%s.%s has no column %s" % (entity.name, name, column))
        return column

    def join(self, owner, name, relationship):
        """The table of a many-to-many relationship with its columns: own key, other key, order."""
        inverse_owner, inverse = self.model.inverse(relationship)
        own = "Z_%d%s" % (owner.id, inverse.get("name").upper())
        other = "Z_%d%s" % (inverse_owner.id, name.upper())
        order = "Z_FOK_%d%s" % (inverse_owner.id, name.upper())
        for table, columns in self.tables.items():
            if own in columns and other in columns and columns.index(own) < 2:
                return table, own, other, order if order in columns else None
        raise Untold("%s.%s has no table" % (owner.name, name))


class Untold(Exception):
    """A store that cannot be written down by this program."""


def is_to_many(relationship):
    return relationship.get("toMany") == "YES"


def is_ordered(relationship):
    return relationship is not None and relationship.get("ordered") == "YES"


# --- writing down


def date_text(seconds):
    """ISO 8601 with all digits of the number's shortest form."""
    whole, _, fraction = repr(float(seconds)).partition(".")
    if "e" in fraction or len(fraction) > 9:
        raise Untold("the date %r has more digits than ISO 8601 is read with" % seconds)
    whole = int(whole)
    if seconds < 0 and int(fraction):
        # Counted from the second before.
        whole -= 1
        fraction = str(10 ** len(fraction) - int(fraction)).zfill(len(fraction))
    text = (EPOCH + timedelta(seconds=whole)).strftime("%Y-%m-%dT%H:%M:%S")
    return text + ("." + fraction if int(fraction) else "") + "Z"


def value_text(attribute, value):
    kind = attribute.get("attributeType")
    if kind == "Date":
        return date_text(value)
    if kind == "UUID":
        return str(uuid.UUID(bytes=bytes(value)))
    if kind in ("Binary", "Transformable"):
        data = bytes(value)
        if attribute.get("allowsExternalBinaryDataStorage") == "YES":
            if data[:1] != b"\x01":
                raise Untold("data that lies in a file of its own")
            data = data[1:]
        return base64.b64encode(data).decode()
    if kind == "Boolean":
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


class Writer:
    def __init__(self, store, form):
        self.store, self.model, self.form = store, store.model, form
        self.references, self.documents = {}, []

    def natural_key(self, entity):
        """An attribute whose values tell all objects of an entity apart."""
        objects = [o for o in self.store.objects[entity.root.name].values() if o.entity.is_kind_of(entity)]
        for name, (_, attribute) in sorted(entity.all("attributes").items()):
            if not self.is_stored(attribute) or attribute.get("attributeType") == "Transformable":
                continue
            column = self.store.column(entity, name)
            values = [o.row[column] for o in objects]
            if all(v not in (None, "") for v in values) and len(set(values)) == len(values):
                return name, attribute, column
        raise Untold("no attribute tells the objects of %s apart" % entity.name)

    @staticmethod
    def is_stored(attribute):
        return attribute.get("transient") != "YES" and attribute.get("derived") != "YES"

    def key_text(self, entity, key):
        name, attribute, column = self.natural_key(entity)
        return value_text(attribute, self.store.objects[entity.root.name][key].row[column])

    def refer(self, owner, name, entity):
        self.references["%s.%s" % (owner.name, name)] = {
            "from": "ref-" + name if self.form == "xml" else "ref-" + name,
            "to": "%s.%s" % (entity.name, self.natural_key(entity)[0]),
        }

    def links(self, owner_object):
        """The natural keys of the objects at the ends of an object's relationships, by name."""
        entity, key = owner_object.entity, owner_object.row["Z_PK"]
        for name, (owner, relationship) in entity.all("relationships").items():
            if relationship.get("transient") == "YES":
                continue
            end = self.model.entities[relationship.get("destinationEntity")]
            back = self.model.inverse(relationship)
            inverse = back[1] if back else None
            if not is_to_many(relationship):
                # An order is told from the side that has it; of a one-to-one, one side is enough.
                first = inverse is None or is_to_many(inverse) or (owner.name, name) < (
                    end.name, relationship.get("inverseName"))
                if is_ordered(inverse) or not first:
                    continue
                found = owner_object.row[self.store.column(entity, name)]
                keys = [] if found is None else [found]
            elif inverse is not None and not is_to_many(inverse):
                if not is_ordered(relationship):
                    continue
                keys = self.ordered(end, relationship.get("inverseName"), key)
            elif inverse is not None:
                table, own, other, order = self.store.join(owner, name, relationship)
                has_order = is_ordered(relationship) or is_ordered(inverse)
                if not is_ordered(relationship) and (has_order or (owner.name, name) > (
                        back[0].name, relationship.get("inverseName"))):
                    continue
                keys = [row[0] for row in self.store.database.execute(
                    'SELECT "%s" FROM "%s" WHERE "%s" = ? ORDER BY %s' % (
                        other, table, own, '"%s"' % order if order else "1"), (key,))]
            else:
                raise Untold("%s.%s has no inverse" % (entity.name, name))
            if keys:
                self.refer(owner, name, end)
                yield name, [self.key_text(end, k) for k in keys], is_to_many(relationship)

    def ordered(self, end, inverse_name, key):
        column = self.store.column(end, inverse_name)
        order = self.store.column(end, inverse_name, prefix="Z_FOK_")
        objects = [o for o in self.store.objects[end.root.name].values() if o.row[column] == key]
        return [o.row["Z_PK"] for o in sorted(objects, key=lambda o: o.row[order])]

    def values(self, item):
        for name, (_, attribute) in item.entity.all("attributes").items():
            if not self.is_stored(attribute):
                continue
            value = item.row[self.store.column(item.entity, name)]
            if value is not None:
                yield name, value_text(attribute, value)
            elif attribute.get("defaultValueString") or attribute.get("defaultDateTimeInterval"):
                raise Untold("%s.%s is NULL in spite of its default" % (item.entity.name, name))

    def text(self):
        return self.xml() if self.form == "xml" else self.json()

    def all_objects(self):
        for root in sorted(self.store.objects):
            yield from self.store.objects[root].values()

    def xml(self):
        lines = ["<objects>"]
        for item in self.all_objects():
            start = item.entity.name + "".join(
                " %s=%s" % (name, quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}))
                for name, text in self.values(item))
            refs = "".join(
                "<ref-%s>%s</ref-%s>" % (name, quoteattr(key)[1:-1], name)
                for name, keys, _ in self.links(item) for key in keys)
            lines.append("<%s>%s</%s>" % (start, refs, item.entity.name) if refs else "<%s/>" % start)
        return "\n".join(lines + ["</objects>", ""])

    def json(self):
        groups = {}
        for item in self.all_objects():
            record = dict(self.values(item))
            for name, keys, several in self.links(item):
                record["ref-" + name] = keys if several else keys[0]
            groups.setdefault(item.entity.name, []).append(record)
        return json.dumps(groups, ensure_ascii=False, indent=1)

    def emitted(self):
        """The objects of each table in the order in which they were written."""
        order = {}
        items = list(self.all_objects())
        if self.form == "json":
            names = list(dict.fromkeys(item.entity.name for item in items))
            items = [i for name in names for i in items if i.entity.name == name]
        for item in items:
            order.setdefault(item.entity.root.name, []).append(item.row["Z_PK"])
        return {root: {old: new + 1 for new, old in enumerate(keys)} for root, keys in order.items()}


# --- comparing


class Comparison:
    def __init__(self, old, new, numbers):
        self.old, self.new, self.numbers, self.count = old, new, numbers, 0

    def differ(self, message):
        self.count += 1
        if self.count <= 20:
            print(message)

    def key_columns(self, root):
        """The columns of a root's table that hold keys, with the root of what they refer to."""
        columns, orders = {}, set()
        for entity in self.old.model.entities.values():
            if entity.root is not root:
                continue
            for name, relationship in entity.relationships.items():
                if is_to_many(relationship) or relationship.get("transient") == "YES":
                    continue
                end = self.old.model.entities[relationship.get("destinationEntity")]
                columns["Z" + name.upper()] = end.root.name
                orders.add("Z_FOK_" + name.upper())
        return columns, orders

    def run(self):
        for root in [e for e in self.old.model.entities.values() if not e.parent]:
            self.compare_table(root)
        for entity in self.old.model.entities.values():
            for name, relationship in entity.relationships.items():
                inverse = self.old.model.inverse(relationship)
                if is_to_many(relationship) and inverse and is_to_many(inverse[1]):
                    self.compare_join(entity, name, relationship)
        old_max = self.old.database.execute(
            "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1")
        new_max = self.new.database.execute("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1")
        if list(map(tuple, old_max)) != list(map(tuple, new_max)):
            self.differ("Z_PRIMARYKEY differs")
        for number, highest in self.new.database.execute("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY"):
            entity = self.new.model.by_id[number]
            expected = 0 if entity.parent else max(self.new.objects[entity.name], default=0)
            if highest != expected:
                self.differ("Z_MAX of %s is %d, not %d" % (entity.name, highest, expected))

    def compare_table(self, root):
        old, new = self.old.objects[root.name], self.new.objects[root.name]
        if len(old) != len(new):
            return self.differ("%s has %d rows, not %d" % (root.table, len(new), len(old)))
        keys, orders = self.key_columns(root)
        for number, item in old.items():
            other = new[self.numbers[root.name][number]]
            for column, value in item.row.items():
                if column in ("Z_PK", "Z_OPT") or column in orders:
                    continue
                if column in keys and value is not None:
                    value = self.numbers[keys[column]][value]
                found = other.row[column]
                if (found, type(found)) != (value, type(value)):
                    self.differ("%s %d: %s is %r, not %r" % (root.table, number, column, found, value))
        for column in orders & set(self.old.tables[root.table]):
            self.compare_orders(root, column, keys)

    def compare_orders(self, root, column, keys):
        owner = "Z" + column[len("Z_FOK_"):]
        def ranks(objects, number):
            groups = {}
            for key, item in objects.items():
                if item.row[owner] is not None:
                    groups.setdefault(item.row[owner], []).append((item.row[column], number(key)))
            return groups
        old = ranks(self.old.objects[root.name], lambda key: self.numbers[root.name][key])
        new = ranks(self.new.objects[root.name], lambda key: key)
        target = self.numbers.get(keys[owner], {})
        for key, group in old.items():
            expected = [item for _, item in sorted(group)]
            found = [item for _, item in sorted(new.get(target[key], []), key=lambda p: p[0] or 0)]
            if expected != found:
                self.differ("%s: the order by %s of %d differs" % (root.table, column, key))
            places = sorted(place or 0 for place, _ in new.get(target[key], []))
            if places != list(range(2048, 2048 + 1024 * len(places), 1024)):
                self.differ("%s: the places by %s are %s" % (root.table, column, places[:5]))

    def compare_join(self, owner, name, relationship):
        end = self.old.model.entities[relationship.get("destinationEntity")]
        def links(store, own_number, other_number):
            table, own, other, order = store.join(owner, name, relationship)
            rows = store.database.execute('SELECT "%s", "%s" FROM "%s" ORDER BY 1, %s' % (
                own, other, table, '"%s"' % order if order else "2"))
            pairs = [(own_number(a), other_number(b)) for a, b in rows]
            return sorted(pairs, key=lambda p: p[0]) if order else sorted(pairs)
        own, other = self.numbers.get(owner.root.name, {}), self.numbers.get(end.root.name, {})
        if links(self.old, own.get, other.get) != links(self.new, int, int):
            self.differ("%s.%s differs" % (owner.name, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("model")
    parser.add_argument("store")
    parser.add_argument("--format", choices=["xml", "json"], default="xml")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        model = Model(options.model)
        old = Store(options.store, model, scratch)
        writer = Writer(old, options.format)
        try:
            text = writer.text()
        except Untold as error:
            print("cannot be written down:", error)
            sys.exit(2)
        source = os.path.join(scratch, "objects." + options.format)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        project = {
            "schema": os.path.abspath(options.model), "output": "built.sqlite",
            "sources": [{"file": os.path.basename(source)}], "references": writer.references,
        }
        with open(os.path.join(scratch, "seed.json"), "w", encoding="utf-8") as file:
            json.dump(project, file)
        run = subprocess.run(
            [os.path.abspath(options.seed), "build"], cwd=scratch, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit("the build failed: " + run.stderr)
        comparison = Comparison(
            old, Store(os.path.join(scratch, "built.sqlite"), model, scratch), writer.emitted())
        comparison.run()
        count = sum(len(objects) for objects in old.objects.values())
        print("%d objects, %d differences" % (count, comparison.count))
        sys.exit(1 if comparison.count else 0)


if __name__ == "__main__":
    main()
