! Heat in a plate, in blocks of columns: each process has some, and writes and reads them back.
program heat
  use mpi
  implicit none
  integer, parameter :: rows = 96, columns = 64, steps = 20
  real(8) :: old(rows, 0:columns + 1), next(rows, 0:columns + 1), again(rows, columns)
  integer :: rank, size, first, own, error, i, j, up, down, status(MPI_STATUS_SIZE)

#begin_options
library: mpiio; file: "heat.dat";
processes: 4;
assume: rows = 96, columns = 64, first = rank * 16 + 1, own = 16;
#end_options

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  first = columns * rank / size + 1
  own = columns * (rank + 1) / size - first + 1
  up = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  down = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
  old = 0
  do j = 1, own
    do i = 1, rows
      old(i, j) = first + j - 2 + (i - 1) / 1000d0
    end do
  end do
  do i = 1, steps
    call MPI_Sendrecv(old(:, 1), rows, MPI_REAL8, up, 0, old(:, own + 1), rows, MPI_REAL8, down, 0, &
                      MPI_COMM_WORLD, status, error)
    call MPI_Sendrecv(old(:, own), rows, MPI_REAL8, down, 1, old(:, 0), rows, MPI_REAL8, up, 1, &
                      MPI_COMM_WORLD, status, error)
    do j = 1, own
      next(2:rows - 1, j) = (old(1:rows - 2, j) + old(3:rows, j) + old(2:rows - 1, j - 1) &
                             + old(2:rows - 1, j + 1)) / 4
    end do
    old(2:rows - 1, 1:own) = next(2:rows - 1, 1:own)
  end do

  #begin_dimensions
  x: rows;
  y: columns;
  #end_dimensions
  #begin_variables
  temperature: double, 2, x, y;
  #end_variables
  #begin_attributes
  unit: temperature, char, "Celsius";
  steps: *, int, steps;
  #end_attributes
  #begin_write
  array: rank, temperature, 1, rows, first, own, old(:, 1:own);
  #end_write

  #begin_options
  file: "heat.dat"; mode: read;
  #end_options
  #begin_read
  array: rank, temperature, 1, rows, first, own, again;
  #end_read
  if (any(abs(again(:, 1:own) - old(:, 1:own)) > 0)) then
    write (0, *) "another value came back"
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end if
  call MPI_Finalize(error)
end program heat
