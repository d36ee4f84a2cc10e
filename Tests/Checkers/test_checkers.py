#!/usr/bin/env python3
"""Tests of the checkers themselves: each must pass a right database and fail a wrong one.

The right databases are the golden dumps of Seeds, run by SQLite; the wrong ones are the same with
one statement more. Run: python3 -m unittest discover -s Tests/Checkers
"""

import argparse
import contextlib
import io
import os
import pathlib
import sqlite3
import tempfile
import unittest
import unittest.mock
import xml.parsers.expat

import conversion
import counts
import dump
import hostile
import hostile_cases
import walk

SEEDS = pathlib.Path(__file__).resolve().parents[2] / "Seeds"
# Forms of XML that say more than their elements do, which the walk does not know.
FORMS = {"android", "mysqldump"}
SAMPLES = sorted(
    folder.name
    for folder in SEEDS.iterdir()
    if (folder / "expected.sql").exists() and len(list(folder.glob("*.xml"))) == 1
    and folder.name not in FORMS
    # A Core Data store has the tables of its model.
    and not list(folder.glob("*.xcdatamodeld"))
)

# One change to a right database, each of which must be noticed: (sample, SQL).
FAULTS = [
    ("events", "UPDATE Event SET timeStamp = '2010-01-17' WHERE id = 1"),
    ("events", "UPDATE Event SET timeStamp = '16.01.2010' WHERE id = 1"),
    ("events", "DELETE FROM Event WHERE id = 2"),
    ("events", "DELETE FROM Event WHERE id = 3"),
    ("events", "INSERT INTO Event VALUES (4, '2010-03-05')"),
    ("events", "CREATE TABLE extra (a)"),
    ("events", "ALTER TABLE Event ADD COLUMN extra TEXT"),
    ("events", "ALTER TABLE Event RENAME TO event_2"),
    ("orders", "UPDATE Item SET Order_id = 1012 WHERE id = 1"),
    ("orders", "UPDATE Item SET price = 12.500000000000002 WHERE id = 1"),
    ("orders", "UPDATE Customer SET number = '17' WHERE id = 1"),
    ("orders", "UPDATE Customer SET email = '' WHERE id = 2"),
    ("orders", 'UPDATE "Order" SET paid = 1 - paid'),
    ("orders", "UPDATE note SET text = 'Leave it at the door &amp; call.' WHERE id = 2"),
    ("orders", "UPDATE note SET text = text || ' ' WHERE id = 1"),
    ("orders", "DROP INDEX Item_Order_id"),
    ("orders", "DELETE FROM note"),
    ("stackexchange", "UPDATE \"row\" SET Title = '' WHERE Id = 7"),
    ("stackexchange", "UPDATE \"row\" SET Id = 5 WHERE Id = 4"),
    ("stackexchange", "UPDATE \"row\" SET ViewCount = 7063 WHERE Id = 7"),
    ("stackexchange", "UPDATE \"row\" SET Body = replace(Body, char(13), '')"),
    ("dbunit", "UPDATE PERSON SET BORN = '1970-05-17' WHERE ID = 2"),
    ("dbunit", "UPDATE ADDRESS SET ZIP = 601 WHERE ZIP = '00601'"),
    ("dbunit", "DROP TABLE ROLE"),
    ("outline", "UPDATE outline SET parent_id = 1 WHERE id = 4"),
    ("outline", "UPDATE outline SET parent_id = NULL WHERE id = 2"),
    ("mixed", "UPDATE para SET text = 'Water boils at  or  here.' WHERE id = 1"),
    ("mixed", "UPDATE para SET text = ' ' WHERE id = 3"),
    ("catalog", "UPDATE product SET stock = 9223372036854775806 WHERE stock > 9"),
    ("catalog", "UPDATE product SET size = '1.1' WHERE size = '1.10'"),
    ("catalog", "UPDATE product SET stock = 0 WHERE stock IS NULL"),
    ("reviews", "UPDATE review SET film_id = 1 WHERE id = 4"),
    ("dictionary", "UPDATE gloss SET lang = NULL WHERE id < 0; UPDATE gloss SET lang = 'en'"),
]

# Changes that only the golden dump must notice: content is equal, the definition is not.
DEFINITIONS = [
    ("events", "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = "
     "replace(sql, 'DATE', 'TEXT')"),
    ("events", "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = "
     "replace(sql, ' NOT NULL', '')"),
]


def build(sample, path, change=None):
    lines = dump.golden(SEEDS / sample / "expected.sql")
    connection = sqlite3.connect(path)
    connection.executescript("BEGIN;\n" + "\n".join(lines) + "\nCOMMIT;")
    if change:
        connection.executescript(change)
    connection.close()


class CheckerTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.database = str(pathlib.Path(folder.name) / "sample.sqlite")

    def run_quietly(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            return function(*arguments), output.getvalue()

    def walk(self, sample):
        (source,) = (SEEDS / sample).glob("*.xml")
        return self.run_quietly(walk.main, [str(source), self.database])

    def compare(self, sample):
        golden = str(SEEDS / sample / "expected.sql")
        return self.run_quietly(dump.main, [self.database, golden])

    def test_every_golden_dump_is_what_the_independent_walk_expects(self):
        self.assertGreaterEqual(len(SAMPLES), 10)
        for sample in SAMPLES:
            with self.subTest(sample), tempfile.TemporaryDirectory() as folder:
                self.database = folder + "/sample.sqlite"
                build(sample, self.database)
                self.assertEqual(self.walk(sample), (0, ""))
                self.assertEqual(self.compare(sample), (0, ""))
                (source,) = (SEEDS / sample).glob("*.xml")
                answer = self.run_quietly(counts.main, [str(source), self.database])
                self.assertEqual(answer, (0, ""))

    def test_every_fault_is_noticed_by_walk_and_dump(self):
        for sample, change in FAULTS:
            with self.subTest(sample + ": " + change), tempfile.TemporaryDirectory() as folder:
                self.database = folder + "/sample.sqlite"
                build(sample, self.database, change)
                if not change.startswith("DROP INDEX"):
                    self.assertNotEqual(self.compare(sample)[1], "")
                self.assertEqual(self.compare(sample)[0], 1)
                self.assertEqual(self.walk(sample)[0], 1)

    def test_a_changed_definition_is_noticed_by_walk_and_dump(self):
        for sample, change in DEFINITIONS:
            with self.subTest(change), tempfile.TemporaryDirectory() as folder:
                self.database = folder + "/sample.sqlite"
                build(sample, self.database, change)
                self.assertEqual(self.compare(sample)[0], 1)
                self.assertEqual(self.walk(sample)[0], 1)

    def test_a_lost_row_is_noticed_by_the_counts(self):
        build("orders", self.database, "DELETE FROM Item WHERE id = 2")
        source = str(SEEDS / "orders" / "Orders.xml")
        status, output = self.run_quietly(counts.main, [source, self.database])
        self.assertEqual(status, 1)
        self.assertIn("table Item: xmllint counts 3 elements, rows: 2", output)

    def test_a_difference_names_the_line_of_the_document(self):
        build("orders", self.database, "UPDATE Item SET quantity = 3 WHERE id = 2")
        status, output = self.walk("orders")
        self.assertEqual(status, 1)
        self.assertIn("Orders.xml:10: column quantity of table Item, row 2, is 3, not 1", output)


class ConversionTests(unittest.TestCase):
    def test_types(self):
        cases = [
            (["1", "-20", "", "9223372036854775807"], {"INTEGER"}),
            (["9223372036854775808"], {"TEXT"}),
            (["18446744073709551615"], {"TEXT"}),
            (["007", "1"], {"TEXT"}),
            (["+5", "1"], {"TEXT"}),
            (["-0", "1"], {"TEXT"}),
            (["1.10", "1.1"], {"TEXT"}),
            (["1.10", "2.25"], {"REAL"}),
            (["1.0", "2.25"], {"REAL"}),
            (["1.0", "2.25", "3"], {"TEXT"}),
            ([".5", "5E0", "3"], {"REAL"}),
            (["1e400"], {"TEXT"}),
            (["0.1234567890123456789"], {"TEXT"}),
            (["9007199254740993", "0.5"], {"TEXT"}),
            (["16.01.2010"], {"DATE"}),
            (["16.01.2010", "29.02.2011"], {"TEXT"}),
            (["2010-01-16T10:00:00Z"], {"DATETIME"}),
            (["true", "false", ""], {"BOOLEAN"}),
            (["true", "TRUE"], {"TEXT"}),
            (["NO"], {"TEXT"}),
            (["NO", "YES"], {"BOOLEAN"}),
            (["", ""], {"TEXT"}),
        ]
        for values, types in cases:
            with self.subTest(values):
                self.assertEqual(conversion.allowed_types(values), types)

    def test_a_value_that_a_type_would_change_is_refused(self):
        for value, declared in [("007", "INTEGER"), ("1e400", "REAL"), ("TRUE", "BOOLEAN"),
                                ("29.02.2011", "DATE"), ("05/03/2010", "DATE")]:
            with self.subTest(value), self.assertRaises(ValueError):
                conversion.stored(value, declared, [value])


class HostileTests(unittest.TestCase):
    """hostile.py with a stand-in for the tool that does one thing wrong at a time."""

    fake = str(pathlib.Path(__file__).resolve().with_name("fake_seed.py"))
    limits = argparse.Namespace(seconds=2, mebibytes=128)
    broken = hostile_cases.Case(
        "mismatched tags", hostile_cases.bytes_of("<r>\n<a></b>\n</r>"), ("mismatch",), "2"
    )

    def check(self, fault):
        with unittest.mock.patch.dict(os.environ, FAKE_FAULT=fault):
            return hostile.check_case(self.fake, self.broken, self.limits)[1]

    def test_a_right_tool_passes(self):
        self.assertEqual(self.check(""), [])
        self.assertEqual(hostile.whole_document(self.fake, self.limits)[1], [])
        self.assertEqual(hostile.check_cut(self.fake, 0, self.limits)[1], [])
        self.assertEqual(hostile.check_cut(self.fake, 133, self.limits)[1], [])

    def test_every_fault_of_a_tool_is_noticed(self):
        faults = {
            "accepts": "exits 0, not 65",
            "exits 1": "exits 1, not 65",
            "crashes": "exits -6, not 65",
            "says nothing": "says no error",
            "names no place": "names no place",
            "changes the output": "changes the output",
            "leaves a file": "leaves ['out/default.sqlite.tmp']",
            "leaves a file in TMPDIR": "leaves ['tmp/half']",
            "prints on stdout": "prints b'half",
            "takes memory": " MiB",
            "takes time": " s on the wall",
        }
        for fault, finding in faults.items():
            with self.subTest(fault):
                self.assertIn(finding, "; ".join(self.check(fault)))

    def test_a_wrong_place_and_a_wrong_message_are_noticed(self):
        run = argparse.Namespace(
            exit=65, stderr="a.xml:3:1: error: something else\n", stdout=b"", left=[], file="a.xml",
            output_is_untouched=True, seconds=0, wall=0, mebibytes=1,
        )
        self.assertEqual(hostile.faults(run, self.limits), [])
        self.assertIn("names another place than 2", hostile.faults(run, self.limits, place="2"))
        self.assertIn("does not say /tag/", hostile.faults(run, self.limits, says=("tag",)))

    def test_an_opened_file_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            reader = pathlib.Path(folder, "reader")
            reader.write_text(
                "#!/bin/sh\nread secret < secret.txt\n"
                'echo "$3:1:1: error: an external entity is refused" >&2\nexit 65\n'
            )
            reader.chmod(0o755)
            name, document, expected = next(
                entry for entry in hostile.OUTSIDE if entry[0] == "a general entity at file:"
            )
            _, found = hostile.check_outside(str(reader), name, document, expected, self.limits)
            self.assertRegex("; ".join(found), r"opens /\S+/secret\.txt")

    def test_the_cut_document_is_right_when_whole_and_wrong_when_cut(self):
        data = hostile_cases.cut_document()
        self.assertEqual(len(data), 700)
        xml.parsers.expat.ParserCreate().Parse(data, True)
        for length in range(len(data)):
            with self.subTest(length), self.assertRaises(xml.parsers.expat.ExpatError):
                xml.parsers.expat.ParserCreate().Parse(data[:length], True)


if __name__ == "__main__":
    unittest.main()
