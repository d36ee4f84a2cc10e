#!/usr/bin/env python3
"""Breaks Core Data models in every way and checks how the built tool refuses them.

    coredata_broken.py SEED CONTENTS...

Each file `contents` is cut at every 50th byte, and changed so that it contradicts itself: an inverse or
a destination that is not there, parents in a circle, names that are there twice, unknown types, options
and elements, hostile XML. Each build must exit 65 with an error at a line of the file, without a crash,
with nothing on standard output, with the previous output untouched and no other file left. Prints each
failure and the count; exit 1 if there is a failure.
"""

import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

STEP = 50
ERROR = re.compile(rb"contents:([0-9]+):[0-9]+: error: \S")
SECONDS = 30


def document(root):
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def changed(data, change):
    """A model with one thing changed; nothing where there is no such thing."""
    root = ElementTree.fromstring(data)
    return document(root) if change(root) is not False else None


def first(root, path):
    return next(iter(root.iterfind(path)), None)


def set_first(path, name, value):
    def change(root):
        element = first(root, path)
        if element is None:
            return False
        element.set(name, value)

    return change


def unknown_inverse(root):
    element = next((r for r in root.iter("relationship") if r.get("inverseName")), None)
    if element is None:
        return False
    element.set("inverseName", "nowhere")


def missing_inverse(root):
    """Takes away the relationship that another one names as its inverse."""
    for entity in root.iter("entity"):
        for item in entity.findall("relationship"):
            if item.get("inverseName") and item.get("inverseName") != item.get("name"):
                for other in root.iter("entity"):
                    for back in other.findall("relationship"):
                        if back.get("inverseName") == item.get("name") and back is not item:
                            other.remove(back)
                            return None
    return False


def circle(root):
    entities = root.findall("entity")
    if len(entities) < 2:
        return False
    entities[0].set("parentEntity", entities[1].get("name"))
    entities[1].set("parentEntity", entities[0].get("name"))


def own_parent(root):
    entity = first(root, "entity")
    entity.set("parentEntity", entity.get("name"))


def entity_twice(root):
    root.append(ElementTree.fromstring(ElementTree.tostring(first(root, "entity"))))


def property_twice(root):
    entity = next((e for e in root.iter("entity") if e.find("attribute") is not None), None)
    if entity is None:
        return False
    entity.append(ElementTree.fromstring(ElementTree.tostring(entity.find("attribute"))))


def unknown_element(root):
    ElementTree.SubElement(first(root, "entity"), "atribute", {"name": "x"})


def without_entities(root):
    for entity in root.findall("entity"):
        root.remove(entity)


CHANGES = {
    "unknown inverse": unknown_inverse,
    "missing inverse": missing_inverse,
    "unknown destination": set_first(".//relationship", "destinationEntity", "Nowhere"),
    "parents in a circle": circle,
    "an entity that is its own parent": own_parent,
    "unknown parent": set_first("entity", "parentEntity", "Nowhere"),
    "an entity twice": entity_twice,
    "a property twice": property_twice,
    "unknown type": set_first(".//attribute", "attributeType", "Number"),
    "no type": set_first(".//attribute", "attributeType", ""),
    "unknown option": set_first(".//attribute", "optionl", "YES"),
    "an option that is neither": set_first(".//attribute", "optional", "maybe"),
    "a name with a blank": set_first(".//attribute", "name", "a b"),
    "no name": set_first("entity", "name", ""),
    "a reserved name": set_first(".//attribute", "name", "description"),
    "a count that is no number": set_first(".//relationship", "maxCount", "many"),
    "unknown element": unknown_element,
    "no entities": without_entities,
}


def hostile(data):
    """XML that is made to do harm, out of a sound model."""
    grown = b"".join(
        b'<!ENTITY a%d "%s">' % (i, (b"&a%d;" % (i - 1)) * 10 if i else b"aaaaaaaaaa") for i in range(10))
    start = data.index(b"<model")
    declaration, body = data[:start], data[start:]
    inside = body.index(b">") + 1
    yield "entities that grow", declaration + b"<!DOCTYPE model [" + grown + b"]>" + body[:inside] + b"&a9;" + body[inside:]
    yield "another file", (
        declaration + b'<!DOCTYPE model [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + body[:inside] + b"&x;" + body[inside:])
    yield "a NUL", body[:inside] + b"\0" + body[inside:]
    yield "no UTF-8", body[:inside] + b"\xff\xfe" + body[inside:]
    yield "elements without an end", body[:inside] + b"<entity name='A'>" * 20000
    yield "another root", b"<plist version='1.0'><dict/></plist>"
    yield "text between elements", body[:inside] + b"text" + body[inside:]


def cases(path):
    with open(path, "rb") as file:
        data = file.read()
    end = len(data.rstrip()) - 1
    for count in range(STEP, end, STEP):
        yield "cut after %d bytes" % count, data[:count]
    for name, change in CHANGES.items():
        broken = changed(data, change)
        if broken is not None:
            yield name, broken
    yield from hostile(data)


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Check:
    def __init__(self, seed, scratch):
        self.seed = os.path.abspath(seed)
        self.scratch = scratch
        sound = os.path.join(scratch, "sound")
        os.mkdir(sound)
        with open(os.path.join(sound, "contents"), "w", encoding="utf-8") as file:
            file.write('<model type="com.apple.IDECoreDataModeler.DataModel"><entity name="A"/></model>')
        subprocess.run([self.seed, "build", "--schema", "contents", "-o", "out.sqlite"], cwd=sound, check=True)
        with open(os.path.join(sound, "out.sqlite"), "rb") as file:
            self.previous = file.read()

    def faults(self, case):
        """What is wrong with how one broken model is refused."""
        number, (name, data) = case
        folder = os.path.join(self.scratch, str(number))
        os.mkdir(folder)
        for file_name, content in (("contents", data), ("out.sqlite", self.previous)):
            with open(os.path.join(folder, file_name), "wb") as file:
                file.write(content)
        run = subprocess.run(
            [self.seed, "build", "--schema", "contents", "-o", "out.sqlite"], cwd=folder,
            capture_output=True, preexec_fn=limits)
        faults = []
        if run.returncode != 65:
            faults.append("exit %d" % run.returncode)
        if run.stdout:
            faults.append("standard output %r" % run.stdout[:80])
        found = ERROR.search(run.stderr)
        if not found or int(found.group(1)) < 1:
            faults.append("no error at a line: %r" % run.stderr[:160])
        if sorted(os.listdir(folder)) != ["contents", "out.sqlite"]:
            faults.append("files %s" % sorted(os.listdir(folder)))
        with open(os.path.join(folder, "out.sqlite"), "rb") as file:
            if file.read() != self.previous:
                faults.append("the previous output changed")
        return name, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("contents", nargs="+")
    options = parser.parse_args()
    failures = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(options.seed, scratch)
        for number, path in enumerate(options.contents):
            check.scratch = os.path.join(scratch, "model-%d" % number)
            os.mkdir(check.scratch)
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                for name, faults in pool.map(check.faults, enumerate(cases(path))):
                    total += 1
                    if faults:
                        failures += 1
                        print("%s, %s: %s" % (path, name, "; ".join(faults)))
    print("%d broken models, %d of them not refused as they should be" % (total, failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
