"""Laws of random numbers, to be put where a number stands: model["bodies.rod.mass"] = tumble.normal(2, 0.1)."""

from typing import Any


class Law:
    """A law by its name and fields, as the section `uncertainty` of a model file has it.

    >>> Law("normal", mean=2, std=0.1)
    Law('normal', mean=2, std=0.1)
    """

    def __init__(self, name: str, **fields: Any):
        self.name = name
        self.fields = fields

    def as_dict(self) -> dict:
        return {"law": self.name, **self.fields}

    def __repr__(self) -> str:
        return f"Law({self.name!r}{''.join(f', {k}={v!r}' for k, v in self.fields.items())})"


def law(name: str, **fields: Any) -> Law:
    """Any law that model files know; docs/reference/model-file.md lists them."""
    return Law(name, **fields)


def normal(mean: float, std: float) -> Law:
    return Law("normal", mean=mean, std=std)


def lognormal(mean: float, std: float) -> Law:
    return Law("lognormal", mean=mean, std=std)


def uniform(min: float, max: float) -> Law:
    return Law("uniform", min=min, max=max)


def interval(min: float, max: float) -> Law:
    """For `method: worst-case`, which asks for the ends alone; elsewhere all between is equally likely."""
    return uniform(min, max)


def triangular(min: float, mode: float, max: float) -> Law:
    return Law("triangular", min=min, mode=mode, max=max)


def beta(alpha: float, beta: float, min: float = 0.0, max: float = 1.0) -> Law:
    return Law("beta", alpha=alpha, beta=beta, min=min, max=max)


def gamma(mean: float, cv: float) -> Law:
    return Law("gamma", mean=mean, cv=cv)


def truncated_normal(mean: float, std: float, min: float, max: float) -> Law:
    return Law("truncated_normal", mean=mean, std=std, min=min, max=max)
