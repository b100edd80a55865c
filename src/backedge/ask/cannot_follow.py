"""Why a run cannot be followed up; apart, for whatever catches it needs nothing else."""

from __future__ import annotations


class CannotFollow(Exception):
    """A run cannot be followed up. `forbidden`: it was asked by somebody else."""

    def __init__(self, message: str, *, forbidden: bool = False) -> None:
        super().__init__(message)
        self.forbidden = forbidden
