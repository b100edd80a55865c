"""The English that the numbers gate knows: number words, and words that claim nothing by themselves."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ONES = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth")
# what may stand behind a number and names nothing that it counts
BEHIND_A_NUMBER = frozenset(
    _words(
        "a about above across ahead all already also altogether among an and are as at average because below both but "
        "by came combined come comes coming compared down during each even fewer followed for found from had has have "
        "here higher highest if in including into is it its just least less lower lowest made make makes more most of "
        "on only or out over overall per place placed points recorded respectively rounded seen since so sold than "
        "that the their them there these they this those though through throughout to together total totals "
        "under until up versus vs was went were when where whereas which while with within without worth"
    )
)
# words that claim nothing by themselves; any other word must be the question's or the result's own, or be proven
NEUTRAL = frozenset(
    _words(
        "a about according account accounted accounting accounts achieve achieved achieves across add added "
        "adding adds after again against all already also altogether among amongst amount amounted amounting "
        "amounts an and answer any approximately are around as asked at average averaged averages based be been "
        "before began begin begins being belong belonged belongs between both bottom breakdown bring bringing "
        "brings brought but by called came category chart combined come comes coming compare compared compares "
        "comparing comparison contribute contributed contributes contributing contribution converts count counted "
        "counting counts currency currently data did distribution do does double doubling during each end ended "
        "ending ends even every exactly few fewer figure figures find finds follow followed following follows for "
        "found fraction from gave generate generated generates generating get gets give given gives go goes got "
        "group groups had half happen happened has have having held here highest hit hits hold holds how however "
        "in include included includes including into is it its itself just lay lead least less level levels lie "
        "lies list listed lists lowest made make makes making many match matched matches mean meanwhile measure "
        "measured measures minus more most much name named namely no none nothing number numbers occur "
        "occurred of on one onto or our out over overall part parts per percent percentage period periods place "
        "placed places point points portion position positions post posted posts precisely question range ranged "
        "ranges ranging rank ranked ranking ranks reach reached reaches reaching recorded recording register "
        "registered registers relative report reported reports represent represented represents respectively "
        "result results roughly rounded row rows said sale sat saw say says see seeing seen sees share shares "
        "show showed showing shown shows since sit sits so sold split spread stand stands start started starting "
        "starts still stood sum summed sums table take taken takes taking than that the their them themselves "
        "there therein thereof these they third this those through throughout till to together too took top "
        "total totaled totaling totalled totalling totals toward towards unit until up us use used uses using "
        "value values varied varies vary versus via vs was we well went were what when where whereas which while "
        "who whole whose with within work worked working works worth yet you your zero"
    )
)
