"""What the source adapters are called, in evidence.yml, in commands and in runs."""

from __future__ import annotations

FILE, ROWS = "file", "sql"
RESOLVER, WEB = "doi", "web"
SEARCHABLE = ("arxiv", "crossref", "europepmc", "openalex", "pubmed")
NETWORK = (*SEARCHABLE, "unpaywall", RESOLVER, WEB)
EVERY = (FILE, ROWS, *NETWORK)
