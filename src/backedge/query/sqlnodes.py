"""Which nodes of a parsed statement a guarded query may hold: a list of what is allowed, so anything new is refused."""

from __future__ import annotations

from sqlglot import exp

ROOTS = (exp.Select, exp.SetOperation, exp.Subquery)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALLOWED = _words(
    """
    Add Adjacent Alias Aliases All Any AtTimeZone Between BitString BitwiseAnd BitwiseLeftShift BitwiseNot
    BitwiseOr BitwiseRightShift BitwiseXor Boolean Bracket ByteString CTE Column ColumnDef Comprehension Cube
    DPipe DataType DataTypeParam Distance Distinct Div Dot EQ Escape Except Fetch Filter ForIn From FromTimeZone
    GT GTE Glob Group GroupingSets Having HavingMax Heredoc HexString ILike Identifier IgnoreNulls In IntDiv
    Intersect Interval IntervalSpan Is JSON JSONColumnDef JSONKeyValue JSONPath JSONPathFilter JSONPathKey
    JSONPathPart JSONPathRecursive JSONPathRoot JSONPathScript JSONPathSelector JSONPathSlice JSONPathSubscript
    JSONPathUnion JSONPathWildcard JSONSchema JSONValue Join Kwarg LT LTE Lambda Lateral Like Limit LimitOptions
    Literal Mod Mul NEQ National Neg Not Null NullSafeEQ NullSafeNEQ Offset Operator Order Ordered Overlaps
    Paren Pivot PivotAlias PivotAny Placeholder PositionalColumn Pseudocolumn Qualify RawString RespectNulls
    Rollup Select SimilarTo Slice Star Sub Subquery Table TableAlias TableColumn TableSample Tuple UnicodeString
    Union UnpivotColumns Values Var Where Window WindowSpec With WithinGroup
    """
)

_SELECT_ARGUMENTS_REFUSED = ("settings", "format", "into", "locks")


def refused_node(node: exp.Expr) -> str | None:
    """Why this node may not stand in a query that only reads, or None. Functions are judged elsewhere."""
    if isinstance(node, exp.Func):
        return None
    if isinstance(node, exp.Parameter):
        return None if isinstance(node.this, exp.Literal) else "session variables may not be read or set"
    if isinstance(node, exp.PropertyEQ):
        return "session variables may not be read or set" if isinstance(node.this, exp.Parameter) else None
    if isinstance(node, exp.QueryOption):
        return None if node.name.upper() == "MAXRECURSION" else f"OPTION ({node.name}) may not be used"
    if isinstance(node, exp.Select):
        for argument in _SELECT_ARGUMENTS_REFUSED:
            if node.args.get(argument):
                return f"{argument.upper()} may not be used"
    if type(node).__name__ not in _ALLOWED:
        return f"{type(node).__name__.upper()} is not part of a query that only reads"
    return None
