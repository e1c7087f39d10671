"""The libraries whose parallel tests are run, each a script of this folder, with one MPI: what was built is found again. For bench/layers/run and
bench/verify/tests."""

import os
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "programs"))
from compare import PLAY, Program  # noqa: E402

NAMES = sorted(name.removesuffix(".sh") for name in os.listdir(here) if name.endswith(".sh"))


class Library(Program):
    """A script, with one MPI, and the folder of what was built of it."""

    def __init__(self, name, mpi, packages):
        super().__init__(os.path.join(here, name + ".sh"))
        self.name, self.mpi = f"{name}-{mpi}", mpi
        self.built = os.path.join(packages, self.name)

    def command(self, what, *arguments, built=None):
        return ["env", f"MPI={self.mpi}", f"BUILT={built or self.built}", PLAY, self.path, what, *arguments]

    def build(self):
        """Why there are no tests, or None."""
        missing = [tool for tool in (f"mpicc.{self.mpi}", f"mpirun.{self.mpi}") if not shutil.which(tool)]
        if self.lacks() or missing:
            return self.lacks() or f"no {' '.join(missing)}"
        if os.path.exists(self.built):
            return None
        where, log, new = self.built + ".build", self.built + ".log", self.built + ".new"
        shutil.rmtree(where, ignore_errors=True)
        shutil.rmtree(new, ignore_errors=True)
        os.makedirs(where)
        with open(log, "wb") as file:
            made = subprocess.run(
                self.command("prepare", built=new), cwd=where, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
            )
        if made.returncode == 77:
            with open(log, errors="replace") as file:
                return file.read().strip().splitlines()[-1]
        if made.returncode != 0:
            return f"it cannot be built: {log}"
        os.rename(new, self.built)
        shutil.rmtree(where)
        return None

    def tests(self):
        left_out = subprocess.run(self.command("left_out"), stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        return sorted(set(os.listdir(os.path.join(self.built, "bin"))) - set(left_out))

    def wanted(self, which):
        """Which of its tests are meant by libraries (hdf5), with one MPI (hdf5-mpich), or single tests (hdf5-mpich/t_mpi): empty for all; None: it is
        not meant at all."""
        name, _, mpi = self.name.rpartition("-")
        tests = {each.partition("/")[2] for each in which if each.partition("/")[0] in (name, self.name)}
        return (set() if "" in tests else tests) if tests or not which else None
