"""Runs the fenced blocks of a page, in order, in a folder of their own.

What a block is follows from its language and, where that does not say enough, from a comment above it that readers do not see:

    <!-- run: with=examples/ensembles/spring-peaks.yaml -->

yaml    a whole model is checked by `tumble check`; a fragment needs
          with=FILE      the model whose sections it changes (entries by name; a study and a simulation as a whole)
          under=A/B      sections that it stands in, outermost first
          as=NAME        the file that commands below know
sh, or no language, beginning with `$ ` or `tumble `: a shell runs it. After `$ ` come commands, the lines below are what they print
          n=/16          realisations of studies, divided, unless all is to be run
          add="OPTIONS"  further options of `tumble run`, `sweep` and `identify`, likewise; behind `FILE: ` for one model alone
          always         and if all is to be run, too
          env="A=B ..."  variables of the environment
          fails          the last command ends with another status than 0
python  run in the namespace of the page; a number in a comment behind a print() is what it prints
          needs=MODULE   that may not be installed
cpp     lines of a program in examples/cpp, or
          compile="HEADERS" given="DECLARATIONS"     compiles
json    parses, and may be a file as=NAME; csv: has rows of the same length
any     files="A:B ..."    copies of files that the page speaks of
        after="COMMAND"    runs before it
        output         what the commands above have printed, of which `...` stands for any lines. Numbers are compared if all was run, words always
          loose=TEXT     of lines with this text numbers are not compared
        in=FILE        each of its lines stands in the file
        none, REASON   is not run
A page of which nothing is run says so by <!-- run page: none, REASON -->.
"""
import contextlib
import csv
import importlib.util
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import warnings

import yaml

ROOT = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
WHOLE = ("study", "simulation")  # sections that replace those of the host


class Wrong(Exception):
    """What is not as the page says."""


class NotRun(Exception):
    """Why a block was not run; these are counted and listed."""


class Block:
    def __init__(self, page, line, language, text, marker):
        self.page, self.line, self.language, self.text = page, line, language, text
        self.options, self.reason = {}, None
        if marker and marker.startswith("none"):
            self.reason = marker[4:].lstrip(", ")
            if not self.reason:
                raise Wrong(f"{self}: run: none, without a reason")
        elif marker:
            for word in shlex.split(marker):
                key, _, value = word.partition("=")
                self.options[key] = value

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks_of(page):
    """In order, with the comments above them."""
    text = (ROOT / page).read_text()
    whole = re.search(r"<!-- run page: none, (.+?) -->", text, re.S)
    found, lines, i, marker = [], text.split("\n"), 0, None
    while i < len(lines):
        line = lines[i]
        fence = re.match(r"( *)(`{3,}|~{3,})(.*)$", line)
        if not fence:
            comment = re.match(r" *<!-- run: (.*?) -->\s*$", line)
            if comment:
                if marker:
                    raise Wrong(f"{page}:{i + 1}: a comment of a block that does not follow: {marker}")
                marker = comment[1]
            elif line.strip() and marker:
                raise Wrong(f"{page}:{i + 1}: no block follows the comment: run: {marker}")
            i += 1
            continue
        end = next(k for k in range(i + 1, len(lines)) if lines[k].strip() == fence[2])
        body = "\n".join(row.removeprefix(fence[1]) for row in lines[i + 1:end]) + "\n"
        block = Block(page, i + 1, fence[3].strip(), body, marker)
        if whole:
            block.reason = " ".join(whole[1].split())
        found.append(block)
        marker, i = None, end + 1
    return found


def same(said, wanted, numbers=True):
    """Equal words; numbers equal to 1e-4, which a change of the solver does not reach. Times of the clock are anybody's."""
    clock = re.compile(r"(simulated in|wall time) \S+ s")
    said, wanted = (clock.sub(r"\1 s", text).split() for text in (said, wanted))
    if len(said) != len(wanted):
        return False
    for a, b in zip(said, wanted):
        try:
            x, y = float(a.strip("():,;%")), float(b.strip("():,;%"))
        except ValueError:
            if a != b:
                return False
            continue
        if numbers and not abs(x - y) <= 1e-4 * abs(y):
            return False
    return True


def compare(printed, wanted, numbers, loose, where, all_of_it=False):
    """Every line of the page is printed, in its order; `...` stands for any. `all_of_it`: and unless there is one, no others."""
    rest = [line for line in printed.split("\n") if line.strip()]
    shown = [line for line in wanted.split("\n") if line.strip()]
    if all_of_it and shown and "..." not in map(str.strip, shown) and len(rest) != len(shown):
        raise Wrong(f"{where}: {len(shown)} lines, where {len(rest)} are printed:\n" + "\n".join(rest))
    for line in shown:
        if line.strip() == "...":
            continue
        exact = numbers and not (loose and loose in line)
        place = next((k for k, said in enumerate(rest) if same(said, line, exact)), None)
        if place is None:
            raise Wrong(f"{where}: not printed: {line}\nafter it was printed:\n" + "\n".join(rest[:20]))
        rest = rest[place + 1:]


def merged(host, fragment, depth):
    """Mappings down to a depth, entries below as a whole. Nodes of YAML rather than values: numbers, expressions and quotes
    stay as they are written."""
    places = {key.value: k for k, (key, _) in enumerate(host.value)}
    for key, value in fragment.value:
        if key.value not in places:
            host.value.append((key, value))
            continue
        there = host.value[places[key.value]][1]
        mappings = isinstance(there, yaml.MappingNode) and isinstance(value, yaml.MappingNode)
        whole = mappings and key.value in WHOLE and any(name.value in ("method", "duration") for name, _ in value.value)
        if depth == 0 or whole or not mappings:
            host.value[places[key.value]] = (key, value)
        else:
            merged(there, value, depth - 1)
    return host


def indented_under(path, text):
    """The sections that the text stands in, as lines above it."""
    lines, depth = [], 0
    for name in filter(None, (path or "").split("/")):
        lines.append("  " * depth + name + ":")
        depth += 1
    start = re.match(r" *", text)[0]
    if depth and not start:
        text = re.sub(r"^(?=.)", "  " * depth, text, flags=re.M)
    return "\n".join(lines + [text])


def package_is_built():
    try:
        return importlib.util.find_spec("tumble._native") is not None
    except ModuleNotFoundError:
        return False


class Page:
    """The blocks of one page. `everything`: nothing is made smaller, and numbers that are printed are compared."""

    def __init__(self, page, folder, everything):
        self.page, self.folder, self.everything = page, folder, everything
        self.names = {"__name__": "__main__"}
        self.printed = ""
        self.smaller = False
        self.compiled = []
        self.without_package = False
        folder.mkdir(parents=True)
        for name in ("examples", "docs/gallery", "tests/documents"):
            shutil.copytree(ROOT / name, folder / name)
        (folder / "build/release").mkdir(parents=True)
        (folder / "build/release/bin").symlink_to(folder.parent / "bin")

    def run(self, block):
        if block.reason is not None:
            raise NotRun(block.reason)
        kind = block.language
        for pair in block.options.get("files", "").split():
            source, name = pair.split(":")
            shutil.copy(ROOT / source, self.folder / name)
        if "after" in block.options:
            self.command(block, block.options["after"])
        if "in" in block.options:
            return self.quoted(block)
        if "output" in block.options:
            return compare(self.printed, block.text, not self.smaller, block.options.get("loose"), block)
        if kind == "yaml":
            return self.model(block)
        if kind == "python":
            return self.python(block)
        if kind == "cpp":
            return self.cpp(block)
        if kind == "json":
            try:
                json.loads(block.text)
            except json.JSONDecodeError as error:
                raise Wrong(f"{block}: {error}") from None
            if "as" in block.options:
                (self.folder / block.options["as"]).write_text(block.text)
            return None
        if kind == "csv":
            rows = [row for row in csv.reader(io.StringIO(block.text)) if row != ["..."]]
            if len({len(row) for row in rows}) != 1:
                raise Wrong(f"{block}: rows of several lengths")
            return None
        first = next(line for line in block.text.split("\n") if line.strip())
        if kind == "sh" or (not kind and re.match(r"\$ |tumble ", first)):
            return self.shell(block)
        raise Wrong(f"{block}: nothing says how to run it: see tests/python/_code_blocks.py")

    def quoted(self, block):
        without = re.compile(r"\s+#.*")
        there = {" ".join(without.sub("", line).split()) for line in (ROOT / block.options["in"]).read_text().split("\n")}
        lines = [" ".join(without.sub("", line).split()) for line in block.text.split("\n")]
        missing = [line for line in lines if line not in there | {"", "..."}]
        if missing:
            raise Wrong(f"{block}: not in {block.options['in']}: {missing[0]}")

    def tumble(self, *arguments):
        done = subprocess.run([os.environ["TUMBLE"], *arguments], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Wrong(done.stderr)
        return done.stdout

    def model(self, block):
        text, host = block.text, block.options.get("with")
        beside = pathlib.Path(".")
        if host:
            there = yaml.compose((self.folder / host).read_text())
            under = block.options.get("under", "")
            depth = max(1, len(under.split("/")))
            text = yaml.serialize(merged(there, yaml.compose(indented_under(under, text)), depth))
            beside = pathlib.Path(host).parent
        elif not re.search(r"^simulation:", text, re.M):
            raise Wrong(f"{block}: a fragment of a model without run: with=MODEL")
        # A file that commands name is beside them; what its host refers to comes along.
        name = block.options.get("as")
        if name:
            for file in (self.folder / beside).glob("*.csv") if host else []:
                shutil.copy(file, self.folder)
        path = pathlib.Path(name) if name else beside / "block.yaml"
        (self.folder / path).write_text(text)
        try:
            self.printed, self.smaller = self.tumble("check", str(path)), False
        except Wrong as wrong:
            raise Wrong(f"{block}: {wrong}") from None

    def shell(self, block):
        """Under the name `tumble` there is _fewer_realizations.py, which can make studies smaller."""
        lines, typed, prints = block.text.rstrip("\n").split("\n"), [], []
        if lines[0].startswith("$ "):
            typed = [line[2:] for line in lines if line.startswith("$ ")]
            prints = [line for line in lines if not line.startswith("$ ")]
        else:
            typed = lines
        self.command(block, "\n".join(typed))
        compare(self.printed, "\n".join(prints), not self.smaller, block.options.get("loose"), block, all_of_it=True)

    def command(self, block, text):
        environment = dict(os.environ)
        for pair in block.options.get("env", "").split():
            key, _, value = pair.partition("=")
            environment[key] = value
        smaller = bool({"n", "add"} & block.options.keys())
        self.smaller = smaller and (not self.everything or "always" in block.options)
        if self.smaller:
            environment["TUMBLE_FEWER"] = block.options.get("n", "/1").lstrip("/")
            environment["TUMBLE_ADD"] = block.options.get("add", "")
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.printed = done.stdout
        if (done.returncode != 0) != ("fails" in block.options):
            raise Wrong(f"{block}: exit status {done.returncode}:\n{done.stdout[-3000:]}")

    def python(self, block):
        needs = block.options.get("needs")
        if needs and importlib.util.find_spec(needs) is None:
            raise NotRun(f"{needs} is not installed")
        if "import tumble" in block.text and not package_is_built():
            self.without_package = True
        if self.without_package:
            raise NotRun("the Python package is not built")
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(block.text, str(block), "exec"), self.names)
        except Exception as error:  # anything that a script may do wrong
            raise Wrong(f"{block}: {type(error).__name__}: {error}") from error
        wanted = re.findall(r"^print\(.*\) *# *([-+\d.e]+)$", block.text, flags=re.M)
        compare(printed.getvalue(), "\n".join(wanted), not self.smaller, None, block)
        self.printed = printed.getvalue()

    def cpp(self, block):
        if "compile" in block.options:
            self.compiled.append(block)
            return
        programs = [" ".join(path.read_text().split()) for path in sorted((ROOT / "examples/cpp").glob("*.cpp"))]
        if not any(" ".join(block.text.split()) in program for program in programs):
            raise Wrong(f"{block}: in no program of examples/cpp, which the tests compile and run")


def compile_all(blocks):
    """In one go: each the body of a function."""
    if not blocks:
        return
    headers = sorted({header for block in blocks for header in block.options["compile"].split()})
    text = "".join(f'#include "{header}"\n' for header in headers) + "using namespace tumble;\n"
    for i, block in enumerate(blocks):
        text += f"void block_{i}() {{\n{block.options.get('given', '')}\n#line {block.line + 1} \"{block.page}\"\n{block.text}}}\n"
    done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "src"), "-x", "c++", "-"], input=text,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong("does not compile: " + ", ".join(map(str, blocks)) + "\n" + done.stderr[:3000])


def run_pages(pages, everything):
    """Prints what was run and what was not, and why; returns the failures."""
    os.environ["TUMBLE"] = str(pathlib.Path(shutil.which(os.environ["TUMBLE"])).resolve())
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    os.environ["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
    here = pathlib.Path("pages").resolve()
    shutil.rmtree(here, ignore_errors=True)
    (here / "bin").mkdir(parents=True)
    script = here / "bin" / "tumble"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {ROOT / 'tests/python/_fewer_realizations.py'} \"$@\"\n")
    script.chmod(0o755)
    os.environ["PATH"] = f"{here / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ran, left, failures, compiled = {}, {}, [], []
    for number, name in enumerate(pages):
        try:
            blocks = blocks_of(name)
        except Wrong as wrong:
            failures.append(str(wrong))
            continue
        if not blocks:
            continue
        page = Page(name, here / str(number), everything)
        os.chdir(page.folder)
        for block in blocks:
            try:
                page.run(block)
                kind = block.language or "plain"
                ran[kind] = ran.get(kind, 0) + 1
            except NotRun as why:
                left.setdefault(str(why), []).append(str(block))
            except Wrong as wrong:
                failures.append(str(wrong))
        compiled += page.compiled
        os.chdir(here.parent)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    try:
        compile_all(compiled)
    except Wrong as wrong:
        failures.append(str(wrong))
    for reason, where in left.items():
        print(f"not run, {reason}: {', '.join(where)}")
    print(f"{sum(ran.values())} blocks run:", ", ".join(f"{count} {language}" for language, count in sorted(ran.items())))
    print(f"{sum(map(len, left.values()))} blocks not run")
    if not failures:
        shutil.rmtree(here, ignore_errors=True)
    return failures


def all_pages():
    return ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
