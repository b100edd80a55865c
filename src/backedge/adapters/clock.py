"""The machine's clock."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """Real time, in UTC."""

    def now(self) -> datetime:
        """The present moment."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(max(0.0, seconds))
