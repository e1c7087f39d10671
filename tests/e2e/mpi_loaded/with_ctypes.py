"""MPI through ctypes: no object of the program refers to it."""
import ctypes
import sys

mpi = ctypes.CDLL(sys.argv[1])
mpi.MPI_Init(None, None)
value = ctypes.c_int(-1)
mpi.MPI_Initialized(ctypes.byref(value))
print(value.value)
mpi.MPI_Finalize()
