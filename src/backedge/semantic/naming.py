"""What the names of tables and columns say: their words spelled out, singular and plural, and names made of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PREFIXES = frozenset({"raw", "stg", "staging", "src", "dim", "fct", "fact", "tbl", "seed"})
_SHORT = {
    "addr": "address", "amt": "amount", "acct": "account", "avg": "average", "bal": "balance", "cat": "category",
    "cnt": "count", "cust": "customer", "ctry": "country", "desc": "description", "dept": "department",
    "dob": "birth date", "dt": "date", "emp": "employee", "fname": "first name", "inv": "invoice",
    "lname": "last name", "loc": "location", "mgr": "manager", "nm": "name", "ord": "order", "org": "organization",
    "pct": "percent", "prod": "product", "pymt": "payment", "qty": "quantity", "rev": "revenue", "supp": "supplier",
    "tel": "phone", "tot": "total", "trans": "transaction", "txn": "transaction", "ts": "timestamp", "usr": "user",
    "vend": "vendor", "whse": "warehouse", "yr": "year",
}  # fmt: skip
PLAIN_KEYS = frozenset({"id", "ids", "key", "pk", "fk", "uuid", "guid"})
_KEYS = PLAIN_KEYS | {"code", "sku", "isbn", "number", "no", "nr", "num"}
_FILES = (".csv", ".tsv", ".parquet")
_JOINED = re.compile(r"([a-z]{3,})(id|uuid)")
_NOT_JOINED = frozenset({
    "paid", "unpaid", "prepaid", "said", "valid", "invalid", "void", "avoid", "bid", "grid", "rapid", "solid",
    "fluid", "liquid", "hybrid", "android", "covid", "raid", "maid", "braid", "acid", "humid", "arid",
})  # fmt: skip
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "data": "data", "news": "news"}
_SAME = (
    frozenset({"user", "customer", "client", "buyer", "member", "account"}),
    frozenset({"product", "item", "article"}),
    frozenset({"store", "shop", "branch", "outlet"}),
    frozenset({"employee", "staff", "worker"}),
    frozenset({"supplier", "vendor"}),
)
LONGEST_NAME = 60


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in small letters: `CustID`, `cust_id` and `custid` give cust and id."""
    return tuple(part for word in words_of_name(name) for part in _parted(word))


def _parted(word: str) -> tuple[str, ...]:
    found = _JOINED.fullmatch(word)
    return (found[1], found[2]) if found and word not in _NOT_JOINED else (word,)


def spelled(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with the usual abbreviations spelled out."""
    return tuple(part for word in words for part in _SHORT.get(word, word).split())


def singular(word: str) -> str:
    """The singular of an English word, as far as its ending tells."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def plural(words: str) -> str:
    """The plural of a noun of one or several words."""
    for many, one in _IRREGULAR.items():
        if words == one:
            return many
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    return words + ("es" if words.endswith(("s", "x", "z", "ch", "sh")) else "s")


def table_stem(table: str) -> str:
    """A table's name without the suffix of its file, or without its schema."""
    suffix = next((suffix for suffix in _FILES if table.lower().endswith(suffix)), "")
    return table[: -len(suffix)] if suffix else table.rpartition(".")[2]


def entity_words(table: str) -> tuple[str, ...]:
    """What one row of a table is, by its name: `raw_order_items.csv` gives order and item."""
    words = spelled(_without_prefix(words_of(table_stem(table))))
    return (*words[:-1], singular(words[-1])) if words else ()


def view_name(table: str) -> str:
    """A view's name for a table's, without the prefixes that only say where it was loaded."""
    return _joined(_without_prefix(words_of_name(table_stem(table))))


def member_name(column: str) -> str:
    """A member's name for a column's."""
    return _joined(words_of_name(column))


def words_of_name(name: str) -> tuple[str, ...]:
    """The words of a name as it is written, none of them parted but at a change of case."""
    marked = unicodedata.normalize("NFKC", name).replace("%", " percent ").replace("#", " number ")
    return tuple(re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", marked)).casefold().split())


def _without_prefix(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if len(words) > 1 and words[0] in _PREFIXES else words


def _joined(words: tuple[str, ...]) -> str:
    name = "_".join(words)[:LONGEST_NAME].strip("_")
    return f"column_{name}" if name[:1].isdigit() else name


def unique(name: str, taken: Collection[str], otherwise: str) -> str:
    """The name, or `otherwise` where it is empty, with a number where others have it."""
    name = name or otherwise
    number, given = 2, name
    while given in taken:
        given, number = f"{name}_{number}", number + 1
    return given


def is_key_name(words: tuple[str, ...]) -> bool:
    """Whether a column's name says that it identifies something: it ends in id, key, code, number …."""
    return bool(words) and words[-1] in _KEYS


def stem_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a key column identifies: `cust_id` gives customer, `id` nothing."""
    kept = words[:-1] if is_key_name(words) else words
    return tuple(singular(word) for word in spelled(kept))


def mean_the_same(stem: tuple[str, ...], entity: tuple[str, ...]) -> bool:
    """Whether two nouns are often used for the same thing, as user and customer are: a hint, no proof."""
    pairs = zip(stem, entity, strict=False)
    alike = (a == b or any({a, b} <= group for group in _SAME) for a, b in pairs)
    return len(stem) == len(entity) and stem != entity and all(alike)
