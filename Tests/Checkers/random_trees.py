"""Random XML documents, from a random generator alone, so that they can be made again.

A document follows a random grammar: each element name has a habit (a value, a wrapper, a record, a
free mix) and each value a kind, and both are broken now and then. `short` gives a document of a few
elements; `long` gives many uniform records, and something else among them late.
"""

ELEMENTS = [
    "a", "b", "c", "d", "item", "items", "id", "Id", "A", "text", "a_id", "parent_id", "t0", "t1",
    "t2", "x:a", "y:a", "z:a", "u:c", "_seed", "sqlite_x", "_id", "order", "é",
]
ATTRIBUTES = [
    "id", "ID", "Id", "k", "n", "K", "x:k", "y:k", "text", "_id", "a_id", "b_id", "parent_id", "a",
    "b", "x:id", "rowid", "_rowid_", "oid", "select", "xml:lang", "u:k",
]
DECLARATIONS = ' xmlns:x="urn:1" xmlns:y="urn:2" xmlns:z="urn:1"'

HABITS = ["value", "value", "wrapper", "record", "record", "free"]


def year(rng):
    return rng.randint(1900, 2100)


FORMS = {
    "serial": None,
    "small": lambda rng: str(rng.randint(0, 4)),
    "integer": lambda rng: str(rng.randint(-1000, 1000)),
    "huge": lambda rng: str(rng.choice([2**63 - 1, -(2**63), 2**63, 10**15, 10**17 + 1])),
    "zeros": lambda rng: "%03d" % rng.randint(0, 200),
    "money": lambda rng: "%d.%02d" % (rng.randint(0, 99), rng.randint(0, 99)),
    "real": lambda rng: repr(rng.randint(0, 999) / 8),
    "odd real": lambda rng: rng.choice([".5", "5E0", "-0", "1e400", "0.1000", "-.25", "1.", "+1"]),
    "iso": lambda rng: "%04d-%02d-%02d" % (year(rng), rng.randint(1, 12), rng.randint(1, 28)),
    "dotted": lambda rng: "%02d.%02d.%d" % (rng.randint(1, 28), rng.randint(1, 12), year(rng)),
    "slashed": lambda rng: "%02d/%02d/%d" % (rng.randint(1, 14), rng.randint(1, 12), year(rng)),
    "no day": lambda rng: rng.choice(["2010-02-30", "31.02.2010", "0000-00-00"]),
    "time": lambda rng: "2010-01-%02dT10:%02d:00Z" % (rng.randint(1, 31), rng.randint(0, 59)),
    "local time": lambda rng: "2010-01-%02dT10:%02d:00" % (rng.randint(1, 31), rng.randint(0, 59)),
    "boolean": lambda rng: rng.choice(["true", "false"]),
    "yes": lambda rng: rng.choice(["YES", "NO"]),
    "no": lambda rng: "NO",
    "empty": lambda rng: "",
    "blank": lambda rng: rng.choice([" ", "\n  ", "\t"]),
    "padded": lambda rng: " %d " % rng.randint(0, 9),
    "word": lambda rng: rng.choice(["x", "word", "two words", "é", "😀", "<&>\"'", "e\u0301"]),
}
FORM_NAMES = list(FORMS)


class Node:
    def __init__(self, name):
        self.name, self.attributes, self.content = name, {}, []


class Grammar:
    """The habits of the names of one document, and the dice that break them."""

    def __init__(self, rng, noise):
        self.rng, self.noise = rng, noise
        self.names = rng.sample(ELEMENTS, rng.randint(2, 6))
        if rng.random() < 0.5:
            self.names[0] = rng.choice(["id", "a", "items"])
        self.habits, self.children, self.attributes, self.repeats = {}, {}, {}, {}
        for name in self.names:
            self.habits[name] = rng.choice(HABITS)
            self.children[name] = rng.sample(self.names, min(len(self.names), rng.randint(1, 4)))
            self.attributes[name] = rng.sample(ATTRIBUTES, rng.choice([0, 0, 1, 2, 3]))
            self.repeats[name] = rng.choice([1, 1, 1, 2, 3])
        self.forms = {}
        self.serial = rng.choice([0, 0, 10**12, -3])

    def is_odd(self):
        return self.rng.random() < self.noise

    def form(self, key):
        if key not in self.forms:
            is_key = str(key[1]).lower() == "id" and self.rng.random() < 0.7
            usual = "serial" if is_key else self.rng.choice(FORM_NAMES)
            other = self.rng.choice([usual, usual, "empty", self.rng.choice(FORM_NAMES)])
            self.forms[key] = [usual, other]
        usual, other = self.forms[key]
        if self.is_odd():
            return self.rng.choice(FORM_NAMES)
        return other if self.rng.random() < 0.1 else usual

    def value(self, *key):
        form = self.form(key)
        if form == "serial":
            self.serial += 1
            return str(self.serial)
        return FORMS[form](self.rng)

    def element(self, name, depth, budget):
        """An element with its content; `budget` is a list with the number of elements left."""
        rng, node = self.rng, Node(name)
        budget[0] -= 1
        habit = rng.choice(["value", "record", "free"]) if self.is_odd() else self.habits[name]
        if habit in ("record", "free") or self.is_odd():
            self.add_attributes(node)
        if habit == "value" or depth <= 0 or budget[0] <= 0:
            node.content = [self.value(name, None)] if rng.random() < 0.9 else []
            return node
        if habit == "wrapper":
            child = rng.choice(self.names) if self.is_odd() else self.children[name][0]
            for _ in range(rng.randint(0, 3)):
                node.content.append(self.element(child, depth - 1, budget))
            return node
        for child in self.children[name]:
            child = rng.choice(self.names) if self.is_odd() else child
            count = rng.randint(0, 3) if self.is_odd() else rng.randint(0, self.repeats[child])
            for _ in range(count):
                if habit == "free" and rng.random() < 0.3:
                    node.content.append(self.value(name, None))
                node.content.append(self.element(child, depth - 1, budget))
        if rng.random() < (0.5 if habit == "free" else self.noise):
            node.content.append(self.value(name, None))
        if rng.random() < 0.1:
            rng.shuffle(node.content)
        return node

    def add_attributes(self, node):
        names = list(self.attributes[node.name])
        if self.is_odd():
            names.append(self.rng.choice(ATTRIBUTES))
        for name in names:
            if self.rng.random() < 0.9 or not self.noise:
                node.attributes[name] = self.value(node.name, name)


def escaped(rng, text, quote):
    result = ""
    for character in text:
        if character in "<&" + quote:
            result += {"<": "&lt;", "&": "&amp;", '"': "&quot;"}[character]
        elif rng.random() < 0.01:
            result += "&#%d;" % ord(character)
        else:
            result += character
    return result


def text_of(rng, text):
    """The text as markup: plain, as CDATA, or cut by a comment."""
    way = rng.random()
    if text and way < 0.05 and "]]>" not in text:
        return "<![CDATA[%s]]>" % text
    if way < 0.1:
        cut = rng.randint(0, len(text))
        between = rng.choice(["<!-- - -->", "<?p i?>"])
        return escaped(rng, text[:cut], "") + between + escaped(rng, text[cut:], "")
    return escaped(rng, text, "").replace(">", "&gt;")


def write(rng, node, out, is_pretty, depth=0, extra=""):
    """Appends the markup of an element to `out`."""
    out.append("<" + node.name + extra)
    for name, value in node.attributes.items():
        out.append(' %s="%s"' % (name, escaped(rng, value, '"')))
    if not node.content and rng.random() < 0.7:
        out.append("/>")
        return
    out.append(">")
    for part in node.content:
        if is_pretty and not isinstance(part, str):
            out.append("\n" + " " * depth)
        if isinstance(part, str):
            out.append(text_of(rng, part))
        else:
            write(rng, part, out, is_pretty, depth + 1)
    if is_pretty and node.content and not isinstance(node.content[-1], str):
        out.append("\n")
    out.append("</%s>" % node.name)


def declarations(rng):
    default = ' xmlns="urn:0"' if rng.random() < 0.15 else ""
    return DECLARATIONS + default


def short(rng):
    """A document of up to some dozen elements."""
    grammar = Grammar(rng, rng.choice([0, 0, 0.02, 0.1, 0.3]))
    root = rng.choice(["r"] * 6 + grammar.names)
    top = Node(root)
    if root == "r":
        budget = [rng.choice([5, 15, 40])]
        for _ in range(rng.randint(0, 12)):
            name = rng.choice(grammar.names) if rng.random() < 0.3 else grammar.names[0]
            top.content.append(grammar.element(name, rng.randint(1, 4), budget))
        if rng.random() < 0.05:
            top.attributes["k"] = grammar.value("r", "k")
        if rng.random() < 0.05:
            top.content.insert(rng.randint(0, len(top.content)), grammar.value("r", None))
    else:
        top = grammar.element(root, 5, [40])
    out = []
    write(rng, top, out, rng.random() < 0.5, extra=declarations(rng))
    return "".join(out) + "\n"


def long(rng, mebibytes):
    """A document of that many MiB, uniform but for a few records late in it."""
    grammar = Grammar(rng, 0)
    size = int(mebibytes * (1 << 20))
    places = sorted(rng.choice([0.3, 0.5, 0.9, 0.99, 1.0]) * size for _ in range(rng.randint(1, 3)))
    out, written = ["<r%s>\n" % declarations(rng)], 0
    main = [name for name in grammar.names if grammar.habits[name] != "value"] or grammar.names
    is_pretty = rng.random() < 0.5

    def add(name, noise):
        grammar.noise = noise
        piece = []
        write(rng, grammar.element(name, 4, [20]), piece, is_pretty)
        out.append("".join(piece) + "\n")
        return len(out[-1])

    while written < size or places:
        written += add(main[0] if rng.random() < 0.8 else rng.choice(main), 0)
        while places and written >= places[0]:
            places.pop(0)
            for _ in range(rng.randint(1, 2)):
                written += add(rng.choice(grammar.names), rng.choice([0, 0.1, 0.3]))
    return "".join(out) + "</r>\n"
