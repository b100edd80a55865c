# What is done often. `just` alone runs every check that a change must pass before it is shown to anyone.

check: lint types imports test

# The default suite; `just test tests/kernel -x` narrows it.
test *ARGS:
    uv run pytest {{ARGS}}

lint:
    uv run ruff format --check
    uv run ruff check

types:
    uv run mypy

imports:
    uv run lint-imports --no-logo

# The marked suites that .ci/run adds to the default one.
slow:
    uv run pytest -m "(slow or chaos) and not browser"
    uv run pytest -m browser

# A model of 0.5 B in every stage, over real HTTP; its weights (490 MB) are downloaded once.
live:
    BACKEDGE_LIVE_MODEL="$(uv run python tools/live_model.py small)" uv run --extra local --extra embeddings pytest -m live

# Sixty questions with any model: `just nightly-models '{vendor: anthropic, model_ref: claude-haiku-4-5}'`; costs what it costs.
nightly-models MODEL *ARGS:
    uv run --extra local python -m benchmarks.nightly_models '{{MODEL}}' {{ARGS}}

# What takes a night: the compile against the oracle on 100,000 random questions.
nightly:
    uv run pytest -m nightly

# Ratios against peers in one run; `just bench append` runs one, and `ls benchmarks` names them.
bench NAME:
    uv run python benchmarks/{{NAME}}.py

# Newest versions that fit, written by name into pyproject.toml.
lock:
    uv run python tools/lock.py

ci:
    .ci/run
