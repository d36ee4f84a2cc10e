"""Random documents of objects: JSON, NDJSON and property lists, from a random generator alone.

Each member's name has a habit (a value, an object, an array, a keyed collection), and each value a
form; both are broken now and then. Numbers are literals, so that all ways to write one come.
"""

import datetime
import json
import plistlib

import random_trees

NAMES = [
    "a", "b", "c", "id", "ID", "key", "text", "item", "items", "record", "a_id", "parent_id", "_id",
    "_key", "", "é", "日本", "name", "name of member", "name of members", "select", "_seed", "x:y",
    'q"\\',
]
KEYS = ["de", "fr", "it", "en", "a", "b", "c", "id", "key", "record", "", "é", "de-AT", "2020", "x/y"]
HABITS = [
    "value", "value", "value", "object", "object", "array", "objects", "arrays", "collection", "null",
]
NUMBERS = {
    "integer": lambda rng: str(rng.randint(-1000, 1000)),
    "huge": lambda rng: str(rng.choice([2**63 - 1, -(2**63), 2**63, 10**30, 10**15])),
    "fraction": lambda rng: "%d.%d" % (rng.randint(0, 99), rng.randint(0, 999)),
    "whole": lambda rng: "%d.0" % rng.randint(-9, 99),
    "money": lambda rng: "%d.%02d" % (rng.randint(0, 99), rng.randint(0, 99)),
    "exponent": lambda rng: rng.choice(["1e3", "1E-7", "2.50e+1", "0e5", "1.5e300", "12e17", "1e20"]),
    "odd": lambda rng: rng.choice(
        ["-0", "-0.0", "0.000001", "1.23456789012345678", "0.1000", "100e-2", "1e-300", "1.0e16"]
    ),
}


class Literal(str):
    """A number as it is written."""


class Grammar:
    def __init__(self, rng, noise, is_list):
        self.rng, self.noise, self.is_list = rng, noise, is_list
        self.names = rng.sample(NAMES, rng.randint(2, 7))
        self.habits = {name: rng.choice(HABITS) for name in self.names}
        self.members = {
            name: rng.sample(self.names, rng.randint(1, min(4, len(self.names))))
            for name in [*self.names, None]
        }
        self.forms = {}
        self.serial = rng.choice([0, 10**12, -3])

    def is_odd(self):
        return self.rng.random() < self.noise

    def form(self, name):
        forms = ["number " + form for form in NUMBERS] + ["text " + form for form in FORM_NAMES]
        forms += ["boolean", "serial"]
        if self.is_list:
            forms += ["data", "data", "date", "date"]
        if name not in self.forms:
            self.forms[name] = self.rng.choice(forms)
        return self.rng.choice(forms) if self.is_odd() else self.forms[name]

    def value(self, name):
        rng, form = self.rng, self.form(name)
        if form == "boolean":
            return rng.random() < 0.5
        if form == "serial":
            self.serial += 1
            return Literal(self.serial)
        if form == "data":
            return bytes(rng.randrange(256) for _ in range(rng.randint(0, 9)))
        if form == "date":
            second = datetime.timedelta(seconds=rng.randint(-(10**9), 10**9))
            return datetime.datetime(2001, 1, 1) + second
        kind, form = form.split(" ", 1)
        if kind == "number":
            return Literal(NUMBERS[form](rng))
        return random_trees.FORMS[form](rng)

    def object(self, name, depth, budget):
        rng, result = self.rng, {}
        names = list(self.members.get(name, self.names[:2]))
        if self.is_odd():
            names.append(rng.choice(NAMES))
        if rng.random() < 0.1:
            rng.shuffle(names)
        for member in names:
            if rng.random() < 0.9:
                result[member] = self.member(member, depth - 1, budget)
        return result

    def member(self, name, depth, budget):
        rng = self.rng
        budget[0] -= 1
        habit = rng.choice(HABITS) if self.is_odd() else self.habits.get(name, "value")
        if habit == "null":
            habit = rng.choice(["value", "none", "none"])
        if habit != "none" and rng.random() < 0.05:
            habit = "none"
        if habit == "none":
            return "" if self.is_list else None
        if habit == "value" or depth <= 0 or budget[0] <= 0:
            return self.value(name)
        if habit == "object":
            return self.object(name, depth, budget)
        if habit == "array":
            return [self.value(name) for _ in range(rng.randint(0, 3))]
        if habit == "objects":
            return [self.object(name, depth, budget) for _ in range(rng.randint(0, 3))]
        if habit == "arrays":
            return [
                [self.member(name, depth - 1, budget) for _ in range(rng.randint(0, 2))]
                for _ in range(rng.randint(0, 2))
            ]
        return self.collection(name, depth, budget)

    def collection(self, name, depth, budget):
        rng = self.rng
        keys = rng.sample(KEYS, rng.randint(0, 6))
        shape = self.members.get(name, self.names)[:1] + ["n"]
        result = {}
        for key in keys:
            row = {member: self.value(member) for member in shape}
            if rng.random() < 0.2:
                row[rng.choice(NAMES)] = self.member(rng.choice(self.names), depth - 1, budget)
            result[key] = row
        if keys and self.is_odd():
            result[rng.choice(KEYS)] = self.value(name)
        return result


FORM_NAMES = [form for form in random_trees.FORM_NAMES if form != "serial"]


def document(rng, is_list, is_lines):
    """A random value: an array or an object."""
    grammar = Grammar(rng, rng.choice([0, 0, 0.02, 0.1, 0.3]), is_list)
    budget = [rng.choice([5, 40, 120])]
    kind = "array" if is_lines else rng.choice(["array", "array", "object", "object", "collection"])
    if kind == "object":
        return grammar.object(None, 5, budget)
    if kind == "collection":
        return grammar.collection(rng.choice(grammar.names), 4, budget)
    items = [grammar.object(None, 4, budget) for _ in range(rng.randint(1, 6))]
    if grammar.is_odd():
        items.append(grammar.member(rng.choice(grammar.names), 2, budget))
    return items


def written(rng, value, blanks):
    """A value as JSON, in one of the many ways to write it."""

    def blank():
        return rng.choice(blanks) if rng.random() < 0.2 else ""

    def text(value):
        result = json.dumps(value, ensure_ascii=rng.random() < 0.3)
        if result[1:-1].isalnum() and result.isascii() and rng.random() < 0.05:
            result = '"\\u%04x%s' % (ord(result[1]), result[2:])
        return result

    def write(value):
        if isinstance(value, dict):
            members = [
                blank() + text(name) + blank() + ":" + blank() + write(member) + blank()
                for name, member in value.items()
            ]
            return "{" + ",".join(members) + blank() + "}"
        if isinstance(value, list):
            return "[" + ",".join(blank() + write(item) + blank() for item in value) + blank() + "]"
        if isinstance(value, Literal):
            return str(value)
        if isinstance(value, str):
            return text(value)
        return json.dumps(value)

    return write(value)


def plain(value):
    """A value as plistlib takes it."""
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Literal):
        number = float(value) if any(mark in value for mark in ".eE") else int(value)
        return number if isinstance(number, float) or -(2**63) <= number < 2**64 else float(value)
    return value


def data(rng, kind):
    """The bytes of a random document: `json`, `ndjson`, `plist` or `bplist`."""
    value = document(rng, kind.endswith("plist"), kind == "ndjson")
    if kind.endswith("plist"):
        form = plistlib.FMT_BINARY if kind == "bplist" else plistlib.FMT_XML
        return plistlib.dumps(plain(value), fmt=form, sort_keys=False)
    if kind == "ndjson":
        end = rng.choice(["\n", "\r\n", "\n\n", "\n \n"])
        lines = [written(rng, item, [" ", "\t", "\r"]) + end for item in value]
        return "".join(lines).encode()
    return (written(rng, value, [" ", "\n", "\t", "\r\n  "]) + rng.choice(["", "\n"])).encode()
