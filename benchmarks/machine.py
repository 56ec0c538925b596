"""What a measurement was made on, and whether the machine had anything else to do."""
import json
import os
import pathlib
import re
import resource
import subprocess
import time


def _output(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def _cpu_fields():
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    return fields


def cpu_slug():
    """Short enough for a file name: amd-epyc-25-17 is family 25, model 17."""
    cpu = _cpu_fields()
    name = re.sub(r"\(R\)|\(TM\)|CPU|Processor|@.*", "", cpu.get("model name", "cpu"))
    words = re.findall(r"[A-Za-z0-9]+", name)[:4]
    return "-".join(words + [cpu.get("cpu family", ""), cpu.get("model", "")]).lower().strip("-")


def cpu_name():
    cpu = _cpu_fields()
    return f"{cpu.get('model name', '?')} (family {cpu.get('cpu family', '?')}, model {cpu.get('model', '?')})"


def describe(root, build):
    """Everything that must be known to compare two results."""
    cpu = _cpu_fields()
    found = next(build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"))
    compiler = dict(re.findall(r'^set\((\w+) "([^"]*)"\)$', found.read_text(), re.MULTILINE))
    commands = json.loads((build / "compile_commands.json").read_text())
    flags = {}
    for entry in commands:
        found = re.search(r"study/lanes_(avx\w+)\.cpp$", entry["file"])
        if found:
            flags[found[1]] = " ".join(re.findall(r"(?<= )-[Ofm]\S*", entry["command"]))
    git = ["git", "-c", "safe.directory=*"]
    commit = _output(*git, "rev-parse", "--short=12", "HEAD", cwd=root)
    changed = _output(*git, "status", "--porcelain", "--untracked-files=no", cwd=root)
    facts = {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": cpu_name(),
        "cores": str(os.cpu_count()),
        "virtual machine": "yes" if "hypervisor" in cpu.get("flags", "").split() else "no",
        "system": " ".join(os.uname()[i] for i in (0, 2)),
        "compiler": f"{compiler['CMAKE_CXX_COMPILER_ID']} {compiler['CMAKE_CXX_COMPILER_VERSION']}",
        "commit": (commit or "none") + (" with changes" if changed else ""),
    }
    for name, text in sorted(flags.items()):
        facts[f"flags for {name}"] = text
    return facts


class Watch:
    """What the machine did while our programs ran: `with Watch() as watch: ...`"""

    def __enter__(self):
        self._before = self._now()
        return self

    def __exit__(self, *_):
        before, after = self._before, self._now()
        took = after["wall"] - before["wall"]
        change = {key: after[key] - before[key] for key in after}
        self.load = os.getloadavg()[0]
        self.others = max(0.0, change["busy"] - change["ours"]) / took
        self.stolen = change["stolen"] / took
        self.switches = change["switches"]

    @staticmethod
    def _now():
        tick = os.sysconf("SC_CLK_TCK")
        first = pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:]
        user, nice, system, _, _, irq, softirq, steal = (int(x) / tick for x in first[:8])
        used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
        return {
            "wall": time.monotonic(),
            "busy": user + nice + system + irq + softirq,
            "stolen": steal,
            "ours": sum(u.ru_utime + u.ru_stime for u in used),
            "switches": used[0].ru_nivcsw,
        }

    def busy(self):
        return self.others > 0.1 or self.stolen > 0.02

    def verdict(self):
        state = "busy: wall times and two threads against one mean little" if self.busy() else "quiet"
        return (f"{state} (other processes used {self.others:.2f} cores, the host took "
                f"{self.stolen:.2f}, {self.switches} involuntary context switches, load {self.load:.1f})")
