"""The mapping from a document to tables, inferred independently of the builder.

A place is an element name below a parent name. Each place has a role: scalar (a column of the
enclosing record), wrapper (transparent) or record (a row). Records of one name are one table.
"""

import collections

import conversion
from document import Attribute, Element

SCALAR, WRAPPER, RECORD, CONTAINER = "scalar", "wrapper", "record", "container"


class Place:
    """What all occurrences of one element name below one parent name have in common."""

    def __init__(self):
        self.has_attributes = self.has_text = self.repeats = self.is_nested_in_itself = False
        self.child_names = set()


def place_of(element):
    return (element.parent.name if element.parent is not None else None, element.name)


def observe(root):
    places = collections.defaultdict(Place)
    paths = {}
    for element in root.descend():
        place = places[place_of(element)]
        place.has_attributes |= bool(element.attributes)
        place.has_text |= bool(element.runs)
        place.repeats |= element.is_item
        counts = collections.Counter(child.name for child in element.children)
        place.child_names |= set(counts)
        for name, count in counts.items():
            places[(element.name, name)].repeats |= count > 1
        above = paths.get(element.parent, ())
        if element.name not in above:
            paths[element] = above + (element.name,)
            continue
        # Where a path comes back to a name, it goes on as the first time: what wraps the inner
        # element of `<folder><folders><folder>` is not inside its own kind, the folder is.
        first = above.index(element.name)
        paths[element] = above[: first + 1]
        place.is_nested_in_itself = True
        outer = (above[first - 1] if first else None, element.name)
        places[outer].is_nested_in_itself = True
    return places


def infer_roles(root):
    """The role of every place."""
    places = observe(root)
    roles = {}

    def is_wrapper_shape(place):
        shape = places[place]
        return not (
            shape.has_attributes or shape.has_text or shape.repeats or shape.is_nested_in_itself
        ) and len(shape.child_names) == 1

    def role(place):
        if place in roles:
            return roles[place]
        # Wrappers may wrap wrappers to any depth: walk down, then decide on the way back.
        chain = [place]
        while is_wrapper_shape(chain[-1]):
            below = (chain[-1][1], next(iter(places[chain[-1]].child_names)))
            if below in chain:
                # Names that lead round in a circle wrap nothing.
                circle = chain.index(below)
                roles.update(dict.fromkeys(chain[circle:], RECORD))
                del chain[circle:]
                break
            if below in roles:
                break
            chain.append(below)
        for current in reversed(chain):
            shape = places[current]
            if shape.is_nested_in_itself:
                roles[current] = RECORD
            elif not shape.has_attributes and not shape.child_names and not shape.repeats:
                roles[current] = SCALAR
            elif is_wrapper_shape(current):
                below = (current[1], next(iter(shape.child_names)))
                wraps = places[below].repeats or roles[below] in (RECORD, WRAPPER)
                roles[current] = WRAPPER if wraps else RECORD
            else:
                roles[current] = RECORD
        return roles[place]

    for place in list(places):
        role(place)
    keep_apart(places, roles)
    top = (None, root.name)
    if roles[top] != RECORD or not places[top].is_nested_in_itself:
        roles[top] = CONTAINER
    return roles


def content_of(place, places, roles):
    """The name of the records to which a place with nothing but children of one name leads."""
    seen = [place]
    while True:
        shape = places[seen[-1]]
        if shape.is_nested_in_itself or shape.has_attributes or shape.has_text:
            return seen[-1][1]
        if len(shape.child_names) != 1:
            return seen[-1][1]
        below = (seen[-1][1], next(iter(shape.child_names)))
        if roles[below] == SCALAR:
            return seen[-1][1]
        if below in seen:
            return place[1]
        seen.append(below)


def keep_apart(places, roles):
    """Wrappers side by side around elements of one name are records: they say which is which."""
    apart = {}
    children_of = collections.defaultdict(set)
    for owner in list(places):
        children_of[owner[1]] |= places[owner].child_names
    for owner, names in children_of.items():
        inside = collections.defaultdict(list)
        for name in names:
            child = (owner, name)
            if roles[child] not in (WRAPPER, RECORD):
                continue
            inside[content_of(child, places, roles)].append(child)
        for children in inside.values():
            if len(children) > 1:
                apart.update(dict.fromkeys(children, RECORD))
    roles.update(apart)


class Column:
    """`kind` is attribute, scalar, text, parent or key; `source` is a Name, or a parent table."""

    def __init__(self, kind, source, written):
        self.kind, self.source, self.written = kind, source, written
        self.name = None
        self.is_key = False
        self.values = []


class Row:
    def __init__(self, element, parent):
        self.element, self.parent = element, parent
        self.values = {}
        self.key = None


class Table:
    def __init__(self, source, written):
        self.source, self.written = source, written
        self.name = None
        self.columns = {}
        self.rows = []
        self.key = None

    def column(self, kind, source, written):
        return self.columns.setdefault((kind, source), Column(kind, source, written))

    def note(self, row, kind, source, written, value):
        self.column(kind, source, written)
        if kind == "text" and (kind, source) in row.values:
            value = row.values[(kind, source)] + value
        row.values[(kind, source)] = value


def collect(root, roles):
    """The tables with their rows in document order, columns in order of first appearance."""
    tables = {}
    rows = {}

    def scalars_of(element):
        return any(roles[place_of(child)] == SCALAR for child in element.children)

    def open_row(element):
        role = roles[place_of(element)]
        is_root_row = role == CONTAINER and (
            element.attributes or element.runs or scalars_of(element)
        )
        if role != RECORD and not is_root_row:
            return
        table = tables.setdefault(element.name, Table(element.name, element.written))
        parent = parent_row(element)
        if element.is_ghost:
            if parent is not None:
                table.column("parent", parent.element.name, None)
            return
        row = rows[element] = Row(element, parent)
        table.rows.append(row)
        if parent is not None:
            table.note(row, "parent", parent.element.name, None, parent)
        if not element.has_ordered_fields:
            for attribute in element.attributes:
                note_field(table, row, attribute)

    def note_field(table, row, attribute):
        table.column("attribute", attribute.name, attribute.written)
        if attribute.value is not None:
            table.note(row, "attribute", attribute.name, attribute.written, attribute.value)

    def parent_row(element):
        parent = next((rows[a] for a in element.ancestors() if a in rows), None)
        if parent is not None and roles[place_of(parent.element)] == CONTAINER:
            parent = None
        return parent

    pending = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            owner, part = item
            if isinstance(part, Attribute):
                note_field(tables[owner.name], rows[owner], part)
            else:
                tables[owner.name].note(rows[owner], "text", None, None, part)
            continue
        open_row(item)
        if roles[place_of(item)] == SCALAR:
            owner = rows[item.parent]
            table = tables[owner.element.name]
            table.note(owner, "scalar", item.name, item.written, item.text)
            continue
        is_leaf = not item.children
        for part in reversed(item.content):
            if isinstance(part, Element):
                pending.append(part)
            elif isinstance(part, Attribute):
                pending.append((item, part))
            elif item in rows and part.strip(" \t\r\n"):
                pending.append((item, part))
            elif item in rows and is_leaf:
                # Blanks are no text of a record, but the column stands where they were first.
                tables[item.name].column("text", None, None)
    for table in tables.values():
        if not any(("text", None) in row.values for row in table.rows):
            table.columns.pop(("text", None), None)
    return list(tables.values())


def folded(name):
    """The name as SQLite compares it: without regard to the case of ASCII letters alone."""
    return "".join(c.lower() if c.isascii() else c for c in name)


def is_made_up(source):
    """Whether a name is none of the document's; it gives way to those."""
    return source[0] == "made up"


def is_reserved(name):
    return folded(name).startswith(("sqlite_", "_seed"))


def without_clashes(items, is_taken=lambda name: False):
    """Gives each (item, source, written) its name; the ones that come later yield with a suffix."""
    by_local = collections.defaultdict(set)
    for _, source, _ in items:
        by_local[folded(source.local)].add(source)
    used = set()
    for item, source, written in items:
        clashes = len(by_local[folded(source.local)]) > 1
        name = written if clashes else source.local
        item.name = free("_" + name if is_taken(name) else name, used)


def free(name, used):
    candidate, number = name, 1
    while folded(candidate) in used:
        number += 1
        candidate = "%s_%d" % (name, number)
    used.add(folded(candidate))
    return candidate


def name_columns(table, tables):
    columns = list(table.columns.values())
    own = [
        column
        for column in columns
        if column.kind in ("attribute", "scalar") and not is_made_up(column.source)
    ]
    without_clashes([(column, column.source, column.written) for column in own])
    used = {folded(column.name) for column in own}
    for column in columns:
        if column.kind == "text":
            column.name = free("text", used)
        elif column.kind == "parent":
            if column.source == table.source:
                column.name = free("parent_id", used)
            else:
                column.name = free(tables[column.source].name + "_id", used)
        elif column not in own:
            local = column.source.local
            column.name = free("_" + local if folded(local) in used else local, used)
    choose_key(table, own, used)


def choose_key(table, own, used):
    for column in own:
        values = [row.values.get((column.kind, column.source)) for row in table.rows]
        if folded(column.source.local) != "id" or None in values:
            continue
        if any(map(conversion.is_written_real, values)):
            continue
        if all(map(conversion.is_integer, values)) and len(set(values)) == len(values):
            column.is_key, table.key = True, column
            for row, value in zip(table.rows, values):
                row.key = int(value)
            return
    # `_id` counts like any made name: `_id`, then `_id_2`.
    made = Column("key", None, None)
    made.is_key = True
    made.name = free("_id" if "id" in used else "id", used)
    table.key = made
    table.columns = {("key", None): made, **table.columns}
    for number, row in enumerate(table.rows, 1):
        row.key = number
        row.values[("key", None)] = str(number)


def infer(root):
    """The tables that the document must become, by name."""
    roles = infer_roles(root)
    tables = collect(root, roles)
    made_up = [table for table in tables if is_made_up(table.source)]
    others = [table for table in tables if table not in made_up]
    without_clashes(
        [(table, table.source, table.written) for table in others + made_up], is_reserved
    )
    by_source = {table.source: table for table in tables}
    for table in tables:
        name_columns(table, by_source)
    for table in tables:
        for position, column in table.columns.items():
            column.values = [row.values[position] for row in table.rows if position in row.values]
    return tables, roles
