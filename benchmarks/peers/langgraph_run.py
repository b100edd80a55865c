"""The same six stages on LangGraph's SQLite saver, in its own environment; every step is written before the next."""

# mypy: ignore-errors
from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

TRANSITIONS = 8
REPLY = "x" * 2048
IN_FLIGHT = int(sys.argv[2])


class State(TypedDict):
    """What the graph carries."""

    reply: str
    visits: int
    trail: list[str]


def _stage(name):
    async def stage(state):
        return {"reply": REPLY, "visits": state["visits"] + (name == "s4"), "trail": [*state["trail"], name]}

    return stage


def graph(saver):
    """s1 … s6, and from s4 back to s3 once."""
    plan = StateGraph(State)
    for n in range(1, 7):
        plan.add_node(f"s{n}", _stage(f"s{n}"))
    plan.add_edge(START, "s1")
    for one, other in (("s1", "s2"), ("s2", "s3"), ("s3", "s4"), ("s5", "s6"), ("s6", END)):
        plan.add_edge(one, other)
    plan.add_conditional_edges("s4", lambda state: "s3" if state["visits"] == 1 else "s5", ["s3", "s5"])
    return plan.compile(checkpointer=saver)


async def main():
    """Serve the counts."""
    async with AsyncSqliteSaver.from_conn_string(f"{sys.argv[1]}/langgraph.db") as saver:
        compiled, made = graph(saver), 0

        async def run(n):
            start = {"reply": "", "visits": 0, "trail": []}
            config = {"configurable": {"thread_id": f"run-{n}"}}
            end = await compiled.ainvoke(start, config, durability="sync")
            if len(end["trail"]) != TRANSITIONS:
                raise SystemExit(f"the run went another way: {end['trail']}")

        for line in sys.stdin:
            runs = int(line)
            began = time.perf_counter()
            for at in range(0, runs, IN_FLIGHT):
                await asyncio.gather(*(run(made + n) for n in range(at, min(at + IN_FLIGHT, runs))))
            made += runs
            print(json.dumps({"ms": (time.perf_counter() - began) * 1000 / (runs * TRANSITIONS)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
