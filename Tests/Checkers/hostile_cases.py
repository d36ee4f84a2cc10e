"""The table of hostile and broken inputs: for each a name, how to make it, and what must be said.

`make(path)` writes the input. `says` are regular expressions that the message must match, without
regard to case. `place` is the `line` or `line:column` where the error must be, if only one place is
right; otherwise some place is required. A case with `has_place=False` may name the file alone.
"""

import dataclasses
import struct
import typing
import zlib

MEBI = 1 << 20


@dataclasses.dataclass
class Case:
    name: str
    make: typing.Callable
    says: tuple = ()
    place: str = ""
    has_place: bool = True
    file: str = "input.xml"
    exits: tuple = (65,)


def bytes_of(content):
    data = content.encode() if isinstance(content, str) else content

    def make(path):
        with open(path, "wb") as file:
            file.write(data)

    return make


def repeated(head, piece, count, tail):
    """A file of `head`, `count` times `piece` and `tail`, written in blocks to stay small here."""

    def make(path):
        block = max(1, MEBI // len(piece))
        with open(path, "wb") as file:
            file.write(head)
            for start in range(0, count, block):
                file.write(piece * min(block, count - start))
            file.write(tail)

    return make


def numbered(head, piece, count, tail):
    def make(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(head)
            for number in range(count):
                file.write(piece % number)
            file.write(tail)

    return make


def sparse(size):
    def make(path):
        with open(path, "wb") as file:
            file.truncate(size)

    return make


def gzip_bomb(head, tail, size):
    """One gzip member of `head`, `size` spaces and `tail`; only a part is ever compressed here."""

    def make(path):
        block_size = 64 * MEBI

        def deflated(pieces, flush):
            deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
            return b"".join([deflater.compress(piece) for piece in pieces] + [deflater.flush(flush)])

        spaces = b" " * MEBI
        block = deflated([spaces] * (block_size // MEBI), zlib.Z_FULL_FLUSH)
        checksum = zlib.crc32(head)
        for _ in range(size // MEBI):
            checksum = zlib.crc32(spaces, checksum)
        checksum = zlib.crc32(tail, checksum)
        length = (len(head) + size + len(tail)) & 0xFFFFFFFF
        with open(path, "wb") as file:
            file.write(b"\x1f\x8b\x08\0\0\0\0\0\0\xff")
            file.write(deflated([head], zlib.Z_FULL_FLUSH))
            file.write(block * (size // block_size))
            file.write(deflated([tail], zlib.Z_FINISH))
            file.write(struct.pack("<II", checksum, length))

    return make


def gzip_of(content, keep=1.0, damage=None):
    def make(path):
        deflater = zlib.compressobj(9, zlib.DEFLATED, 31)
        data = bytearray(deflater.compress(content.encode()) + deflater.flush())
        if damage is not None:
            data[damage] ^= 0xFF
        with open(path, "wb") as file:
            file.write(data[: int(len(data) * keep)])

    return make


def laughs(levels, use):
    """Entities that each hold ten of the one before: 10 to the power of `levels`."""
    lines = ['<!DOCTYPE r [', '<!ENTITY e0 "ha">']
    for level in range(1, levels + 1):
        lines.append('<!ENTITY e%d "%s">' % (level, "&e%d;" % (level - 1) * 10))
    return "\n".join(lines + ["]>", use.replace("{}", "&e%d;" % levels)])


def parameter_laughs(levels):
    lines = ["<!DOCTYPE r [", "<!ENTITY % p0 \"<!ENTITY x 'y'>\">"]
    for level in range(1, levels + 1):
        body = ("&#37;p%d;" % (level - 1)) * 10
        lines.append('<!ENTITY %% p%d "%s">' % (level, body))
    return "\n".join(lines + ["%%p%d;" % levels, "]>", '<r><a b="1"/><a b="2"/></r>'])


ROWS = "".join('<row n="%d" text="value %d"/>\n' % (n, n * 7919) for n in range(4000))

CASES = [
    Case("mismatched tags", bytes_of("<r>\n<a>1</a>\n<b>2</c>\n</r>\n"), ("b", "c"), "3"),
    Case("an end tag too much", bytes_of("<r>\n<a/>\n</r>\n</r>\n"), (), "4"),
    Case("a duplicate attribute", bytes_of('<r>\n<a x="1" y="2" x="3"/>\n</r>'), ("x",), "2"),
    Case("an attribute without quotes", bytes_of("<r>\n<a x=1/>\n</r>"), (), "2"),
    Case("a raw < in an attribute", bytes_of('<r>\n<a x="1<2"/>\n</r>'), (), "2"),
    Case("an undeclared prefix", bytes_of('<r>\n<p:a x="1"/>\n</r>'), ("p",), "2", exits=(0, 65)),
    Case("a bare ampersand", bytes_of("<r>\n<a>fish & chips</a>\n</r>"), (), "2"),
    Case("a control character", bytes_of("<r>\n<a>\x01</a>\n</r>"), (), "2"),
    Case("a control character as reference", bytes_of("<r>\n<a>&#1;</a>\n</r>"), (), "2"),
    Case("text after the root", bytes_of("<r><a x='1'/></r>\nmore\n"), (), "2"),
    Case("text before the root", bytes_of("more\n<r/>\n"), (), "1"),
    Case("two roots", bytes_of("<r><a x='1'/></r>\n<r><a x='2'/></r>\n"), (), "2"),
    Case("a late XML declaration", bytes_of("<r>\n<?xml version='1.0'?></r>"), (), "2"),
    Case("an unclosed comment", bytes_of("<r>\n<!-- ...\n</r>\n"), ("comment",)),
    Case("an unclosed CDATA section", bytes_of("<r>\n<a><![CDATA[ ...</a>\n</r>\n"), ("cdata",)),

    Case("an empty file", bytes_of(""), ("empty",), has_place=False),
    Case("a file of blanks", bytes_of(" \n\t\r\n" * 100), ("empty|no .*element|blank",)),
    Case("a byte order mark only", bytes_of(b"\xef\xbb\xbf"), (), has_place=False),
    Case("a byte order mark of UTF-16 only", bytes_of(b"\xff\xfe"), (), has_place=False),
    Case("a declaration only", bytes_of("<?xml version='1.0'?>\n"), ()),
    Case("JSON given as XML", bytes_of('{"notes": [{"id": 1}], "ok": true}\n'), (), "1:1"),
    Case("CSV given as XML", bytes_of("id,name\n1,a\n"), (), "1:1"),
    Case("a database given as XML", bytes_of(b"SQLite format 3\0" + b"\0" * 4080), (), "1:1"),
    Case("10 GB of zeros", sparse(10 << 30), (), "1:1"),

    Case("a NUL in a text", bytes_of("<r>\n<a>x\0y</a>\n</r>"), ("nul|null|u\\+0000|zero",), "2:5"),
    Case("a NUL in an attribute", bytes_of('<r>\n<a x="1\0"/>\n</r>'), ("nul|null|u\\+0000|zero",),
         "2:8"),
    Case("a NUL after the root", bytes_of("<r><a x='1'/></r>\n\0"), ("nul|null|u\\+0000|zero",),
         "2:1"),
    Case("a NUL and more after the root", bytes_of("<r><a x='1'/></r>\n\0<r/>\n"), (), "2:1"),
    Case("a NUL in a comment after the root", bytes_of("<r a='1'/>\n<!-- \0 -->\n"), (), "2"),
    Case("an invalid byte in a text", bytes_of(b"<r>\n<a>caf\xe9</a>\n</r>"), ("utf-8|encod",), "2"),
    Case("an invalid byte in an attribute", bytes_of(b'<r>\n<a x="\xff"/>\n</r>'),
         ("utf-8|encod",), "2"),
    Case("an overlong form", bytes_of(b"<r>\n<a>\xc0\xaf</a>\n</r>"), ("utf-8|encod",), "2"),
    Case("a surrogate in UTF-8", bytes_of(b"<r>\n<a>\xed\xa0\x80</a>\n</r>"),
         ("utf-8|encod|char",), "2"),
    Case("a cut sequence before a tag", bytes_of(b"<r>\n<a>\xe6\x97</a>\n</r>"),
         ("utf-8|encod",), "2"),
    Case("an unknown encoding", bytes_of('<?xml version="1.0" encoding="klingon"?>\n<r a="1"/>'),
         ("klingon",), "1"),
    Case("UTF-16 declared, UTF-8 written",
         bytes_of('<?xml version="1.0" encoding="UTF-16"?>\n<r a="1"/>'), ("utf-16|encod",)),
    Case("ASCII declared, UTF-8 written",
         bytes_of('<?xml version="1.0" encoding="US-ASCII"?>\n<r a="é"/>'), (), "2"),
    Case("UTF-16 cut inside a character",
         bytes_of('<?xml version="1.0"?><r a="1"/>'.encode("utf-16") + b"\n"), ()),

    Case("an undeclared entity", bytes_of("<r>\n<a>&nope;</a>\n</r>"), ("nope",), "2"),
    Case("an undeclared entity in an attribute", bytes_of('<r>\n<a x="&nope;"/>\n</r>'),
         ("nope",), "2"),
    Case("an undeclared entity with a DTD that is not loaded",
         bytes_of('<!DOCTYPE r SYSTEM "r.dtd">\n<r>\n<a>&nope;</a>\n</r>'), ("nope",), "3"),
    Case("an undeclared entity in an attribute with a DTD that is not loaded",
         bytes_of('<!DOCTYPE r SYSTEM "r.dtd">\n<r>\n<a x="&nope;"/>\n</r>'), ("nope",), "3"),
    Case("an entity of itself",
         bytes_of('<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;">]>\n<r>\n<x>&a;</x></r>'), ()),
    Case("an entity with half an element",
         bytes_of('<!DOCTYPE r [<!ENTITY a "<x>">]>\n<r>\n&a;</x></r>'), ()),
    Case("a billion laughs in a text", bytes_of(laughs(9, "<r><a>{}</a></r>")), ("entit|expan",)),
    Case("a billion laughs in an attribute", bytes_of(laughs(9, '<r><a x="{}"/></r>')),
         ("entit|expan",)),
    Case("a billion laughs in a default", bytes_of(
        laughs(9, "<r/>").replace("]>", '<!ATTLIST r x CDATA "&e9;">\n]>')), ("entit|expan",)),
    Case("a billion laughs of parameters", bytes_of(parameter_laughs(9)), ("entit|expan",)),
    Case("a quadratic blow-up in a text",
         repeated(b'<!DOCTYPE r [<!ENTITY a "' + b"x" * 100_000 + b'">]>\n<r><t>', b"&a;", 50_000,
                  b"</t></r>"), ("entit|expan|large|long|limit|MiB",)),
    Case("a quadratic blow-up over records",
         repeated(b'<!DOCTYPE r [<!ENTITY a "' + b"x" * 100_000 + b'">]>\n<r>', b"<t>&a;</t>",
                  50_000, b"</r>"), ("entit|expan",)),
    Case("a quadratic blow-up over attributes",
         repeated(b'<!DOCTYPE r [<!ENTITY a "' + b"x" * 100_000 + b'">]>\n<r>', b'<t x="&a;"/>',
                  50_000, b"</r>"), ("entit|expan",)),

    Case("a depth of 100,000", repeated(b"", b"<a>", 100_000, b"</a>" * 100_000),
         ("dep|deep|nest",), "1"),
    Case("a depth of 100,000 different names",
         numbered("<r>", "<a%d>", 100_000, ""), ("dep|deep|nest",), "1"),
    Case("an attribute of 50 MB", repeated(b'<r>\n<a x="', b"0123456789", 5_000_000, b'"/></r>'),
         ("long|large|limit|more than|MiB",), "2"),
    # What is too long began in a line that is long gone: there is no column.
    Case("a text of 50 MB", repeated(b"<r>\n<a>", b"0123456789", 5_000_000, b"</a></r>"),
         ("long|large|limit|more than|MiB",), "2", has_place=False),
    Case("a CDATA section of 50 MB",
         repeated(b"<r>\n<a><![CDATA[", b"0123456789", 5_000_000, b"]]></a></r>"),
         ("long|large|limit|more than|MiB",), "2", has_place=False),
    Case("a row of 50 MB in many small pieces",
         repeated(b"<r>\n<a k='1'>", b"0123456789<!-- -->", 5_000_000, b"</a></r>"),
         ("long|large|limit|more than|MiB",), "2", has_place=False),
    Case("a name of 50 MB", repeated(b"<r>\n<", b"abcdefghij", 5_000_000, b"/></r>"),
         ("long|large|limit|more than|name|MiB",)),
    Case("100,000 attributes on one tag",
         numbered("<r>\n<a", ' a%d="1"', 100_000, "/></r>"), ("attribute",), "2"),
    Case("3,000 columns", numbered("<r>\n", '<a a%d="1"/>\n', 3_000, "</r>"), ("column",),
         has_place=False),
    Case("reserved names", bytes_of('<r><_seed x="1"/><sqlite_stat1 x="1"/></r>'), (),
         has_place=False, exits=(0, 65)),

    Case("gzip cut in half", gzip_of("<r>\n" + ROWS + "</r>\n", keep=0.5), (), file="input.xml.gz",
         has_place=False),
    Case("gzip without its last byte", gzip_of("<r>\n" + ROWS + "</r>\n", keep=0.99999), (),
         file="input.xml.gz", has_place=False),
    Case("gzip with a wrong checksum", gzip_of("<r>\n" + ROWS + "</r>\n", damage=-6), (),
         file="input.xml.gz", has_place=False),
    Case("gzip with damage inside", gzip_of("<r>\n" + ROWS + "</r>\n", damage=2000), (),
         file="input.xml.gz", has_place=False),
    Case("XML called gzip", bytes_of(b"\x1f\x8b<r/>"), (), file="input.xml.gz", has_place=False),
    Case("gzip of 1 GiB of spaces in an attribute",
         gzip_bomb(b'<r>\n<a x="', b'"/></r>', 1 << 30), ("long|large|limit|more than|MiB",),
         file="input.xml.gz"),
    Case("gzip of 1 GiB of spaces as text", gzip_bomb(b"<r>\n<a>", b"</a></r>", 1 << 30),
         ("long|large|limit|more than|MiB",), "2", has_place=False, file="input.xml.gz"),
]


def cut_document():
    """A document of exactly 700 bytes that uses every kind of markup and ends with its root."""
    document = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE shop [\n<!ENTITY euro "€ &amp; more">\n'
        "<!ATTLIST item unit CDATA 'piece'>\n]>\n<!-- a comment -->\n"
        '<s:shop xmlns:s="urn:example:shop">\n<order id="1" placed="2024-03-01">\n'
        "<item sku='A-1' price=\"12.50\">Tea &amp; cup</item>\n<item sku='Ü-2' price=\"3.00\"/>\n"
        "<note><![CDATA[5 < 6 & 7]]></note>\n</order>\n<?keep going?>\n"
        '<order id="2" placed="2024-03-02"><note>&euro;&#x20AC;</note></order>\n'
        "<order id='3' placed='2024-03-03'>\r\n\t<item sku='日本' price='1.00'>tea</item>\r\n"
        "<note>&lt;b&gt;bold&lt;/b&gt; &quot;and&quot; plain</note>\r\n</order>\n"
    ).encode()
    closing = b"</s:shop>"
    filler = b"<!-- " + b"." * (700 - len(document) - len(closing) - 9) + b" -->"
    return document + filler + closing
