# mpi4py: objects sent, collectives, files of MPI-IO.
#: needs python3 mpirun.openmpi
#: package python3-mpi4py
prepare() {
    "$PYTHON" -c 'import mpi4py' || leave_out "no mpi4py (package python3-mpi4py)"
    write_main
}
write_main() {
    cat >main.py <<'PY'
from mpi4py import MPI
import array

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
print(rank, world.allgather({"rank": rank, "square": rank * rank}))
world.send(list(range(rank)), (rank + 1) % size, tag=5)
print(rank, world.recv(source=(rank - 1) % size, tag=5))
data = array.array("i", [rank] * 1000)
file = MPI.File.Open(world, "shared", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at_all(4000 * rank, data)
file.Sync()
back = array.array("i", [0] * 1000)
file.Read_at_all(4000 * ((rank + 1) % size), back)
print(rank, back[0], file.Get_size())
kind = MPI.INT.Create_vector(100, 1, size).Commit()
file.Set_view(8000 + 4 * rank, MPI.INT, kind)
file.Iwrite_all(data[:100]).Wait()
file.Close()
half = world.Split(rank % 2)
print(rank, half.allreduce(rank))
PY
}
run() {
    mpirun.openmpi -n 4 "$rank" "$PYTHON" main.py
}
