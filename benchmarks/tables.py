"""From the records of the benchmark programs to tables. Nothing here measures."""
import collections
import json

# Which measured parts make up a row of the split of time: (factor, part).
SPLIT = {
    "residual": [(1, "residual")],
    "Jacobian": [(1, "jacobian")],
    "factor": [(1, "jacobian_and_factor"), (-1, "jacobian")],
    "solve": [(1, "solve")],
    "kinematics": [(1, "drives"), (1, "update_bodies"), (1, "compose")],
    "probes": [(1, "probes")],
    "restarts": [(1, "restart")],
}
NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def best_of(report):
    """Of each benchmark of a report of Google Benchmark, the repetition with the least time.

    Wall time and processor time are minimised apart: what disturbs one need not disturb the other.
    Repetitions come in random order; the result has the order in which benchmarks were registered.
    """
    best = {}
    registered = sorted(report["benchmarks"], key=lambda run: (
        run.get("family_index", 0), run.get("per_family_instance_index", 0)))
    for run in registered:
        if run.get("run_type") == "aggregate":
            continue
        if run.get("error_occurred"):
            raise RuntimeError(f"{run['name']}: {run['error_message']}")
        unit = NANOSECONDS[run["time_unit"]]
        name = run["name"].replace("/real_time", "")
        entry = best.setdefault(name, dict(run, wall=float("inf"), cpu=float("inf")))
        entry["wall"] = min(entry["wall"], run["real_time"] * unit * 1e-9)
        entry["cpu"] = min(entry["cpu"], run["cpu_time"] * unit * 1e-9)
    return best


def lane_rates(report):
    """One record for each case and width of lanes_benchmark: rates and counts."""
    records = collections.OrderedDict()
    for name, run in best_of(report).items():
        _, case, lanes, threads = name.split("/")
        record = records.setdefault((case, lanes), {
            "case": case, "width": int(run["width"]), "instruction_set": lanes.split("-")[1]})
        n = run["realizations"]
        if threads == "threads:1":
            record["per_cpu_second"] = n / run["cpu"]
            record["per_second"] = n / run["wall"]
            record["iterations_per_step"] = run["iterations/step"]
            record["factorizations_per_step"] = run["factorizations/step"]
            record["failed_lanes"] = run["failed"]
        else:
            record["per_second_two_threads"] = n / run["wall"]
            record["per_cpu_second_two_threads"] = n / run["cpu"]
    scalar = {case: r["per_cpu_second"] for (case, _), r in records.items() if r["width"] == 1}
    for record in records.values():
        record["factor"] = record["per_cpu_second"] / scalar[record["case"]]
        record["two_over_one"] = record["per_second_two_threads"] / record["per_second"]
        record["two_over_one_cpu"] = (2 * record["per_cpu_second_two_threads"]
                                      / record["per_cpu_second"])
    return list(records.values())


def split_of_time(report):
    """For each case and width of parts_benchmark: seconds and operations of one realisation by part.

    Also the peak of each width, in operations per second, and what a study adds to each run.
    """
    runs = best_of(report)
    peaks = {name.split("/")[1]: run["operations"] * run["width"] / run["cpu"]
             for name, run in runs.items() if name.startswith("peak/")}
    measured = collections.OrderedDict()
    for name, run in runs.items():
        if name.startswith("parts/"):
            _, case, lanes, part = name.split("/")
            measured.setdefault((case, lanes), {})[part] = run
    records, around = [], {}
    for (case, lanes), parts in measured.items():
        if lanes == "any":
            around[case] = {part: run["cpu"] for part, run in parts.items()}
            continue
        width = parts["run"]["width"]

        def total(terms, quantity, share):
            return sum(sign * parts[part][quantity] * parts[part]["calls"] / share
                       for sign, part in terms)

        whole = parts["run"]["cpu"] / width
        seconds = {row: total(terms, "cpu", width) for row, terms in SPLIT.items()}
        operations = {row: total(terms, "operations", 1) for row, terms in SPLIT.items()}
        seconds["rest"] = whole - sum(seconds.values())
        records.append({
            "case": case, "width": int(width), "lanes": lanes, "seconds": seconds, "run": whole,
            "operations": operations, "run_operations": parts["run"]["operations"],
            "peak": peaks[lanes]})
    return records, around


def markdown(header, rows):
    """A table that reads well on a terminal too: columns padded, numbers to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header, *texts]) for i in range(len(header))]
    numeric = [all(row[i][:1].isdigit() or row[i][:1] in "-" for row in texts) for i in range(len(header))]

    def line(row):
        cells = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric)]
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if n else "-") for w, n in zip(widths, numeric)) + "|"
    return "\n".join([line(header), rule, *map(line, texts)]) + "\n"


def rates_table(rates):
    return markdown(
        ["model", "W", "set", "realisations/s", "over W = 1", "iterations/step", "factorisations/step",
         "failed lanes", "two threads/s", "two/one, wall", "two/one, CPU"],
        [[r["case"], r["width"], r["instruction_set"], f"{r['per_cpu_second']:.0f}",
          f"{r['factor']:.2f}", f"{r['iterations_per_step']:.3f}",
          f"{r['factorizations_per_step']:.4f}", f"{r['failed_lanes']:.1%}",
          f"{r['per_second_two_threads']:.0f}", f"{r['two_over_one']:.2f}", f"{r['two_over_one_cpu']:.2f}"] for r in rates])


def rates_figure(rates):
    """Bars, as plain SVG: how many times as many realisations a second of processor time has in lanes as without."""
    ink, pale, colors = "#1f2933", "#e4e7eb", {4: "#1261a0", 8: "#b44d12"}
    cases = list(dict.fromkeys(r["case"] for r in rates))
    left, top, width, row = 110, 44, 480, 54
    most = 5
    bottom = top + row * len(cases)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 50}" font-family="Helvetica, Arial, sans-serif" font-size="13">',
             f'<rect width="760" height="{bottom + 50}" fill="white"/>',
             f'<text x="{left}" y="24" font-weight="bold" fill="{ink}">Realisations per second of one core, over those without lanes</text>']
    for factor in range(most + 1):
        x = left + width * factor / most
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="{pale}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="{ink}">{factor}</text>')
    for k, case in enumerate(cases):
        y = top + row * k
        parts.append(f'<text x="{left - 10}" y="{y + row / 2 + 4:.1f}" text-anchor="end" fill="{ink}">{case}</text>')
        for r in rates:
            if r["case"] != case or r["width"] not in colors:
                continue
            at = y + 7 + (22 if r["width"] == 8 else 0)
            length = width * min(r["factor"], most) / most
            parts.append(f'<rect x="{left}" y="{at}" width="{length:.1f}" height="18" fill="{colors[r["width"]]}"/>')
            parts.append(f'<text x="{left + length + 6:.1f}" y="{at + 14}" fill="{ink}">{r["factor"]:.2f}: {r["per_cpu_second"]:.0f} per second</text>')
    for k, (lanes, color) in enumerate(colors.items()):
        parts.append(f'<rect x="{left + 150 * k}" y="{bottom + 28}" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{left + 18 + 150 * k}" y="{bottom + 39}" fill="{ink}">{lanes} in lock step</text>')
    return "\n".join(parts + ["</svg>", ""])


def recorded_rates(lines):
    """The records of lane_rates() from the lines of a file of benchmarks/results."""
    records = collections.OrderedDict()
    for line in lines:
        cells = line.strip().split(",")
        if cells[0] != "lanes":
            continue
        _, case, width, instruction_set, quantity, value = cells
        record = records.setdefault((case, width, instruction_set), {"case": case, "width": int(width), "instruction_set": instruction_set})
        record[quantity] = float(value)
    return list(records.values())


def split_table(records, around, case):
    """Microseconds of a realisation, and what part of the run that is."""
    chosen = [r for r in records if r["case"] == case]
    rows = []
    for part in [*SPLIT, "rest"]:
        rows.append([part] + [f"{1e6 * r['seconds'][part]:.1f} ({r['seconds'][part] / r['run']:.0%})"
                              for r in chosen])
    rows.append(["whole run"] + [f"{1e6 * r['run']:.1f}" for r in chosen])
    for part, name in (("preparation", "before: check, constants"), ("statistics", "after: statistics")):
        rows.append([name] + [f"{1e6 * around[case][part]:.1f}"] * len(chosen))
    return markdown(["part, microseconds"] + [f"W = {r['width']}" for r in chosen], rows)


def peak_table(records, case):
    """Operations per second of the parts and of the run, and the fraction of the peak."""
    chosen = [r for r in records if r["case"] == case]
    rows = []
    for part in SPLIT:
        rows.append([part, f"{chosen[0]['operations'][part] / 1e3:.0f}"]
                    + [f"{r['operations'][part] / max(r['seconds'][part], 1e-12) / 1e9:.2f}" for r in chosen])
    rows.append(["whole run", f"{chosen[0]['run_operations'] / 1e3:.0f}"]
                + [f"{r['run_operations'] / r['run'] / 1e9:.2f}" for r in chosen])
    rows.append(["peak", ""] + [f"{r['peak'] / 1e9:.1f}" for r in chosen])
    rows.append(["whole run of peak", ""]
                + [f"{r['run_operations'] / r['run'] / r['peak']:.1%}" for r in chosen])
    return markdown(["part, GFLOP/s", "kFLOP a run"] + [f"W = {r['width']}" for r in chosen], rows)


def sampling_cost(report):
    """Processor seconds of sampling_benchmark: of one realisation, of its draws, and of the laws, once."""
    runs = {name.replace("/process_time", ""): run for name, run in best_of(report).items()}
    study, draws = runs["sampling/study"], runs["sampling/draws"]
    return {"realisation": study["cpu"] / study["realizations"],
            "draws": draws["cpu"] / draws["realizations"],
            "laws": runs["sampling/laws"]["cpu"]}


def sampling_table(cost, realizations):
    """With the laws too, as a share of a study of so many realisations that has them to solve."""
    study = realizations * cost["realisation"] + cost["laws"]
    return markdown(["part", "microseconds", "share"], [
        ["one realisation, from its draws to its statistics", f"{1e6 * cost['realisation']:.1f}", "100%"],
        ["its draws", f"{1e6 * cost['draws']:.1f}", f"{cost['draws'] / cost['realisation']:.2%}"],
        [f"solving for the laws, once; share of {realizations} realisations",
         f"{1e6 * cost['laws']:.0f}", f"{cost['laws'] / study:.2%}"]])


def command_split(progress, total):
    """Seconds by part of a `tumble run` that took `total`, from what --json-progress wrote.

    Its last line divides all the time of the program but that of the report and of loading and leaving it.
    """
    seconds = json.loads(progress.splitlines()[-1])["seconds"]
    parts = {name.replace("_", "-"): value for name, value in seconds.items()}
    parts["the report, loading and leaving"] = total - sum(seconds.values())
    return {"parts": parts, "total": total}


def study_table(study):
    rows = [[name, f"{1e3 * seconds:.0f}", f"{seconds / study['total']:.0%}"]
            for name, seconds in study["parts"].items()]
    rows.append(["whole command", f"{1e3 * study['total']:.0f}", "100%"])
    return markdown(["part", "milliseconds", "share"], rows)
