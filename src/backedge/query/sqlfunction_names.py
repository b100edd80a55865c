"""Functions that only compute and that sqlglot does not type, for dialects without a connector to try them on."""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SQLITE = _words(
    """
    json json_array json_array_length json_each json_error_position json_insert json_patch json_pretty
    json_quote json_replace json_tree json_valid jsonb jsonb_array jsonb_object likelihood likely octet_length
    percentile printf quote timediff total unixepoch unlikely
    """
)

_MYSQL = _words(
    """
    adddate addtime bin bin_to_uuid conv crc32 export_set field find_in_set format_bytes format_pico_time
    from_days geometrycollection get_format inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv6 is_uuid
    json_array json_arrayagg json_contains json_contains_path json_depth json_insert json_length
    json_merge_patch json_merge_preserve json_overlaps json_pretty json_quote json_replace json_schema_valid
    json_search json_storage_size json_unquote json_valid make_set makedate microsecond mid oct octet_length ord
    period_add period_diff point quote sec_to_time st_area st_astext st_contains st_distance_sphere
    st_geomfromtext st_intersects st_latitude st_length st_longitude st_within st_x st_y strcmp subdate subtime
    sysdate time_format time_to_sec timediff to_seconds uncompress uncompressed_length uuid_to_bin yearweek
    """
)

_SNOWFLAKE = _words(
    """
    arrays_to_object as_array as_boolean as_date as_decimal as_double as_integer as_number as_object
    as_timestamp_ntz as_varchar boolean conditional_change_event conditional_true_event hash haversine
    is_boolean is_date is_decimal is_double is_integer is_object is_timestamp_ntz is_varchar like_all like_any
    object_delete object_pick ratio_to_report st_area st_asgeojson st_aswkt st_contains st_dwithin
    st_geogfromtext st_intersects st_within st_x st_y to_geography to_object
    """
)

_BIGQUERY = _words(
    """
    bucket generate_range_array ieee_divide json_array_length range_contains range_end range_overlaps
    range_start st_area st_asgeojson st_astext st_centroid st_contains st_dwithin st_geogfromtext st_geogpoint
    st_intersects st_length st_within st_x st_y
    """
)

_TSQL = _words(
    """
    approx_percentile_cont approx_percentile_disc binary_checksum bit_count checksum checksum_agg choose
    datalength date_bucket datetime2fromparts datetimeoffsetfromparts difference edit_distance getutcdate
    hashbytes isdate isjson isnumeric json_array json_modify json_path_exists left_shift nchar parse patindex
    quotename right_shift set_bit smalldatetimefromparts stdevp str string_escape switchoffset sysutcdatetime
    todatetimeoffset try_parse var varp
    """
)

_CLICKHOUSE = _words(
    """
    accuratecast accuratecastornull adddays addhours addminutes addmonths addquarters addseconds addweeks
    addyears arrayall arrayavg arraycount arraycumsum arraydifference arrayelement arrayenumerate
    arrayenumerateuniq arrayexists arrayfill arrayfirst arrayfirstindex arrayflatten arrayintersect arraylast
    arraypopback arraypopfront arrayproduct arraypushback arraypushfront arrayreversesort arraysort arraysplit
    arraystringconcat arrayuniq arrayzip assumenotnull base64decode base64encode basename bitand bitcount bitnot
    bitor bitshiftleft bitshiftright bittest bitxor concatwithseparator countdigits countequal countsubstrings
    crc32 cutquerystring cuttofirstsignificantsubdomain cuturlparameter cutwww datename decodeurlcomponent
    dividedecimal domain domainwithoutwww e empty encodeurlcomponent erf erfc exp10 exp2 extractall
    extractallgroups extracturlparameter extracturlparameters farmhash64 finalizeaggregation
    firstsignificantsubdomain formatreadablequantity formatreadablesize formatreadabletimedelta fragment
    fromunixtimestamp gcd geodistance greatcircledistance greater greaterorequals halfmd5 hasall hasany
    hassubstr hastoken ifnotfinite indexof intdiv intdivorzero inthash32 inthash64 isfinite isnotnull isnull
    isvalidjson isvalidutf8 json_exists json_query json_value jsonarraylength jsonextract jsonextractarrayraw
    jsonextractbool jsonextractfloat jsonextractint jsonextractkeys jsonextractkeysandvalues jsonextractuint
    jsonhas jsonlength jsontype laginframe lcm leadinframe lengthutf8 less lessorequals log1p lowerutf8 mapadd
    mapapply mapcontains mapfilter mapkeys mapsubtract mapvalues max2 metrohash64 min2 minus modulo moduloorzero
    multifuzzymatchany multiif multimatchany multimatchanyindex multiply multiplydecimal multisearchallpositions
    multisearchany multisearchfirstindex negate netloc ngramdistance normalizeutf8nfc notempty notequals
    notilike now64 parsedatetimebesteffort parsedatetimebesteffortornull parsedatetimebesteffortorzero path plus
    port positioncaseinsensitive positionutf8 protocol querystring replaceall replaceone replaceregexpall
    replaceregexpone reverseutf8 roundage roundbankers rounddown roundduration roundtoexp2 runningaccumulate
    runningdifference simplejsonextractint simplejsonextractstring simplejsonhas siphash64 splitbychar
    splitbynonalpha splitbywhitespace stringjaccardindex substringutf8 subtractdays subtracthours
    subtractminutes subtractmonths subtractquarters subtractseconds subtractweeks subtractyears tgamma timeslot
    timeslots timezoneoffset todate todate32 todateornull todateorzero todatetime todatetime64 todatetimeornull
    todatetimeorzero today todayofmonth todayofweek todayofyear todayssinceyearzero todecimal128 todecimal32
    todecimal64 todecimal64ornull todecimal64orzero todecimalstring tofixedstring tofloat32 tofloat32ornull
    tofloat32orzero tofloat64 tofloat64ornull tofloat64orzero tohour toint128 toint16 toint32 toint32ornull
    toint32orzero toint64 toint64ornull toint64orzero toint8 tointerval tointervalday tointervalhour
    tointervalminute tointervalmonth tointervalquarter tointervalsecond tointervalweek tointervalyear toisoweek
    toisoyear tolastdayofmonth tolastdayofweek tominute tomonth tonullable topleveldomain toquarter
    torelativedaynum torelativehournum torelativeminutenum torelativemonthnum torelativequarternum
    torelativesecondnum torelativeweeknum torelativeyearnum tosecond tostartoffifteenminutes
    tostartoffiveminutes tostartofinterval tostartofisoyear tostartoftenminutes tostartofweek tostring totime
    totimezone touint16 touint256 touint32 touint32ornull touint32orzero touint64 touint64ornull touint64orzero
    touint8 touint8ornull touint8orzero tounixtimestamp touuid tovalidutf8 toweek toyear toyearweek toyyyymm
    toyyyymmdd toyyyymmddhhmmss tupleelement upperutf8 visitparamextractstring visitparamhas widthbucket
    xxhash64 yesterday
    """
)

_DATABRICKS = _words(
    """
    array_union arrays_overlap bigint bin bround btrim cardinality conv count_min_sketch crc32 date_part decimal
    e every expm1 find_in_set forall format_number from_csv get hash histogram_numeric hypot inline_outer isdate
    isnotnull isnull json_array_length json_tuple log1p luhn_check make_date make_dt_interval make_timestamp_ntz
    make_ym_interval map_concat map_entries map_filter map_values map_zip_with mask mean nullifzero octet_length
    pmod positive printf regexp schema_of_csv schema_of_json sentences session_window shiftrightunsigned
    smallint some std timediff timestamp_micros timestamp_millis timestamp_seconds tinyint to_csv to_varchar
    transform_keys transform_values try_aes_decrypt try_avg try_sum try_to_binary try_to_number try_to_timestamp
    try_variant_get url_decode url_encode variant_get window window_time xpath xpath_string xxhash64 zeroifnull
    zip_with
    """
)

COMPUTING: Mapping[str, frozenset[str]] = {
    "bigquery": _BIGQUERY,
    "clickhouse": _CLICKHOUSE,
    "databricks": _DATABRICKS,
    "mysql": _MYSQL,
    "snowflake": _SNOWFLAKE,
    "sqlite": _SQLITE,
    "tsql": _TSQL,
}
