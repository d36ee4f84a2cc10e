#!/usr/bin/env python3
"""Checks project files against their JSON Schema.

    project_schema.py SCHEMA FOLDER|FILE...

Of a folder, the files in `valid` must be accepted and those in `invalid` refused. A file must be accepted.
"""

import json
import pathlib
import sys

import jsonschema


def problems_of(validator, path):
    document = json.loads(path.read_text(encoding="utf-8-sig"))
    return [
        "%s: %s" % ("/".join(map(str, error.absolute_path)), error.message)
        for error in validator.iter_errors(document)
    ]


def check(validator, path):
    """What is wrong with a folder or a file, and how many files were looked at."""
    if not path.is_dir():
        return ["%s: %s" % (path, text) for text in problems_of(validator, path)], 1
    findings, count = [], 0
    for file in sorted((path / "valid").glob("*.json")):
        findings += ["%s: %s" % (file, text) for text in problems_of(validator, file)]
        count += 1
    for file in sorted((path / "invalid").glob("*.json")):
        if not problems_of(validator, file):
            findings.append("%s: the schema accepts it" % file)
        count += 1
    return findings, count


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 64
    schema = json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    status = 0
    for argument in arguments[1:]:
        findings, count = check(validator, pathlib.Path(argument))
        for finding in findings:
            print(finding)
        if findings or not count:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
