"""The rules that give a column its type and a value its stored form, written independently.

`allowed_types` names the types that a column of the given values may have: one where the rules
decide, several where a form is not named by them. `stored` converts one value by a declared type.
"""

import base64
import datetime
import decimal
import re

INTEGER = re.compile(r"0|-?[1-9][0-9]*")
REAL = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
DOTTED_DATE = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})")
SLASHED_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
ISO_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?"
)
# Looser than the forms above: the rules leave these to the builder, TEXT is right for all of them.
LOOKS_LIKE_TIME = re.compile(r"[0-9]{1,4}([-./ ])[0-9A-Za-z]+\1[0-9]{1,4}(?:[T ][0-9:.]+.*)?")


def is_day(year, month, day):
    try:
        datetime.date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def iso_date(value):
    match = ISO_DATE.fullmatch(value)
    return value if match and is_day(*match.groups()) else None


def dotted_date(value):
    match = DOTTED_DATE.fullmatch(value)
    if not match or not is_day(*reversed(match.groups())):
        return None
    return "-".join(reversed(match.groups()))


def is_iso_time(value):
    match = ISO_TIME.fullmatch(value)
    return bool(match and iso_date(match.group(1)))


def is_integer(value):
    return bool(INTEGER.fullmatch(value)) and -(2**63) <= int(value) < 2**63


class Number(str):
    """A number by its value; `is_real` if it is written with a fraction or an exponent."""

    is_real = False


class Data(str):
    """Binary data, in Base64."""


def is_written_real(value):
    return isinstance(value, Number) and value.is_real


def is_exact_real(value):
    """Whether a double keeps the decimal number: its shortest form is the same number.

    Integers beyond 64 bits are identifiers more often than quantities, and stay as they are.
    """
    if not REAL.fullmatch(value) or (re.fullmatch("-?[0-9]+", value) and not is_integer(value)):
        return False
    number = float(value)
    if number in (float("inf"), float("-inf")) or (number == 0 and value.startswith("-")):
        return False
    return decimal.Decimal(repr(number)) == decimal.Decimal(value)


def decimals(value):
    return re.split("[eE]", value)[0].partition(".")[2]


def is_real_column(values):
    if not all(is_exact_real(value) for value in values):
        return False
    fractions = [decimals(value) for value in values]
    same_length = len({len(fraction) for fraction in fractions}) == 1
    # "12.0" beside "1.25" is how SQLite itself writes the numbers; beside "12" it would be lost.
    has_tenths = all(fraction for fraction in fractions)
    return same_length or not any(
        fraction.endswith("0") and not (fraction == "0" and has_tenths) for fraction in fractions
    )


def is_boolean_column(values):
    kinds = set(values)
    return kinds <= {"true", "false"} or (kinds <= {"YES", "NO"} and "YES" in kinds)


def allowed_types(values):
    """The types that a column may be declared with; `values` are those present, empty ones too."""
    filled = [value for value in values if value != ""]
    if any(isinstance(value, Data) for value in values):
        return {"BLOB"} if all(isinstance(value, Data) for value in values) else {"TEXT"}
    if not filled:
        return {"TEXT"}
    # What is written with a fraction is no integer, whatever its value is.
    if all(map(is_integer, filled)) and not any(map(is_written_real, filled)):
        return {"INTEGER"}
    if is_real_column(filled):
        return {"REAL"}
    if is_boolean_column(filled):
        return {"BOOLEAN"}
    if all(map(iso_date, filled)) or all(map(dotted_date, filled)):
        return {"DATE"}
    if all(map(is_iso_time, filled)):
        zones = {bool(ISO_TIME.fullmatch(value).group(2)) for value in filled}
        return {"DATETIME"} if len(zones) == 1 else {"DATETIME", "TEXT"}
    if all(map(DOTTED_DATE.fullmatch, filled)) or all(map(ISO_DATE.fullmatch, filled)):
        return {"TEXT"}  # the form is known, but one of the days does not exist
    if all(map(LOOKS_LIKE_TIME.fullmatch, filled)):
        return {"TEXT", "DATE", "DATETIME"}
    return {"TEXT"}


def slashed_order(values):
    """`dm` or `md` if some value of the column settles it, else None."""
    parts = [SLASHED_DATE.fullmatch(value) for value in values if value]
    if not parts or not all(parts):
        return None
    day_first = any(int(part.group(1)) > 12 for part in parts)
    month_first = any(int(part.group(2)) > 12 for part in parts)
    if day_first == month_first:
        return None
    return "dm" if day_first else "md"


_orders = {}


def known_order(values):
    """The same, found once for each column: the list of its values is kept with what was found."""
    found = _orders.get(id(values))
    if found is None or found[0] is not values:
        found = _orders[id(values)] = (values, slashed_order(values))
    return found[1]


def stored(value, declared, column_values):
    """The value as SQLite must hold it in a column of type `declared`; ValueError if it cannot."""
    if declared == "TEXT":
        return str(value)
    if declared == "BLOB" and isinstance(value, Data):
        return base64.b64decode(value, validate=True)
    if value == "":
        return None
    if declared == "INTEGER" and is_integer(value):
        return int(value)
    if declared == "REAL" and is_exact_real(value):
        return float(value)
    if declared == "BOOLEAN" and value in ("true", "false", "YES", "NO"):
        return int(value in ("true", "YES"))
    if declared == "DATETIME" and is_iso_time(value):
        return value
    if declared == "DATE":
        day = iso_date(value) or dotted_date(value)
        slashed = SLASHED_DATE.fullmatch(value)
        if day is None and slashed:
            first, second, year = slashed.groups()
            order = known_order(column_values)
            month, date = (second, first) if order == "dm" else (first, second)
            if order and is_day(year, month, date):
                day = "%s-%02d-%02d" % (year, int(month), int(date))
        if day is not None:
            return day
    raise ValueError('"%s" cannot be held by a column of type %s' % (value, declared))
