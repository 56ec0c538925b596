#!/usr/bin/env python3
"""Does a code's answer to a problem of the benchmark agree with the reference, and what did it cost?

    score.py PROBLEM RESULTS [--alpha 0.05] [--svg FILE] [--all]
    score.py flexible-pendulum my-results.csv --svg comparison.svg

PROBLEM is a folder of problems/ (or its path), RESULTS a CSV or netCDF file as README.md describes. NumPy only. Exit status: 0 the results
agree, 1 they differ, 2 a file is malformed.

The test. A row of results with the value x and the standard error s is compared with the reference's r, its standard error t and the bound
b of what its time steps (and, if the results have a mesh of their own, the mesh) may be off by. It is beyond both errors if
|x - r| - b > c sqrt(s^2 + t^2), with c so that all m rows of a file together are judged wrongly with a probability of at most alpha
(Bonferroni: c is the quantile 1 - alpha/(2m) of Student's t with runs - 1 degrees of freedom). Shares and probabilities without a standard
error of their own are counts: the test is the binomial distribution's, exact, against the most favourable probability within the
reference's own errors, for which half of alpha is set aside.
"""
import argparse
import math
import pathlib
import statistics
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from benchmark_files import Malformed, read_reference, read_results  # noqa: E402

FEWEST_RUNS = 64          # below them the normal approximation is not trusted: not judged without a standard error of one's own
GOAL = 0.01               # "1 %": of the largest reference value of that statistic of that quantity


def normal_quantile(p):
    return statistics.NormalDist().inv_cdf(p)


def student_quantile(p, freedom):
    """Of Student's t, by the first terms of its expansion in 1 / freedom (Abramowitz & Stegun 26.7.5)."""
    z = normal_quantile(p)
    if not math.isfinite(freedom):
        return z
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2) \
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)


def binomial_tail(n, k, p):
    """(P(X <= k), P(X >= k)) of k of n with the probability p."""
    if p <= 0:
        return 1.0, (1.0 if k == 0 else 0.0)
    if p >= 1:
        return (1.0 if k == n else 0.0), 1.0
    spread = 40 * math.sqrt(n * p * (1 - p)) + 60      # beyond it nothing counts in doubles
    j = np.arange(max(0, math.floor(min(k, n * p) - spread)), min(n, math.ceil(max(k, n * p) + spread)) + 1)
    log_gamma = _log_factorials()
    mass = np.exp(log_gamma(n) - log_gamma(j) - log_gamma(n - j) + j * math.log(p) + (n - j) * math.log1p(-p))
    return min(1.0, float(mass[j <= k].sum())), min(1.0, float(mass[j >= k].sum()))


def _log_factorials():
    """log x! for whole x: sums where they are short, Stirling's series beyond."""
    small = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, 257)))])

    def log_factorial(x):
        x = np.asarray(x, dtype=float)
        big = np.maximum(x, 1.0)
        series = big * np.log(big) - big + 0.5 * np.log(2 * math.pi * big) + 1 / (12 * big) - 1 / (360 * big**3) + 1 / (1260 * big**5)
        return np.where(x <= 256, small[np.minimum(x, 256).astype(int)], series)
    return log_factorial


class Judgement:
    """Of one row: what it was compared with, and the distance in units of what is allowed."""

    def __init__(self, row, reference, verdict, ratio=math.nan, why=""):
        self.row, self.reference, self.verdict, self.ratio, self.why = row, reference, verdict, ratio, why


def is_share(statistic):
    return statistic == "probability" or statistic.startswith("share ")


def runs_of(row, table):
    if row.runs is not None:
        return int(row.runs)
    return int(float(table.header["runs"])) if "runs" in table.header else None


def seconds_of(row, table):
    if row.seconds is not None:
        return row.seconds
    return float(table.header["seconds"]) if "seconds" in table.header else None


def own_error(row, reference, runs):
    """The standard error of a row of results: its own, or that of so many independent runs by the reference's spread."""
    if row.standard_error is not None:
        return row.standard_error
    if runs is None:
        return None
    if is_share(row.statistic):
        p = min(max(reference.value, 1 / reference.runs), 1 - 1 / reference.runs)
        return math.sqrt(p * (1 - p) / runs)
    return reference.standard_error * math.sqrt(reference.runs / runs)


def judge(results, reference, alpha):
    """A judgement of every row that the file's last stage gives, which is that of the most runs."""
    known = {row.key: row for row in reference.rows}
    unknown = [f"{results.path}:{row.line}: the reference has no {row.statistic} of '{row.quantity}'"
               + ("" if row.time is None else f" at t = {row.time:g} s") for row in results.rows if row.key not in known]
    if unknown:
        raise Malformed(unknown)
    last = {}
    for row in results.rows:
        runs = runs_of(row, results) or 0
        if row.key not in last or runs >= (runs_of(last[row.key], results) or 0):
            last[row.key] = row
    other_mesh = results.header.get("mesh", "as stated") != "as stated"
    judged, waiting = [], []
    for row in last.values():
        truth, runs = known[row.key], runs_of(row, results)
        reason = cannot_judge(row, truth, runs)
        if reason:
            judged.append(Judgement(row, truth, "not judged", why=reason))
        else:
            waiting.append((row, truth, runs))
    for row, truth, runs in waiting:
        bound = truth.time_error + (truth.mesh_error if other_mesh else 0.0) + (row.bias or 0.0)
        ratio = row_ratio(row, truth, runs, bound, alpha / len(waiting))
        judged.append(Judgement(row, truth, "agrees" if ratio <= 1 else "differs", ratio))
    return judged


def cannot_judge(row, truth, runs):
    if row.standard_error is not None:
        return ""
    if runs is None:
        return "neither a standard error nor a number of runs"
    if runs < FEWEST_RUNS:
        return f"{runs} runs are fewer than {FEWEST_RUNS}"
    if row.statistic.startswith("quantile"):
        p = float(row.statistic.split()[1])
        if min(p, 1 - p) * runs < 10:
            return f"fewer than 10 of {runs} runs are expected beyond the quantile"
    if row.statistic.startswith(("first", "total")):
        return "indices need a standard error"
    return ""


def row_ratio(row, truth, runs, bound, alpha):
    """How far apart they are, in units of what is allowed for a probability alpha of a false alarm."""
    off = abs(row.value - truth.value) - bound
    if is_share(row.statistic) and row.standard_error is None:
        slack = bound + normal_quantile(1 - alpha / 4) * truth.standard_error
        low, high = max(0.0, truth.value - slack), min(1.0, truth.value + slack)
        count = round(row.value * runs)
        if low <= count / runs <= high:
            return 0.0
        tail = binomial_tail(runs, count, high)[1] if count / runs > high else binomial_tail(runs, count, low)[0]
        # Normal scores of the tail and of its limit alpha/4: their ratio is 1 where the verdict turns.
        tail = min(max(tail, 1e-15), 0.5)
        return normal_quantile(1 - tail) / normal_quantile(1 - alpha / 4)
    error = math.hypot(own_error(row, truth, runs), truth.standard_error)
    freedom = runs - 1 if runs is not None and row.standard_error is None else math.inf
    allowed = student_quantile(1 - alpha / 2, freedom) * error
    if off <= 1e-12 * abs(truth.value):
        return 0.0
    return off / allowed if allowed > 0 else math.inf


def cost(results, reference):
    """By quantity and statistic: (error, runs and seconds to 1 %, how it is known)."""
    known = {row.key: row for row in reference.rows}
    groups = {}
    for row in results.rows:
        groups.setdefault((row.quantity, row.statistic.split()[0]), []).append(row)
    answer = {}
    for group, rows in groups.items():
        truth = [known[row.key] for row in rows]
        scale = max(abs(t.value) for t in truth)
        floor = max(math.hypot(t.standard_error, t.time_error) for t in truth)
        if scale == 0:
            continue
        stages = {}
        for row, t in zip(rows, truth):
            stages.setdefault(runs_of(row, results), []).append((row, t))
        points = []
        for runs, pairs in sorted(stages.items(), key=lambda item: item[0] or 0):
            difference = math.sqrt(np.mean([(row.value - t.value)**2 for row, t in pairs])) / scale
            own = [own_error(row, t, runs) for row, t in pairs]
            chance = None if None in own else math.sqrt(np.mean(np.square(own))) / scale
            points.append((runs, seconds_of(pairs[0][0], results), difference, chance))
        answer[group] = reaching(points, floor / scale)
    return answer


def reaching(points, floor):
    """Runs and seconds to 1 % from stages of (runs, seconds, difference, own standard error)."""
    runs, seconds, difference, chance = points[-1]
    if floor > GOAL:
        return difference, None, None, f"the reference itself is known to {100 * floor:.2g} % only"
    if len(points) > 1:
        good = [i for i in range(len(points)) if all(p[2] <= GOAL for p in points[i:])]
        if good:
            return difference, points[good[0]][0], points[good[0]][1], "first stage from which on it stays there"
    if runs is None:
        return difference, None, None, "no number of runs"
    if chance is None or chance == 0:
        return (difference, runs, seconds, "as given") if difference <= GOAL else (difference, None, None, "not reached")
    factor = (chance / GOAL)**2
    if difference > 3 * max(chance, GOAL):
        return difference, None, None, "not reached: off by more than chance"
    return difference, max(1, math.ceil(runs * factor)), None if seconds is None else seconds * factor, \
        "from its standard error, falling as 1 / sqrt(runs)"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem")
    parser.add_argument("results")
    parser.add_argument("--alpha", type=float, default=0.05, help="probability of a false alarm, for the whole file")
    parser.add_argument("--svg", help="draw the comparison")
    parser.add_argument("--all", action="store_true", help="print every row")
    given = parser.parse_args(arguments)
    if not 0 < given.alpha < 1:
        parser.error("--alpha: expected a number between 0 and 1")
    try:
        reference = read_reference(reference_of(given.problem))
        results = read_results(given.results)
        meant = results.header.get("problem")
        if meant is not None and meant != reference.header.get("problem"):
            raise Malformed([f"{given.results}: problem: '{meant}', expected '{reference.header.get('problem')}'"])
        judged = judge(results, reference, given.alpha)
    except Malformed as malformed:
        print("\n".join(malformed.complaints), file=sys.stderr)
        return 2
    report(results, reference, judged, given)
    if given.svg:
        from score_figure import comparison
        pathlib.Path(given.svg).write_text(comparison(results, reference, judged))
    return 1 if any(one.verdict == "differs" for one in judged) else 0


def reference_of(problem):
    here = pathlib.Path(__file__).resolve().parent
    for folder in (pathlib.Path(problem), here / "problems" / problem):
        if (folder / "reference.csv").is_file():
            return folder / "reference.csv"
    there = sorted(str(path.parent.relative_to(here / "problems")) for path in here.glob("problems/**/reference.csv"))
    raise Malformed([f"{problem}: no folder with a reference.csv; there are {', '.join(there)}"])


def report(results, reference, judged, given):
    groups = {}
    for one in judged:
        groups.setdefault((one.row.quantity, one.row.statistic.split()[0]), []).append(one)
    costs = cost(results, reference)
    print(f"{reference.header.get('problem')}, data {reference.header.get('data', 'of no version')}: "
          f"{len(judged)} of {len(reference.rows)} statistics given by {results.header.get('code', 'an unnamed code')}")
    print(f"{'quantity':24} {'statistic':12} {'verdict':11} {'worst':>6}  {'error':>8}  {'runs to 1 %':>12}  {'seconds':>9}")
    for group, members in groups.items():
        verdicts = [one.verdict for one in members]
        verdict = "differs" if "differs" in verdicts else "agrees" if "agrees" in verdicts else "not judged"
        ratios = [one.ratio for one in members if not math.isnan(one.ratio)]
        error, runs, seconds, how = costs.get(group, (math.nan, None, None, "the reference is zero"))
        print(f"{group[0]:24} {group[1]:12} {verdict:11} {max(ratios) if ratios else math.nan:6.2f}  {100 * error:7.2g}%  "
              f"{'-' if runs is None else runs:>12}  {'-' if seconds is None else f'{seconds:.3g}':>9}  {how}")
        if verdict == "not judged":
            print(f"    {members[0].why}")
        for one in members:
            if given.all or one.verdict == "differs":
                at = "" if one.row.time is None else f" at t = {one.row.time:g} s"
                print(f"    {results.path}:{one.row.line}: {one.row.statistic}{at}: {one.row.value:.9g}, reference "
                      f"{one.reference.value:.9g} +- {one.reference.standard_error:.2g} (time steps {one.reference.time_error:.2g}): "
                      f"{one.verdict}, {one.ratio:.2f} of what is allowed")
    wrong = sum(one.verdict == "differs" for one in judged)
    seen = sum(one.verdict != "not judged" for one in judged)
    print(f"{'differs' if wrong else 'agrees' if seen else 'not judged'}: {wrong} of {seen} statistics beyond both errors "
          f"(a right code is told so with a probability of at most {given.alpha:g}); {len(judged) - seen} not judged")


if __name__ == "__main__":
    sys.exit(main())
