"""Puts the commands' help texts where the documentation shows them, or tells where they are stale."""

import argparse
import pathlib
import re
import sys

GOLDEN = pathlib.Path("Tests/SeedCommandTests/Golden")
CATALOG = pathlib.Path("Sources/seed/Seed.docc")
BLOCK = re.compile(r"(<!-- help: ([\w -]+) -->\n```text\n)(.*?)(```\n<!-- end of help -->)", re.DOTALL)


def help_texts():
    """The help of the tool and of each command; tests compare these files with what it prints."""
    return {file.stem.replace("-", " ", 1): file.read_text() for file in GOLDEN.glob("*.txt")}


def renew(text, texts, place, problems):
    """The text with fresh help in it."""

    def fresh(match):
        start, command, _, end = match.groups()
        if command not in texts:
            problems.append(f"{place}: there is no command \"{command}\"")
            return match[0]
        return start + texts[command] + end

    if text.count("<!-- help:") != len(BLOCK.findall(text)):
        problems.append(f"{place}: a help block is not a code block between two comments")
    return BLOCK.sub(fresh, text)


def missing(texts):
    """What the catalog lacks: an article for each command, and its place on the first page."""
    landing = (CATALOG / "Seed.md").read_text()
    for command in sorted(texts.keys() - {"seed"}):
        name = command.replace(" ", "-")
        article = CATALOG / "Commands" / f"{name}.md"
        if not article.exists():
            yield f"{article}: write an article for \"{command}\""
        elif f"<!-- help: {command} -->" not in article.read_text():
            yield f"{article}: the help of \"{command}\" is not in it"
        if f"- <doc:{name}>" not in landing:
            yield f"{CATALOG}/Seed.md: list <doc:{name}> among the commands"
    for article in sorted((CATALOG / "Commands").glob("*.md")):
        if article.stem.replace("-", " ", 1) not in texts:
            yield f"{article}: the command is gone"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    texts = help_texts()
    problems = list(missing(texts))
    for file in [pathlib.Path("README.md"), *sorted(CATALOG.rglob("*.md"))]:
        text = file.read_text()
        fresh = renew(text, texts, file, problems)
        if fresh == text:
            continue
        if check:
            problems.append(f"{file}: a help text is stale: run Scripts/docs")
        else:
            file.write_text(fresh)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
