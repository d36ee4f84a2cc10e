"""JSON, NDJSON and property lists as the tree of elements that they mean, by the rules of the README.

Read with the standard library's json and plistlib. An object is an element with its values as
attributes, in the order of the document; arrays are repeated children; an empty array leaves a ghost,
an element that is no row; a keyed collection is an array of its members.
"""

import base64
import datetime
import decimal
import json
import math
import pathlib
import plistlib

from conversion import Data, Number
from document import Attribute, Element, Name

MADE_UP = "made up"


def number(literal):
    """The one form of a decimal number that all ways to write it share."""
    value = decimal.Decimal(literal)
    _, digits, exponent = value.as_tuple()
    digits = "".join(map(str, digits)).lstrip("0")
    shorter = digits.rstrip("0")
    exponent += len(digits) - len(shorter)
    point = len(shorter) + exponent
    if not shorter:
        text = "0"
    elif len(shorter) > 17 or not -300 <= point - 1 <= 308:
        text = literal
    else:
        sign = "-" if value < 0 else ""
        if exponent >= 0 and point <= 18:
            text = sign + shorter + "0" * exponent
        elif exponent < 0 < point:
            text = sign + shorter[:point] + "." + shorter[point:]
        elif exponent < 0 and -point < 6:
            text = sign + "0." + "0" * -point + shorter
        else:
            fraction = "." + shorter[1:] if len(shorter) > 1 else ""
            text = "%s%s%se%d" % (sign, shorter[0], fraction, point - 1)
    result = Number(text)
    result.is_real = True
    return result


def json_value(text):
    def pairs(members):
        result = dict(members)
        if len(result) != len(members):
            raise ValueError("a member comes twice")
        return result

    def plain(value):
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, dict):
            return {name: plain(member) for name, member in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return value

    return plain(
        json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=lambda literal: Number("0" if literal == "-0" else literal),
            parse_float=number,
        )
    )


def plist_value(value):
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return Number(value)
    if isinstance(value, float):
        return number(repr(value)) if math.isfinite(value) else repr(value)
    if isinstance(value, (bytes, bytearray)):
        return Data(base64.b64encode(value).decode())
    if isinstance(value, datetime.datetime):
        return value.isoformat() + "Z"
    if isinstance(value, plistlib.UID):
        return Number(value.data)
    if isinstance(value, dict):
        return {name: plist_value(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plist_value(item) for item in value]
    return value


def load(path):
    """The value of the document, with every scalar as text."""
    data = pathlib.Path(path).read_bytes()
    if str(path).endswith(".plist"):
        return plist_value(plistlib.loads(data))
    text = data.decode("utf-8-sig")
    if str(path).endswith(".ndjson"):
        return [json_value(line) for line in text.split("\n") if line.strip(" \t\r")]
    return json_value(text)


def step(place, name, kind):
    """The place of a child: an ancestor of its name, if there is one."""
    for index, (known, _) in enumerate(place):
        if known == name:
            return place[: index + 1]
    return place + ((name, kind),)


class Tree:
    """The elements of a document whose collections are known."""

    def __init__(self, record, collections, nulls):
        self.record, self.collections, self.nulls = record, collections, nulls
        # Of each place or member: the objects there, and the first value that is not null.
        self.objects, self.first = {}, {}
        # The objects that are collections.
        self.collected = set()

    def is_collection(self, position, value):
        self.objects.setdefault(position, []).append(value)
        if position in self.collections:
            self.collected.add(id(value))
        return position in self.collections

    def rows_of(self, position):
        """The objects at a position, without the rows that are collections themselves."""
        return [
            {
                name: member
                for name, member in value.items()
                if not isinstance(member, dict) or id(member) not in self.collected
            }
            for value in self.objects.get(position, [])
        ]

    def note(self, position, value):
        if value is not None:
            self.first.setdefault(position, value)

    def defines_null(self, position):
        return not isinstance(self.nulls.get(position), (dict, list))

    def element(self, name, parent):
        element = Element(name, name.local, None, [], parent)
        element.has_ordered_fields = True
        if parent is not None:
            parent.content.append(element)
        return element

    def field(self, element, name, value):
        attribute = Attribute(name, name.local, value)
        element.attributes.append(attribute)
        element.content.append(attribute)

    def document(self, value):
        root = self.element(Name((MADE_UP, self.record)), None)
        if isinstance(value, list):
            self.items(value, root, step((), self.record, "items"), self.record)
        else:
            self.item(value, root, ())
        return root

    def item(self, value, element, place):
        """Fills an element that is an object by itself, not as the value of a member."""
        if self.is_collection(place, value):
            name = "item" if place else self.record
            self.rows(value, element, step(place, name, "item rows"), name)
        else:
            self.members(value, element, place)

    def members(self, value, element, place):
        for name, member in value.items():
            position = (place, name)
            self.note(position, member)
            if isinstance(member, dict):
                if self.is_collection(position, member):
                    self.rows(member, element, step(place, name, "rows"), name)
                else:
                    child = self.element(Name(("", name)), element)
                    self.members(member, child, step(place, name, "plain"))
            elif isinstance(member, list):
                self.items(member, element, step(place, name, "plain"), name)
            elif member is not None or self.defines_null(position):
                self.field(element, Name(("", name)), member)

    def ghost(self, name, element):
        ghost = self.element(Name(("", name)), element)
        ghost.is_item = ghost.is_ghost = True

    def rows(self, value, element, place, name):
        self.ghost(name, element)
        for key, row in value.items():
            if not isinstance(row, dict):
                continue  # what makes it no collection after all
            child = self.element(Name(("", name)), element)
            child.is_item = True
            self.field(child, Name((MADE_UP, "key")), key)
            self.item(row, child, place)

    def items(self, value, element, place, name):
        self.ghost(name, element)
        position = (place, None)
        for item in value:
            self.note(position, item)
            child = self.element(Name(("", name)), element)
            child.is_item = True
            if isinstance(item, dict):
                self.item(item, child, place)
            elif isinstance(item, list):
                self.items(item, child, step(place, "item", "items"), "item")
            elif item is not None or self.defines_null(position):
                self.field(child, Name(("", "text")), item)


def share_names(objects):
    """Whether the members of all these objects are objects that share half of their names."""
    members = [member for value in objects for member in value.values()]
    if not all(isinstance(member, dict) for member in members):
        return False
    if not members:
        return True
    common = set.intersection(*map(set, members))
    return bool(common) and 2 * len(common) >= max(map(len, members))


def is_keyed(objects):
    """Whether the objects of one place or member are keyed collections."""
    return any(len(value) >= 3 for value in objects) and share_names(objects)


def read(path):
    """The root element of the document at `path`; its name is that of the file."""
    value, record = load(path), pathlib.Path(path).stem
    collections, rejected = set(), set()
    while True:
        tree = Tree(record, collections, {})
        tree.document(value)
        known = collections | rejected
        found = {
            position
            for position, objects in tree.objects.items()
            if position not in known and is_keyed(objects)
        }
        # Where a collection was found the places below are others, and may contradict others.
        wrong = {position for position in collections if not share_names(tree.rows_of(position))}
        if not found and not wrong:
            return Tree(record, collections, tree.first).document(value)
        collections = (collections | found) - wrong
        rejected |= wrong
