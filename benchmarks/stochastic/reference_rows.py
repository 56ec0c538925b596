"""From results of Tumble to rows of a reference: values, sampling errors, errors of time steps and of meshes."""
import json
import math

import netCDF4
import numpy as np

from neutral import evaluate

NORMAL_95 = 1.959963984540054      # half of a 95 % interval, in standard errors
INNER = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98)      # about where the bins of densities end
PLACES = 11                        # of a field, in the table of draws


def number(value):
    return float(evaluate(value, {}) if isinstance(value, str) else value)


def distinct(names, values):
    """Which columns differ, and for each the others that always equal it."""
    keep, also = [], []
    for i in range(len(names)):
        same = [k for k, j in enumerate(keep) if np.array_equal(values[:, i], values[:, j])]
        if same:
            also[same[0]].append(names[i])
        else:
            keep.append(i)
            also.append([])
    return keep, also


def groups_of(path):
    """Columns of a table of draws that stand for several parameters."""
    groups = {}
    with open(path, newline="") as file:
        for line in file:
            if not line.startswith("# column "):
                continue
            name, _, rest = line[len("# column "):].partition(": also ")
            groups[name] = [other.strip() for other in rest.split(", ")]
    return groups


def open_results(path):
    data = netCDF4.Dataset(path)
    data.set_auto_mask(False)
    return data


def times_of(case):
    model, times = case.described(), case.outputs["times"]
    every, begin = number(times["every"]), number(times["from"])
    end = number(model["simulation"]["duration"])
    count = int(math.floor((end - begin) / every + 1e-9)) + 1
    return [round(begin + i * every, 12) for i in range(count)]


def indices_of_times(case):
    step = number(case.described()["simulation"]["output_step"])
    return [round(t / step) for t in times_of(case)]


def picker(data, of):
    """(name of the variable without statistic, component or None) of `probe.quantity.component`."""
    parts = of.split(".")
    component = None
    if len(parts) == 3:
        component = {"x": 0, "y": 1, "z": 2}[parts[2]]
    return f"{parts[0]}_{parts[1]}", component


def curve(data, of, statistic, at):
    name, component = picker(data, of)
    values = data[f"{name}_{statistic}" if statistic else name][...]
    if component is not None:
        values = values[..., component]
    return values[..., at]


def with_fields(case, columns, values, results):
    """Appends what fields are at some places along their beams: offset + modes x germs of a Gaussian field."""
    columns, values = list(columns), values
    with open_results(results) as data:
        for name, path in case.outputs["fields"].items():
            germs = [i for i, column in enumerate(columns) if column.startswith(f"fields.{path}.germ[")]
            place = data[f"{name}_place"][...]
            for s in np.linspace(place[0], place[-1], PLACES):
                offset = np.interp(s, place, data[f"{name}_mean"][...])
                modes = [np.interp(s, place, mode) for mode in data[f"{name}_modes"][...]]
                columns.append(f"{path}(s={s:.4g})")
                extra = offset + values[:, germs] @ np.array(modes)
                values = np.column_stack([values, [float(f"{x:.10g}") for x in extra]])
    return columns, values


def trajectories(case, results):
    at = indices_of_times(case)
    with open_results(results) as data:
        out = {name: curve(data, what["of"], "", at) for name, what in case.outputs["curves"].items()}
        out["time"] = times_of(case)
        if any(data["status"][...]):
            raise SystemExit(f"{case.id}: a trajectory failed: {results}")
    return out


def edges(case, results, here, size):
    """Bins of the densities of scalars, the same for all sizes: made once, from the first reference that is not small."""
    path = here / "problems" / case.id / "bins.json"
    if path.is_file():
        return json.loads(path.read_text())
    out = {}
    with open_results(results) as data:
        for name in case.outputs["scalars"]:
            values = data[f"quantity_{name}"][...]
            digits = 1 - math.floor(math.log10(np.std(values)))
            out[name] = sorted({round(float(q), digits) + 0.0 for q in np.quantile(values, INNER)})
    if size != "small":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(out, indent=1) + "\n")
    return out


def row(quantity, statistic, time, value, standard_error, time_error, runs, mesh_error=0.0):
    numbers = {"value": value, "standard_error": standard_error, "time_error": time_error, "mesh_error": mesh_error}
    shorter = {key: float(f"{float(number):.{10 if key == 'value' else 3}g}") for key, number in numbers.items()}
    return {"quantity": quantity, "statistic": statistic, "time": time, "runs": int(runs), **shorter}


def statistics(case, results, bins):
    rows, at, times = [], None, None
    if case.outputs["curves"]:
        at, times = indices_of_times(case), times_of(case)
    with open_results(results) as data:
        if data.failed:
            raise SystemExit(f"{case.id}: {data.failed} realisations failed; the reference must not be conditional on success")
        runs = int(data.realizations)
        probabilities = data["quantile"][...]
        for name, what in case.outputs["curves"].items():
            of = what["of"]
            error = curve(data, of, "time_error", at)
            for statistic in ("mean", "std"):
                value, se = curve(data, of, statistic, at), curve(data, of, f"{statistic}_se", at)
                rows += [row(name, statistic, t, value[i], se[i], error[i], runs) for i, t in enumerate(times)]
            value, low, high = (curve(data, of, f"quantile{end}", at) for end in ("", "_lower", "_upper"))
            for q, p in enumerate(probabilities):
                se = (high[q] - low[q]) / (2 * NORMAL_95)
                rows += [row(name, f"quantile {p:.10g}", t, value[q][i], se[i], 2 * error[i], runs) for i, t in enumerate(times)
                         if math.isfinite(se[i])]
        for name in case.outputs["scalars"]:
            rows += of_scalar(name, data, probabilities, bins.get(name, []), runs)
        for name, wanted in case.outputs.get("probabilities", {}).items():
            rows.append(passage(name, wanted, data, runs))
    return rows


def scalar_error(data, name):
    """Of the steps and of the distance of outputs together, root mean square and mean."""
    return float(data[f"quantity_{name}_time_error"][...]) + float(data[f"quantity_{name}_mean_output_error"][...])


def of_scalar(name, data, probabilities, bins, runs):
    def get(statistic):
        return data[f"quantity_{name}_{statistic}"][...]
    error, values = scalar_error(data, name), data[f"quantity_{name}"][...]
    rows = [row(name, statistic, None, get(statistic), get(f"{statistic}_se"), error, runs) for statistic in ("mean", "std")]
    for q, p in enumerate(probabilities):
        se = (get("quantile_upper")[q] - get("quantile_lower")[q]) / (2 * NORMAL_95)
        if math.isfinite(se):
            rows.append(row(name, f"quantile {p:.10g}", None, get("quantile")[q], se, 2 * error, runs))
    for low, high in zip(bins[:-1], bins[1:]):
        inside = np.mean((values >= low) & (values < high))
        near = np.mean(np.minimum(np.abs(values - low), np.abs(values - high)) < error)
        rows.append(row(name, f"share {low!r} {high!r}", None, inside, share_error(inside, runs), near, runs))
    return rows


def share_error(share, runs):
    """Not zero where nothing or everything was counted: one run more or less."""
    inner = min(max(share, 1 / runs), 1 - 1 / runs)
    return math.sqrt(inner * (1 - inner) / runs)


def passage(name, wanted, data, runs):
    values, error = data[f"quantity_{wanted['of']}"][...], scalar_error(data, wanted["of"])
    limit = float(wanted.get("above", wanted.get("below")))
    beyond = np.mean(values > limit if "above" in wanted else values < limit)
    return row(name, "probability", None, beyond, share_error(beyond, runs), np.mean(np.abs(values - limit) < error), runs)


def add_mesh_errors(case, rows, coarse, fine):
    """What elements half as long change in mean, deviation and quantiles of the same machines; what they leave is about a third of that
    again, the elements being of second order, so four thirds are stated. Machines of one seed have the same fields on both meshes."""
    change = {}
    at = indices_of_times(case)
    times = times_of(case)
    with open_results(coarse) as a, open_results(fine) as b:
        for name, what in case.outputs["curves"].items():
            for statistic in ("mean", "std"):
                size = np.abs(curve(a, what["of"], statistic, at) - curve(b, what["of"], statistic, at))
                for i, t in enumerate(times):
                    change[name, statistic, t] = float(size[i])
        for name in case.outputs["scalars"]:
            for statistic in ("mean", "std"):
                change[name, statistic, None] = abs(float(a[f"quantity_{name}_{statistic}"][...]) - float(b[f"quantity_{name}_{statistic}"][...]))
    for one in rows:
        key = one["quantity"], one["statistic"], one["time"]
        if key in change:
            size = change[key]
        elif one["statistic"].startswith("quantile"):      # moved with the mean and stretched with the deviation
            size = change[key[0], "mean", key[2]] + NORMAL_95 * change[key[0], "std", key[2]]
        else:
            size = 0.75                                    # the share of another mesh may be any
        one["mesh_error"] = float(f"{4 / 3 * size:.3g}")


def indices(case, results, rows):
    """Shares of the variance. Values off by an error of r deviations move a share by 2 r at most, to first order."""
    out = []
    deviation = {one["quantity"]: one for one in rows if one["statistic"] == "std" and one["time"] is None}
    with open_results(results) as data:
        groups = data["group"][...]
        runs = int(data.realizations)
        for name in case.outputs["scalars"]:
            error = 2 * deviation[name]["time_error"] / deviation[name]["value"]
            for word, variable in (("first", "sobol_group"), ("total", "sobol_group_total")):
                value, low, high = (data[f"quantity_{name}_{variable}{end}"][...] for end in ("", "_lower", "_upper"))
                out += [row(name, f"{word} {group}", None, value[g], (high[g] - low[g]) / (2 * NORMAL_95), error, runs)
                        for g, group in enumerate(groups)]
    return out


def reliability(name, results):
    with open_results(results) as data:
        p = float(data["probability"][...])
        se = p * float(data["probability_cv"][...])
        low, high = float(data["probability_output_lower"][...]), float(data["probability_output_upper"][...])
        # As many plain runs would have the same error.
        return row(name, "probability", None, p, se, max(p - low, high - p, 0.0), max(1, round(p * (1 - p) / se**2)))


def identification(found, halved, draws):
    """Means over independent ensembles, their scatter as the sampling error."""
    def read(path):
        with open_results(path) as data:
            return {"cv": float(np.ravel(data["estimate"][...])[0]), "cv_lower": float(np.ravel(data["lower"][...])[0]),
                    "cv_upper": float(np.ravel(data["upper"][...])[0]), "log_likelihood": float(np.ravel(data["log_likelihood"][...])[0])}
    values, other = [read(path) for path in found], read(halved)
    rows = []
    for name in values[0]:
        sample = [one[name] for one in values]
        rows.append(row(name, "mean", None, np.mean(sample), np.std(sample, ddof=1) / math.sqrt(len(sample)),
                        4 / 3 * abs(values[0][name] - other[name]), draws * len(sample)))
    return rows


def sizes(case, purpose, size):
    """(work of the full size, work of this one) of a run, in one unit."""
    outputs = case.outputs
    if purpose == "reference":
        return outputs["runs"]["full"], outputs["runs"][size]
    if purpose == "indices":
        return outputs["indices"][case.name]["full"], outputs["indices"][case.name][size]
    if purpose in ("mesh", "mesh-finer"):
        return outputs["mesh"]["full"], outputs["mesh"][size]
    if purpose in outputs.get("reliability", {}):
        return outputs["reliability"][purpose]["full"], outputs["reliability"][purpose][size]
    if purpose.startswith("seed"):
        return outputs["identify"]["full"], outputs["identify"][size]
    return 1, 1
