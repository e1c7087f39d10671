# h5py on parallel HDF5: a file of all ranks, by chunks and by columns.
#: needs python3 mpirun.openmpi
#: package python3-h5py-mpi
prepare() {
    H5PY_ALWAYS_USE_MPI=1 "$PYTHON" -c 'import h5py; assert h5py.get_config().mpi' || leave_out "no parallel h5py (package python3-h5py-mpi)"
    cat >main.py <<'PY'
from mpi4py import MPI
import h5py, numpy

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
with h5py.File("shared.h5", "w", driver="mpio", comm=world) as file:
    a = file.create_dataset("a", (1000, size), dtype="f8", track_times=False)
    a[:, rank] = numpy.arange(1000) * rank
    b = file.create_dataset("group/b", (size, 4096), dtype="i4", chunks=(1, 1024), track_times=False)
    with b.collective:
        b[rank, :] = rank
    file.attrs["size"] = size
with h5py.File("shared.h5", "r", driver="mpio", comm=world) as file:
    print(rank, file["a"][:, (rank + 1) % size].sum(), file["group/b"][(rank + 1) % size, 7])
PY
}
run() {
    export H5PY_ALWAYS_USE_MPI=1
    mpirun.openmpi -n 4 "$rank" "$PYTHON" main.py
}
