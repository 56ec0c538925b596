"""Stands in for `tumble` in blocks of code that are tried: tumble ARGUMENTS...

Studies have so many times fewer realisations ($TUMBLE_FEWER), and $TUMBLE_ADD holds further options of commands that compute,
behind `MODEL: ` of those on that model alone. What
serves until somebody interrupts it is interrupted once it says that it is ready.
"""
import os
import re
import shlex
import signal
import subprocess
import sys

program, arguments = os.environ["TUMBLE"], sys.argv[1:]


def fewer(words, divisor):
    """-n N, or the file's number of realisations, divided."""
    words = list(words)
    if "-n" in words:
        k = words.index("-n") + 1
        words[k] = str(max(1, int(words[k]) // divisor))
        return words
    if "--resume" in words:
        return words
    given = re.search(r"realizations[:=] *(\d+)", " ".join(words))
    model = next((word for word in words[1:] if word.endswith(".yaml") and os.path.exists(word)), None)
    if given is None and model is not None:
        given = re.search(r"^[^#\n]*\brealizations: *(\d+)", open(model).read(), re.M)
    return words + (["-n", str(max(1, int(given[1]) // divisor))] if given else [])


if arguments and arguments[0] in ("run", "sweep", "identify"):
    divisor = int(os.environ.get("TUMBLE_FEWER", "1"))
    if divisor > 1 and arguments[0] != "identify":
        arguments = fewer(arguments, divisor)
    model, colon, options = os.environ.get("TUMBLE_ADD", "").rpartition(": ")
    if not colon or any(word.endswith(model) for word in arguments):
        arguments += shlex.split(options)
if arguments and arguments[0] in ("view", "serve"):
    served = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in served.stdout:
        print(line, end="", flush=True)
        if "Ctrl-C" in line:
            served.send_signal(signal.SIGINT)
    sys.exit(0 if served.wait() in (0, 130, -signal.SIGINT) else 1)
os.execv(program, [program, *arguments])
