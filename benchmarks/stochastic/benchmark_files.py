"""Files of the benchmark: references, results and tables of samples. NumPy only; netCDF by SciPy or netCDF4 where they are there.

A row of a reference or of results is a statistic of a quantity at a time, or of a scalar, whose time is empty. README.md says what the
columns mean. Whatever is wrong with a file is told at once, each with its line.
"""
import csv
import math
import pathlib
import re

import numpy as np

STATISTIC = re.compile(r"mean|std|probability|(first|total) \S.*|quantile (\S+)|share (\S+) (\S+)")
REFERENCE_COLUMNS = ["quantity", "statistic", "time", "value", "standard_error", "time_error", "mesh_error", "runs"]
RESULT_COLUMNS = ["quantity", "statistic", "time", "value"]
OPTIONAL_COLUMNS = ["standard_error", "bias", "runs", "seconds"]
TIME_TOLERANCE = 1e-9     # s, between a time as written and as meant


class Malformed(Exception):
    """Everything that is wrong with a file."""

    def __init__(self, complaints):
        super().__init__("\n".join(complaints))
        self.complaints = list(complaints)


class Row:
    """A statistic. Numbers that a file does not give are None."""
    __slots__ = ("line", "quantity", "statistic", "time", "value", "standard_error", "time_error", "mesh_error", "bias", "runs",
                 "seconds")

    def __init__(self, line, **fields):
        self.line = line
        for name in self.__slots__[1:]:
            setattr(self, name, fields.get(name))

    @property
    def key(self):
        return self.quantity, self.statistic, None if self.time is None else round(self.time / TIME_TOLERANCE)


class Table:
    """Rows, and what the lines `# name: value` above them say."""

    def __init__(self, path, header, rows):
        self.path, self.header, self.rows = str(path), header, rows


def read_reference(path):
    table = _read(path, REFERENCE_COLUMNS, [])
    complaints = [f"{path}:{row.line}: {name}: a number is missing" for row in table.rows
                  for name in ("value", "standard_error", "time_error", "mesh_error", "runs") if getattr(row, name) is None]
    if complaints:
        raise Malformed(complaints)
    return table


def read_results(path):
    """Results of any code, CSV or netCDF."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise Malformed([f"{path}: no such file"])
    with open(path, "rb") as file:
        start = file.read(4)
    if start[:3] == b"CDF" or start == b"\x89HDF":
        return _read_netcdf(path)
    return _read(path, RESULT_COLUMNS, OPTIONAL_COLUMNS)


def write(path, header, columns, rows):
    """A table of dictionaries; floats with the digits that read back the same double."""
    with open(path, "w", newline="") as file:
        for name, value in header.items():
            file.write(f"# {name}: {value}\n")
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows([_text(row.get(name)) for name in columns] for row in rows)


def read_draws(path):
    """Names of the columns, and a row of numbers for each machine."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    return rows[0], np.array([[float(cell) for cell in row] for row in rows[1:]])


def _text(value):
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _read(path, required, optional):
    complaints, header, rows, columns = [], {}, [], None
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError:
        raise Malformed([f"{path}: neither text in UTF-8 nor netCDF"]) from None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            name, colon, value = line[1:].partition(":")
            if colon:
                header[name.strip()] = value.strip()
            continue
        if not line.strip():
            continue
        cells = next(csv.reader([line]))
        if columns is None:
            columns = [cell.strip() for cell in cells]
            complaints += [f"{path}:{number}: column '{name}' is missing" for name in required if name not in columns]
            known = required + optional
            complaints += [f"{path}:{number}: unknown column '{name}', expected {', '.join(known)}" for name in columns
                           if name not in known]
            complaints += [f"{path}:{number}: column '{name}' is there twice" for name in set(columns) if columns.count(name) > 1]
            if complaints:
                raise Malformed(complaints)
            continue
        if len(cells) != len(columns):
            complaints.append(f"{path}:{number}: {len(cells)} cells, expected {len(columns)}")
            continue
        row, wrong = _row(f"{path}:{number}", number, dict(zip(columns, (cell.strip() for cell in cells))))
        complaints += wrong
        if not wrong:
            rows.append(row)
    if columns is None:
        complaints.append(f"{path}:{len(lines)}: no line with the names of columns, expected {', '.join(required)}")
    elif not rows and not complaints:
        complaints.append(f"{path}:{len(lines)}: no rows")
    complaints += _header(path, header)
    complaints += _twice(path, rows)
    if complaints:
        raise Malformed(complaints)
    return Table(path, header, rows)


def _row(where, number, cells):
    complaints, fields = [], {}
    for name, cell in cells.items():
        if name in ("quantity", "statistic"):
            fields[name] = cell
            continue
        if cell == "":
            fields[name] = None
            continue
        try:
            fields[name] = float(cell)
        except ValueError:
            complaints.append(f"{where}: {name}: '{cell}', expected a number")
            continue
        if not math.isfinite(fields[name]):
            complaints.append(f"{where}: {name}: '{cell}', expected a finite number")
        elif name in ("standard_error", "bias", "time_error", "mesh_error", "seconds") and fields[name] < 0:
            complaints.append(f"{where}: {name}: {cell}, expected at least 0")
        elif name == "runs" and (fields[name] < 1 or fields[name] != int(fields[name])):
            complaints.append(f"{where}: runs: {cell}, expected a whole number of at least 1")
    if not cells.get("quantity"):
        complaints.append(f"{where}: quantity: empty, expected a name")
    complaints += _statistic(where, cells.get("statistic", ""))
    if not complaints and fields.get("value") is None:
        complaints.append(f"{where}: value: empty, expected a number")
    if not complaints and (fields["statistic"] == "probability" or fields["statistic"].startswith("share ")):
        if not 0 <= fields["value"] <= 1:
            complaints.append(f"{where}: value: {cells['value']}, expected a probability from 0 to 1")
    if not complaints and fields["statistic"] == "std" and fields["value"] < 0:
        complaints.append(f"{where}: value: {cells['value']}, expected a standard deviation of at least 0")
    return Row(number, **fields), complaints


def _statistic(where, text):
    match = STATISTIC.fullmatch(text)
    expected = "mean, std, probability, 'quantile P', 'share LOWER UPPER', 'first INPUT' or 'total INPUT'"
    if not match:
        return [f"{where}: statistic: '{text}', expected {expected}"]
    try:
        numbers = [float(group) for group in match.groups()[1:] if group is not None]
    except ValueError:
        return [f"{where}: statistic: '{text}', expected numbers in {expected}"]
    if text.startswith("quantile") and not 0 < numbers[0] < 1:
        return [f"{where}: statistic: '{text}', expected a probability between 0 and 1"]
    if text.startswith("share") and not numbers[0] < numbers[1]:
        return [f"{where}: statistic: '{text}', expected a lower end below the upper"]
    return []


def _header(path, header):
    complaints = []
    for name, test, expected in [("runs", lambda x: x >= 1 and x == int(x), "a whole number of at least 1"),
                                 ("seconds", lambda x: x >= 0, "at least 0")]:
        if name in header:
            try:
                good = math.isfinite(float(header[name])) and test(float(header[name]))
            except ValueError:
                good = False
            if not good:
                complaints.append(f"{path}: {name}: '{header[name]}', expected {expected}")
    return complaints


def _twice(path, rows):
    seen, complaints = {}, []
    for row in rows:
        key = row.key + (row.runs,)
        if key in seen:
            complaints.append(f"{path}:{row.line}: the same statistic as in line {seen[key]}")
        seen.setdefault(key, row.line)
    return complaints


def _read_netcdf(path):
    """Variables over one dimension: quantity and statistic (text), time (NaN: a scalar), value, and the optional ones."""
    columns, header = _netcdf_variables(path)
    complaints = [f"{path}: variable '{name}' is missing" for name in RESULT_COLUMNS if name not in columns]
    known = RESULT_COLUMNS + OPTIONAL_COLUMNS
    complaints += [f"{path}: unknown variable '{name}', expected {', '.join(known)}" for name in columns if name not in known]
    lengths = {len(values) for values in columns.values()}
    if not complaints and len(lengths) != 1:
        complaints.append(f"{path}: variables of different lengths")
    if complaints:
        raise Malformed(complaints)
    rows = []
    for i in range(lengths.pop()):
        cells = {}
        for name, values in columns.items():
            if name in ("quantity", "statistic"):
                cells[name] = str(values[i]).strip("\0 ")
            else:
                empty = name != "value" and math.isnan(float(values[i]))
                cells[name] = "" if empty else repr(float(values[i]))
        row, wrong = _row(f"{path}: row {i}", i, cells)
        complaints += wrong
        rows.append(row)
    complaints += _header(path, header) + (_twice(path, rows) if not complaints else [])
    if complaints:
        raise Malformed(complaints)
    return Table(path, header, rows)


def _netcdf_variables(path):
    with open(path, "rb") as file:
        classic = file.read(3) == b"CDF"
    try:
        if classic:
            from scipy.io import netcdf_file
            with netcdf_file(str(path), "r", mmap=False) as data:
                columns = {name: _text_of(variable.data.copy()) for name, variable in data.variables.items()}
                header = {name: value.decode() if isinstance(value, bytes) else str(np.ravel(value)[0])
                          for name, value in data._attributes.items()}
        else:
            import netCDF4
            with netCDF4.Dataset(path) as data:
                data.set_auto_mask(False)
                columns = {name: _text_of(np.asarray(variable[...])) for name, variable in data.variables.items()}
                header = {name: str(data.getncattr(name)) for name in data.ncattrs()}
    except ImportError as missing:
        raise Malformed([f"{path}: netCDF needs {missing.name}, which is not installed; CSV needs NumPy alone"]) from None
    except (OSError, ValueError, TypeError) as error:
        raise Malformed([f"{path}: no netCDF that can be read: {error}"]) from None
    return columns, header


def _text_of(values):
    """Rows of single characters are text."""
    if values.dtype.kind == "S" and values.ndim == 2:
        return [b"".join(row).decode() for row in values]
    if values.dtype.kind == "S":
        return [value.decode() for value in values]
    return values
