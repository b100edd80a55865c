"""Which functions a guarded query may call: those that sqlglot types and that only compute, and a few per dialect."""

from __future__ import annotations

from sqlglot import exp

from backedge.query.sqlfunction_names import COMPUTING


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Typed by sqlglot, yet they read files or models, change a sequence, tell of the session, or carry a free name.
_REFUSED_TYPES = _words(
    """
    AIAgg AIClassify AIEmbed AIForecast AIGenerate AISimilarity AISummarizeAgg AnonymousAggFunc Apply
    CombinedAggFunc CombinedParameterizedAgg ConnectByRoot CurrentAccount CurrentAccountName
    CurrentAvailableRoles CurrentCatalog CurrentClient CurrentDatabase CurrentIpAddress CurrentOrganizationName
    CurrentOrganizationUser CurrentRegion CurrentRole CurrentRoleType CurrentSchema CurrentSchemas
    CurrentSecondaryRoles CurrentSession CurrentStatement CurrentTransaction CurrentUser CurrentUserId
    CurrentVersion CurrentWarehouse DynamicIdentifier FeaturesAtTime GenerateBool GenerateDouble
    GenerateEmbedding GenerateInt GenerateTable GenerateText Generator MLForecast MLTranslate NetFunc
    NextValueFor ObjectId ParameterizedAgg Predict ReadCSV ReadParquet SafeFunc Search Secret SessionUser
    Shuffle ToFile VectorSearch XMLGet XMLTable
    """
)

_ANY_DIALECT = _words("age date datetime julianday now strftime to_timestamp unix_timestamp weekday")

_DUCKDB = _words(
    """
    add aggregate ago arbitrary arg_max_null arg_max_nulls_last arg_min_null arg_min_nulls_last array_aggr
    array_aggregate array_apply array_cosine_distance array_cosine_similarity array_cross_product array_distance
    array_dot_product array_extract array_grade_up array_has_any array_indexof array_inner_product
    array_pop_back array_pop_front array_push_back array_push_front array_reduce array_resize array_reverse_sort
    array_select array_sort array_to_json array_transform array_unique array_value array_where array_zip bar
    base64 bin bit_count bit_position bitstring bitstring_agg cardinality century count_star damerau_levenshtein
    date_part date_sub datepart datesub days_in_month decade decimal_average divide element_at entropy enum_code
    enum_first enum_last enum_range epoch_ns epoch_us equi_width_bins era even favg fdiv fmod format_bytes
    formatreadabledecimalsize formatreadablesize from_binary from_json_strict fsum gamma gcd geomean
    geometric_mean get_current_timestamp grade_up greatest_common_divisor hamming hash histogram histogram_exact
    ilike_escape isfinite isoyear jaccard jaro_similarity json_array_length json_contains json_exists
    json_group_array json_group_object json_group_structure json_merge_patch json_pretty json_quote
    json_structure json_transform json_transform_strict json_valid json_value julian kahan_sum kurtosis_pop lcm
    least_common_multiple left_grapheme length_grapheme lgamma like_escape list_aggr list_aggregate
    list_any_value list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor
    list_bool_and list_bool_or list_cat list_cosine_similarity list_count list_dot_product list_element
    list_entropy list_extract list_first list_grade_up list_has_all list_histogram list_indexof
    list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last list_mad list_median list_mode
    list_pack list_position list_product list_reduce list_resize list_reverse list_reverse_sort list_select
    list_sem list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum
    list_unique list_var_pop list_var_samp list_where list_zip lttb mad make_timestamp_ms make_timestamp_ns
    make_timestamptz map_concat map_contains map_contains_entry map_contains_value map_entries map_extract
    map_extract_value map_values md5_number md5_number_lower md5_number_upper mean microsecond millennium
    millisecond mismatches multiply nanosecond nextafter nfc_normalize not_ilike_escape not_like_escape
    octet_length ord parse_dirname parse_dirpath parse_filename parse_path prefix printf product regexp_escape
    regexp_split_to_array reservoir_quantile right_grapheme round_even roundbankers row row_to_json sem set_bit
    signbit strip_accents strlen struct_concat struct_contains struct_extract_at struct_has struct_indexof
    struct_insert struct_keys struct_position struct_update struct_values substring_grapheme subtract suffix
    sum_no_overflow sumkahan timezone timezone_hour timezone_minute to_base to_centuries to_decades to_hours
    to_json to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_weeks
    to_years transaction_timestamp try_strptime unbin union_extract union_tag union_value url_decode url_encode
    wavg weighted_avg yearweek
    """
)

_POSTGRES = _words(
    """
    array_dims array_fill array_lower array_ndims array_positions array_replace array_upper bit_count bool_and
    bool_or btrim cardinality clock_timestamp convert_from convert_to date_part div erf every factorial gcd
    get_bit isfinite json_agg json_array_elements json_array_elements_text json_array_length json_build_array
    json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object_keys
    json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_keys
    jsonb_path_query jsonb_pretty jsonb_typeof lcm make_date make_time make_timestamp make_timestamptz min_scale
    multirange num_nonnulls num_nulls octet_length quote_ident quote_literal quote_nullable random regexp_match
    regexp_matches regexp_split_to_array regexp_split_to_table row scale similarity statement_timestamp
    string_to_table timezone to_hex transaction_timestamp trim_scale unaccent unistr width_bucket
    """
)

_BY_DIALECT = {"duckdb": _DUCKDB, "postgres": _POSTGRES, **COMPUTING}

# ClickHouse's parser makes these of its own list of aggregates, and their name is a plain str then; in anything else
# (`anonymous_agg_func('hostName')` renders as `hostName()`) the name is free.
_CLICKHOUSE_AGGREGATES = _words("AnonymousAggFunc CombinedAggFunc CombinedParameterizedAgg ParameterizedAgg")

# What may stand in FROM with arguments; everything else there must be a known table.
TABLE_FUNCTIONS = (exp.Unnest, exp.GenerateSeries, exp.ExplodingGenerateSeries)

_POSTGRES_ROW_FUNCTIONS = _words(
    """
    json_array_elements json_array_elements_text json_each json_each_text json_object_keys jsonb_array_elements
    jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys regexp_matches regexp_split_to_table
    string_to_table
    """
)
_ROW_FUNCTIONS = {"postgres": _POSTGRES_ROW_FUNCTIONS, "sqlite": _words("json_each json_tree")}

# The result of each grows with a number in its arguments: (type, names of the arguments that are sizes).
_SIZED_TYPES: tuple[tuple[type[exp.Expr], tuple[str, ...]], ...] = (
    (exp.GenerateSeries, ("start", "end", "step")),
    (exp.ExplodingGenerateSeries, ("start", "end", "step")),
    (exp.GenerateDateArray, ("start", "end", "step")),
    (exp.GenerateTimestampArray, ("start", "end", "step")),
    (exp.Repeat, ("this", "times")),
    (exp.Space, ("this",)),
    (exp.Pad, ("this", "expression")),
)
_SIZED_NAMES = _words("array_fill array_resize bar generate_series list_resize lpad range repeat rpad space")
_LARGEST = 1_000_000


def function_name(node: exp.Func) -> str:
    """The last part of a function's name, folded: `pg_catalog."PG_Read_File"` is `pg_read_file`."""
    if isinstance(node, exp.Anonymous):
        return node.name.casefold()
    return node.sql_name().casefold()


def is_allowed_function(node: exp.Func, dialect: str) -> bool:
    """Whether the function only computes from its arguments."""
    if isinstance(node, exp.Anonymous):
        name = function_name(node)
        typed = exp.FUNCTION_BY_NAME.get(name.upper())  # a quoted name, or one after a dot, is not typed by the parser
        by_name = name in _ANY_DIALECT or name in _BY_DIALECT.get(dialect, frozenset())
        return by_name or (typed is not None and typed.__name__ not in _REFUSED_TYPES)
    kind = type(node).__name__
    of_parser = dialect == "clickhouse" and kind in _CLICKHOUSE_AGGREGATES and isinstance(node.args["this"], str)
    return kind not in _REFUSED_TYPES or of_parser


def is_allowed_table_function(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the function may stand in FROM: it makes rows out of its arguments alone."""
    if isinstance(node, exp.Anonymous):
        return function_name(node) in _ROW_FUNCTIONS.get(dialect, frozenset())
    return isinstance(node, TABLE_FUNCTIONS)


def oversized(node: exp.Func) -> str | None:
    """Why the arguments of a function could make a result that no memory limit stops in time, or None."""
    for argument in _sizes(node):
        for part in argument.walk():
            if isinstance(part, exp.Literal) and _number(part) > _LARGEST:
                return f"{function_name(node)}() is limited to {_LARGEST:,}"
            if isinstance(part, exp.Mul | exp.Pow | exp.BitwiseLeftShift | exp.DPipe | exp.Factorial):
                return f"the size given to {function_name(node)}() must be written out, not computed"
            if part is not node and isinstance(part, exp.Func) and _sizes(part):
                return f"{function_name(node)}() may not be given the result of {function_name(part)}()"
    return None


def _sizes(node: exp.Func) -> list[exp.Expr]:
    for kind, names in _SIZED_TYPES:
        if isinstance(node, kind):
            return [value for name in names if isinstance(value := node.args.get(name), exp.Expr)]
    if isinstance(node, exp.Anonymous) and function_name(node) in _SIZED_NAMES:
        return list(node.expressions)
    return []


def _number(literal: exp.Literal) -> float:
    try:
        return abs(float(literal.name))
    except ValueError:
        return 0.0
