"""A small publisher of table streams, written from the description of the format alone.

It keeps the state of every checkpoint, so that a checker can say what a database has to hold.
"""

import gzip
import hashlib
import json
import os
import random
import sqlite3

STREAM = "catalog"
TABLES = {
    "category": (["id"], {"id": "INTEGER", "title": "TEXT"}),
    "product": (
        ["id"],
        {"id": "INTEGER", "name": "TEXT", "code": "TEXT", "price": "REAL", "category": "INTEGER"},
    ),
}
UNIQUE = {"product": "code"}
SCHEMA = """
CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT);
CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE, price REAL,
  category INTEGER REFERENCES category(id));
CREATE TABLE _seed_stream(stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
  id TEXT NOT NULL, cursor TEXT, schema TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE _seed_stream_table(stream TEXT NOT NULL, "table" TEXT NOT NULL, key TEXT NOT NULL,
  columns TEXT NOT NULL, PRIMARY KEY(stream, "table")) WITHOUT ROWID;
"""


def text(value):
    """JSON without blanks, as the lines of a segment have it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def schema_digest():
    """The first 16 digits of the digest over the tables' lines."""
    lines = ""
    for name in sorted(TABLES):
        key, columns = TABLES[name]
        lines += text([name, key, sorted([column, columns[column]] for column in columns)]) + "\n"
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


class History:
    """The checkpoints of a stream, from number 1 on."""

    def __init__(self, epoch=1_700_000_000, seed=1):
        self.epoch = epoch
        self.random = random.Random(seed)
        self.states = [{name: {} for name in TABLES}]
        self.ids = ["0123456789abcdef"]

    @property
    def seq(self):
        return len(self.states)

    def publish(self, rows=20, keys=300):
        """Adds a checkpoint with random changes, unique values that change places among them."""
        state = {name: dict(table) for name, table in self.states[-1].items()}
        number = self.random.randrange
        for _ in range(rows):
            category, product = number(1, 9), number(1, keys)
            state["category"][category] = (category, f"category {number(100)}")
            if number(5) == 0:
                state["product"].pop(product, None)
            else:
                old = state["product"].get(product)
                code = old[2] if old else f"{product}-{self.seq}-{number(1 << 40)}"
                state["product"][product] = (
                    product, "name " * number(1, 9), code, number(10000) / 4, category)
        moved = self.random.sample(sorted(state["product"]), min(3, len(state["product"])))
        codes = [state["product"][key][2] for key in moved]
        for key, code in zip(moved, codes[1:] + codes[:1]):
            row = state["product"][key]
            state["product"][key] = row[:2] + (code,) + row[3:]
        self.states.append(state)
        self.ids.append("")
        body, _ = self.body(self.seq - 1, self.seq)
        chained = hashlib.sha256((self.ids[-2] + body).encode()).hexdigest()
        self.ids[-1] = chained[:16]

    def body(self, first, last):
        """The lines of a segment behind its header, and the count of its rows."""
        lines, count = [], 0
        for name, (key, columns) in TABLES.items():
            touched, moved = set(), set()
            for seq in range(first, last):
                before, after = self.states[seq - 1][name], self.states[seq][name]
                for row in before.keys() | after.keys():
                    old, new = before.get(row), after.get(row)
                    if old == new:
                        continue
                    touched.add(row)
                    if name in UNIQUE and old and new:
                        column = list(columns).index(UNIQUE[name])
                        if old[column] != new[column]:
                            moved.add(row)
            final = self.states[last - 1][name]
            deleted = sorted(row for row in touched if row not in final or row in moved)
            upserted = sorted(row for row in touched if row in final)
            if deleted:
                lines.append(text({"table": name, "delete": key}))
                lines += [text([row]) for row in deleted]
            if upserted:
                lines.append(text({"table": name, "upsert": list(columns)}))
                lines += [text(final[row]) for row in upserted]
            count += len(deleted) + len(upserted)
        lines.append(text({"end": {"rows": count}}))
        return "".join(line + "\n" for line in lines), count

    def segment(self, folder, first, last):
        """Writes a segment; returns its entry in the head."""
        body, count = self.body(first, last)
        header = text({
            "segment": 1, "stream": STREAM, "epoch": self.epoch, "from": first, "to": last,
            "ids": self.ids[first - 1:last],
        })
        plain = f"{header}\n{body}".encode()
        digest, size = store(folder, gzip.compress(plain, mtime=0))
        return {"from": first, "to": last, "sha256": digest, "size": size,
                "plain_size": len(plain), "rows": count}

    def write_database(self, path, seq):
        """Writes a database with the state of a checkpoint and its position."""
        connection = sqlite3.connect(path)
        connection.executescript(SCHEMA)
        for name, (key, columns) in TABLES.items():
            places = ",".join("?" * len(columns))
            connection.executemany(
                f"INSERT INTO {name} VALUES ({places})", self.states[seq - 1][name].values())
            connection.execute(
                "INSERT INTO _seed_stream_table VALUES (?, ?, ?, ?)",
                (STREAM, name, text(key), text(list(columns))))
        connection.execute(
            "INSERT INTO _seed_stream VALUES (?, ?, ?, ?, NULL, ?, 0)",
            (STREAM, self.epoch, seq, self.ids[seq - 1], schema_digest()))
        connection.commit()
        connection.close()

    def write(self, folder, steps, snapshot_seq=1):
        """Writes the folder of the stream, with segments of some widths, and the head last."""
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "snapshot.tmp")
        self.write_database(path, snapshot_seq)
        with open(path, "rb") as file:
            plain = file.read()
        os.unlink(path)
        digest, size = store(folder, gzip.compress(plain, mtime=0))
        segments = [
            self.segment(folder, first, min(first + step, self.seq))
            for step in steps for first in range(1, self.seq, step)
        ]
        head = {
            "format": 1, "stream": STREAM, "epoch": self.epoch, "seq": self.seq,
            "id": self.ids[-1], "poll_after": 300,
            "schema": {name: {"key": key, "columns": columns}
                       for name, (key, columns) in TABLES.items()},
            "snapshot": {"seq": snapshot_seq, "id": self.ids[snapshot_seq - 1], "sha256": digest,
                         "size": size, "plain_size": len(plain), "encoding": "gzip"},
            "segments": segments,
        }
        with open(os.path.join(folder, "head.json"), "w", encoding="utf-8") as file:
            json.dump(head, file)


def store(folder, data):
    """Writes an object under its digest."""
    digest = hashlib.sha256(data).hexdigest()
    path = os.path.join(folder, "o", digest[:2], digest)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return digest, len(data)
