"""Recording from inside Python: what a block of statements does, in this process and in those that it starts."""

import os
import signal
import subprocess

from . import command

__all__ = ["Recording", "record"]

_PR_SET_PTRACER = 0x59616D61  # prctl(2)


class Recording:
    """Made by `record`. Behind the block, `trace` is what was recorded."""

    def __init__(self, path, options):
        self.filename, self.trace = path, None
        self._options, self._attached = options, None

    def __enter__(self):
        program = [command.path(), "attach", "--force", "-o", self.filename, *self._options, str(os.getpid())]
        self._attached = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        _let_trace(self._attached.pid)
        said = self._attached.stderr.readline()
        if not said.startswith("fathom: attached to"):
            said += self._attached.communicate()[1]
            raise RuntimeError(said.strip() or "fathom attach ended")
        return self

    def __exit__(self, raised, *_):
        self._attached.send_signal(signal.SIGINT)  # it detaches; a `fathom detach` would be recorded
        said = self._attached.communicate()[1]
        from .trace import open as open_trace  # not before: imports would be recorded

        if not self._attached.returncode:
            self.trace = open_trace(self.filename)
            return
        if self._attached.returncode < 0:  # it was killed; what it began is to be ended
            command.run("detach", str(os.getpid()))
        if not raised:  # an exception of the block matters more
            raise RuntimeError(said.strip() or f"fathom attach was ended by signal {-self._attached.returncode}; its spill folder is for fathom merge")

    def __repr__(self):
        return f"<fathom recording {self.filename}>"


def _let_trace(pid):
    """Where only ancestors may trace a process (kernel.yama.ptrace_scope 1), the named one may, too."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_ulong(pid), 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def record(path="python.fathom", *options, force=False):
    """Records the calls of a block, of this process and of processes that it starts:

        with fathom.record("step.fathom") as recording:
            ...
        recording.trace.report()

    `options` are those of `fathom attach` (fathom-attach(1)). Handles that were open before get their names when they are used. FileExistsError: the trace
    exists, and `force` is not given; RuntimeError: what `fathom attach` says, where it cannot attach."""
    path = os.path.abspath(os.fspath(path))
    if os.path.exists(path) and not force:
        raise FileExistsError(f"{path} exists; force=True replaces it")
    return Recording(path, options)
