! The solution of a block-tridiagonal solver, BT-IO: five numbers for each point of a cube. Each process has
! several cells on a diagonal of the cube (multi-partitioning), so its part is many short runs.
program btio
  use mpi
  implicit none
  integer, parameter :: points = 12
  real(8), allocatable :: solution(:, :, :, :)
  integer :: rank, size, error, cells, side, cell, x0, y0, z0, x, y, z, p

#begin_options
library: mpiio; file: "btio.out";
processes: 4;
assume: points = 12, side = 6, cell = 0, z0 = cell * 6;
assume: y0 = mod(rank / 2 + cell, 2) * 6, x0 = mod(rank + cell, 2) * 6;
#end_options

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  cells = nint(sqrt(real(size)))
  side = points / cells
  if (cells * cells /= size .or. side * cells /= points) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  allocate (solution(5, side, side, side))
  #begin_dimensions
  parts: 5; x: points; y: points; z: points;
  #end_dimensions
  #begin_variables
  u: double, 4, parts, x, y, z;
  #end_variables
  do cell = 0, cells - 1
    z0 = cell * side
    y0 = mod(rank / cells + cell, cells) * side
    x0 = mod(rank + cell, cells) * side
    do z = 1, side
      do y = 1, side
        do x = 1, side
          do p = 1, 5
            solution(p, x, y, z) = (((z0 + z - 1) * points + y0 + y - 1) * points + x0 + x - 1) * 5 + p - 1
          end do
        end do
      end do
    end do
    #begin_write
    array: rank, u, 1, 5, x0 + 1, side, y0 + 1, side, z0 + 1, side, solution;
    #end_write
  end do
  #close
  call MPI_Finalize(error)
end program btio
