"""Backedge: models propose, gates decide, nothing unproven moves forward."""


def __getattr__(name: str) -> object:
    """The public names of `backedge.python.names`, loaded when first used: `import backedge` costs nothing."""
    from importlib import import_module  # `backedge --help` pays for none of it

    try:
        found = import_module("backedge.python.names").PUBLIC[name]
    except KeyError:
        raise AttributeError(f"module 'backedge' has no attribute {name!r}") from None
    module, _, attribute = found.partition(":")
    return getattr(import_module(module), attribute)
