"""A clinic for the grounder's tests, whose words mean several things: values, names, dates and counts that clash."""

from __future__ import annotations

from datetime import date

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.values import Values, values_from
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from tests.ask.grounding_shop import column

STAYS = View(
    name="stays",
    table="stays",
    entities=(Entity("stay", "primary", ("stay_id",)), Entity("patient", "foreign", ("patient_id",))),
    dimensions=(
        Dimension("stay_id", "number", "stay_id", primary_key=True),
        Dimension("patient_id", "number", "patient_id"),
        Dimension("ward", "string", "ward"),
        Dimension("state", "string", "state"),
        Dimension("nurse", "string", "nurse"),
        Dimension("month_name", "string", "strftime(admitted, '%B')"),
        Dimension("release_year", "string", "release_year"),
        Dimension("score", "number", "score"),
        Dimension("admitted", "date", "admitted", synonyms=("admission date",)),
        Dimension("discharged", "date", "discharged"),
    ),
    measures=(
        Measure("stay_count", "count", synonyms=("stays", "weeks")),
        Measure("open_stays", "count", filters=("state = 'open'",)),
        Measure("bill_total", "sum", "bill", synonyms=("bills", "score")),
        Measure("beds_used", "sum", "beds", synonyms=("beds",)),
        Measure("highest_bill", "max", "bill", synonyms=("best week",)),
    ),
)
PATIENTS = View(
    name="patients",
    table="patients",
    entities=(Entity("patient", "primary", ("patient_id",)),),
    dimensions=(
        Dimension("patient_id", "number", "patient_id", primary_key=True),
        Dimension("full_name", "string", "name"),
        Dimension("city", "string", "city"),
        Dimension("born", "number", "born", synonyms=("year",)),
    ),
    measures=(
        Measure("patient_count", "count", synonyms=("patients",)),
        Measure("insured_patients", "count", filters=("insured",)),
    ),
)
VISITS = View(
    name="visits",
    table="visits",
    entities=(Entity("visit", "primary", ("visit_id",)), Entity("patient", "foreign", ("patient_id",))),
    dimensions=(
        Dimension("visit_id", "number", "visit_id", primary_key=True),
        Dimension("patient_id", "number", "patient_id"),
        Dimension("day", "date", "day"),
    ),
    measures=(Measure("visit_minutes", "sum", "minutes"),),
)
LABS = View(
    name="labs",
    table="labs",
    entities=(Entity("lab", "primary", ("lab_id",)), Entity("stay", "foreign", ("stay_id",))),
    dimensions=(Dimension("lab_id", "number", "lab_id"), Dimension("stay_id", "number", "stay_id")),
    measures=(Measure("lab_cost", "sum", "cost"),),
)
MODEL = Model((STAYS, PATIENTS, VISITS, LABS))
CATALOG = Catalog(MODEL)
VALUES: Values = values_from(
    MODEL,
    (
        column("stays.ward", "A", "B", "A and B", "Urgent"),
        column("stays.state", "open", "not open", "closed"),
        column("stays.nurse", "April", "Grace", "William", "Williams", "Müller", "Muller"),
        column("stays.month_name", "March", "May"),
        column("stays.release_year", "2023", "2024"),
        column("patients.full_name", "Patient 5", "Patient 6"),
        column("patients.city", "York", "New York"),
        *(
            column(f"stays.{day}", end)
            for day in ("admitted", "discharged")
            for end in (date(2022, 1, 1), date(2024, 3, 31))
        ),
        *(column("visits.day", end) for end in (date(2022, 1, 1), date(2024, 3, 31))),
    ),
)
