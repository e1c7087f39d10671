from mpi4py import MPI

world = MPI.COMM_WORLD
file = MPI.File.Open(world, "out", MPI.MODE_CREATE | MPI.MODE_WRONLY)
for i in range(10):
    file.Write_at(10 * world.rank + i, b"x")
file.Close()
total = world.allreduce(world.rank)
if world.rank == 0:
    print(total)
