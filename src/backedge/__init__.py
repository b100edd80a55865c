"""Backedge: models propose, gates decide, nothing unproven moves forward."""
