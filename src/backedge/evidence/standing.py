"""What the types and links of JATS and PubMed say about the standing of an article: tables, nothing else."""

from __future__ import annotations

from backedge.evidence.sources import RelationKind, SignalKind

JATS_LINKS: dict[str, RelationKind] = {
    "retracted-article": "retraction_of",
    "partially-retracted-article": "retraction_of",
    "retraction-forward": "retracted_by",
    "partial-retraction-forward": "retracted_by",
    "retraction": "retracted_by",
    "withdrawn-article": "withdrawal_of",
    "withdrawal-forward": "withdrawn_by",
    "object-of-concern": "concern_about",
    "expression-of-concern": "concern_by",
    "concern-forward": "concern_by",
    "expression-of-concern-forward": "concern_by",
    "corrected-article": "correction_of",
    "correction-forward": "corrected_by",
    "correction": "corrected_by",
    "erratum": "corrected_by",
    "addended-article": "correction_of",
    "addendum": "corrected_by",
    "updated-article": "update_of",
    "update": "updated_by",
    "republished-article": "update_of",
    "preprint": "update_of",
    "version-of-record": "published_as",
    "commentary-article": "comment_on",
    "commented-article": "comment_on",
    "peer-reviewed-article": "comment_on",
}
"""`related-article-type` of JATS by what it makes of the article that holds it. "This retracts that" stands in the
notice (`retracted-article`), "this was retracted by that" in the original (`retraction-forward`). A preprint that an
article names is an earlier version of it. Types that are not here, such as `companion`, say nothing of standing."""

JATS_TYPES: dict[str, SignalKind] = {
    "retraction": "notice",
    "partial-retraction": "notice",
    "withdrawal": "notice",
    "expression-of-concern": "notice",
    "correction": "notice",
    "erratum": "notice",
    "corrigendum": "notice",
    "addendum": "notice",
    "retracted-article": "retracted",
    "partially-retracted-article": "retracted",
    "withdrawn-article": "withdrawn",
}
"""`article-type` of JATS, lower case, by the signal that it is; headings of the article's subjects count likewise."""

JATS_NOTICES: dict[str, RelationKind] = {
    "retraction": "retraction_of",
    "partial-retraction": "retraction_of",
    "withdrawal": "withdrawal_of",
    "expression-of-concern": "concern_about",
    "correction": "correction_of",
    "erratum": "correction_of",
    "corrigendum": "correction_of",
    "addendum": "correction_of",
}
"""The types of notices, by how such a notice stands to the one article that it links to without saying how."""

PUBMED_LINKS: dict[str, RelationKind] = {
    "RetractionIn": "retracted_by",
    "RetractionOf": "retraction_of",
    "PartialRetractionIn": "retracted_by",
    "PartialRetractionOf": "retraction_of",
    "RetractedandRepublishedIn": "retracted_by",
    "RetractedandRepublishedFrom": "update_of",
    "ExpressionOfConcernIn": "concern_by",
    "ExpressionOfConcernFor": "concern_about",
    "ErratumIn": "corrected_by",
    "ErratumFor": "correction_of",
    "CorrectedandRepublishedIn": "updated_by",
    "CorrectedandRepublishedFrom": "update_of",
    "RepublishedIn": "updated_by",
    "RepublishedFrom": "update_of",
    "UpdateIn": "updated_by",
    "UpdateOf": "update_of",
    "CommentOn": "comment_on",
}
"""`RefType` of PubMed. Those that are not here (`CommentIn`, `Cites`, …) say nothing of standing."""

PUBMED_TYPES: dict[str, SignalKind] = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "notice",
    "Retraction Notice": "notice",
    "Expression of Concern": "notice",
    "Published Erratum": "notice",
    "Corrected and Republished Article": "corrected",
}
"""Publication types of PubMed by the signal that they are."""
