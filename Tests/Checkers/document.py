"""An XML document as a tree with line numbers, read with nothing but the standard library's expat.

External entities and DTDs are not read; a reference to an entity that is not declared inside the
document is an error, because its text would be lost.
"""

import gzip
import xml.parsers.expat

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
BLANK = " \t\r\n"


class Name(tuple):
    """A name with its namespace: (uri, local). Two prefixes of one namespace are one name."""

    @property
    def local(self):
        return self[1]


class Attribute:
    def __init__(self, name, written, value):
        self.name, self.written, self.value = name, written, value


class Element:
    """An element; `content` holds text runs (str) and elements in the order of the document.

    With `has_ordered_fields` it holds the attributes too. An attribute without a value only makes
    the column; an item is one of an array, however many there are; a ghost is no row.
    """

    has_ordered_fields = is_item = is_ghost = False

    def __init__(self, name, written, line, attributes, parent):
        self.name, self.written, self.line = name, written, line
        self.attributes, self.parent = attributes, parent
        self.content = []

    @property
    def children(self):
        return [item for item in self.content if isinstance(item, Element)]

    @property
    def text(self):
        """All direct text, exactly."""
        return "".join(item for item in self.content if isinstance(item, str))

    @property
    def runs(self):
        """The direct text runs that are not blank, exactly."""
        return [item for item in self.content if isinstance(item, str) and item.strip(BLANK)]

    def ancestors(self):
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def descend(self):
        """This element and all below it in the order of their start tags."""
        pending = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.children))


class Reader:
    def __init__(self):
        self.parser = xml.parsers.expat.ParserCreate()
        self.parser.ordered_attributes = True
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.SkippedEntityHandler = self.skipped
        self.root = None
        self.open = []
        self.namespaces = [{"xml": XML_NAMESPACE}]

    def name(self, written, is_attribute):
        prefix, separator, local = written.rpartition(":")
        if not separator and is_attribute:
            return Name(("", local))
        return Name((self.namespaces[-1].get(prefix, prefix), local))

    def start(self, written, flat):
        pairs = list(zip(flat[::2], flat[1::2]))
        scope = self.namespaces[-1]
        declared = {
            name.partition(":")[2]: value
            for name, value in pairs
            if name == "xmlns" or name.startswith("xmlns:")
        }
        self.namespaces.append({**scope, **declared} if declared else scope)
        attributes = [
            Attribute(self.name(name, True), name, value)
            for name, value in pairs
            if name != "xmlns" and not name.startswith("xmlns:")
        ]
        parent = self.open[-1] if self.open else None
        element = Element(
            self.name(written, False), written, self.parser.CurrentLineNumber, attributes, parent
        )
        if parent is None:
            self.root = element
        else:
            parent.content.append(element)
        self.open.append(element)

    def end(self, _):
        self.open.pop()
        self.namespaces.pop()

    def characters(self, text):
        content = self.open[-1].content
        if content and isinstance(content[-1], str):
            content[-1] += text
        else:
            content.append(text)

    def skipped(self, name, _):
        raise ValueError("line %d: &%s; is not declared" % (self.parser.CurrentLineNumber, name))


def read(path):
    """The root element of the document at `path` (gzip if it ends in `.gz`)."""
    reader = Reader()
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rb") as file:
        reader.parser.ParseFile(file)
    return reader.root
