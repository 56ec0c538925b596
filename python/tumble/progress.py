"""Who listens to a study: warnings become Python warnings, progress a bar."""

import sys
import time
import warnings


class TumbleWarning(UserWarning):
    """What may make results other than one thinks."""


def in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class Listener:
    """`progress`: None shows a bar where somebody looks, a terminal or a notebook."""

    def __init__(self, progress=None):
        self.notebook = in_notebook()
        self.shows = (sys.stderr.isatty() or self.notebook) if progress is None else bool(progress)
        self.handle = None
        self.said = set()
        self.started = time.monotonic()
        self.written = False

    def say(self, kind, sentence):
        if sentence in self.said:
            return
        self.said.add(sentence)
        if kind == "warning":
            warnings.warn(sentence, TumbleWarning, stacklevel=4)
        elif self.shows:
            self._line(f"{kind}: {sentence}\n")

    def begin(self, done, total, part):
        self.started = time.monotonic()
        self.advance(done, total, 0)

    def advance(self, done, total, failed):
        if not self.shows or total == 0:
            return
        share = min(1.0, done / total)
        full = int(30 * share)
        rate = done / max(1e-9, time.monotonic() - self.started)
        text = f"{'#' * full}{'.' * (30 - full)} {done}/{total}, {rate:.0f} per second"
        if failed:
            text += f", {failed} failed"
        if self.notebook:
            from IPython.display import HTML, display

            page = HTML(f"<progress value='{done}' max='{total}'></progress> {text[31:]}")
            if self.handle is None:
                self.handle = display(page, display_id=True)
            else:
                self.handle.update(page)
        else:
            self._line("\r" + text)
            self.written = True

    def end(self):
        if self.written:
            self._line("\n")
        self.written = False

    @staticmethod
    def _line(text):
        sys.stderr.write(text)
        sys.stderr.flush()
