"""The same six stages as DBOS steps on its SQLite default, in its own environment; one workflow is one run."""

# mypy: ignore-errors
from __future__ import annotations

import asyncio
import json
import sys
import time

from dbos import DBOS

TRANSITIONS = 8
REPLY = "x" * 2048
IN_FLIGHT = int(sys.argv[2])


def _stage(name):
    @DBOS.step(name=name)
    async def stage():
        return REPLY

    return stage


STAGES = {f"s{n}": _stage(f"s{n}") for n in range(1, 7)}


@DBOS.workflow()
async def six():
    """s1 … s6, and from s4 back to s3 once."""
    trail = ["s1", "s2", "s3", "s4", "s3", "s4", "s5", "s6"]
    for name in trail:
        await STAGES[name]()
    return len(trail)


async def main():
    """Serve the counts."""
    for line in sys.stdin:
        runs = int(line)
        began = time.perf_counter()
        for at in range(0, runs, IN_FLIGHT):
            handles = [await DBOS.start_workflow_async(six) for _ in range(at, min(at + IN_FLIGHT, runs))]
            await asyncio.gather(*(handle.get_result() for handle in handles))
        print(json.dumps({"ms": (time.perf_counter() - began) * 1000 / (runs * TRANSITIONS)}), flush=True)


if __name__ == "__main__":
    url = f"sqlite:///{sys.argv[1]}/dbos.db"
    DBOS(config={"name": "six", "system_database_url": url, "log_level": "ERROR"})
    DBOS.launch()
    asyncio.run(main())
    DBOS.destroy()
