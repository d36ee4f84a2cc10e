"""Compares `swift package describe --type json` (standard input) with the list of layers (argument)."""

import json
import pathlib
import re
import sys

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?(\w+)",
    re.MULTILINE,
)


def read_list(path):
    """The allowed arrows, and who may import the restricted modules."""
    arrows, restricted, problems = {}, {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = re.fullmatch(r"(import\s+)?(\w+):\s*([\w\s]*)", line)
        if not match:
            problems.append(
                f"{path}:{number}: not 'module: dependency ...' nor 'import module: ...'"
            )
            continue
        table = restricted if match[1] else arrows
        if match[2] in table:
            problems.append(f"{path}:{number}: {match[2]} is listed twice")
        table[match[2]] = set(match[3].split())
    return arrows, restricted, problems


def compare(allowed, declared, path):
    for module in sorted(declared.keys() - allowed.keys()):
        yield f"Package.swift has the module {module}, {path} does not"
    for module in sorted(allowed.keys() - declared.keys()):
        yield f"{path} has the module {module}, Package.swift does not"
    for module in sorted(declared.keys() & allowed.keys()):
        for other in sorted(declared[module] - allowed[module]):
            yield f"new arrow {module} -> {other}: {path} does not allow it"
        for other in sorted(allowed[module] - declared[module]):
            yield f"{path} allows {module} -> {other}, which Package.swift does not have"


def cycles(arrows):
    """Each cycle once, found from the module of it that is met first."""
    done, trail = set(), []

    def visit(module):
        if module in trail:
            yield "cycle: " + " -> ".join(trail[trail.index(module) :] + [module])
            return
        if module in done:
            return
        trail.append(module)
        for other in sorted(arrows.get(module, ())):
            yield from visit(other)
        trail.pop()
        done.add(module)

    for module in sorted(arrows):
        yield from visit(module)


def imports(targets, arrows, restricted):
    for target in sorted(targets, key=lambda target: target["name"]):
        name, folder = target["name"], pathlib.Path(target["path"])
        for file in sorted(folder.rglob("*.swift")):
            text = file.read_text()
            for match in IMPORT.finditer(text):
                module, line = match[1], text.count("\n", 0, match.start(1)) + 1
                place = f"{file}:{line}: error:"
                if module in arrows and module not in arrows[name] | {name}:
                    yield f"{place} {name} imports {module}, which it does not declare"
                if target["type"] == "test" or folder.parts[0] != "Sources":
                    continue
                # FoundationEssentials, FoundationNetworking and the like count as Foundation.
                rule = "Foundation" if module.startswith("Foundation") else module
                if rule in restricted and name not in restricted[rule]:
                    where = " and ".join(sorted(restricted[rule]))
                    may = f"only {where} may" if where else "no module may"
                    yield f"{place} {name} imports {module}, which {may}"


def main():
    path = pathlib.Path(sys.argv[1])
    allowed, restricted, problems = read_list(path)
    targets = json.load(sys.stdin)["targets"]
    declared = {t["name"]: set(t.get("target_dependencies") or ()) for t in targets}
    problems += compare(allowed, declared, path)
    problems += cycles(declared)
    problems += cycles(allowed) if allowed != declared else ()
    problems += imports(targets, declared, restricted)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"{len(declared)} modules, {sum(map(len, declared.values()))} arrows: as listed")


main()
