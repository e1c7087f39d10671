! A series in time: a field on a grid of processes, and one number of all of them, at each step. The file
! grows by a record at each.
program series
  use mpi
  implicit none
  integer, parameter :: steps = 5, rows = 12, columns = 20
  real(4) :: part(columns / 2, rows / 2)
  real(8) :: seconds(1)
  integer :: rank, error, step, i, j

#begin_options
library: netcdf4; file: "series.out";
assume: rows = 12, columns = 20, step = 1;
#end_options

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  #begin_dimensions
  x: columns; y: rows; time: unlimited;
  #end_dimensions
  #begin_variables
  seconds: double, 1, time;
  height: float, 3, x, y, time;
  #end_variables
  #begin_attributes
  unit: height, char, "m";
  valid_range: height, float, 0, 10000;
  #end_attributes
  do step = 1, steps
    seconds = (step - 1) * 0.5d0
    do j = 1, rows / 2
      do i = 1, columns / 2
        part(i, j) = real((step - 1) * 1000 + (mod(rank, 2) * (rows / 2) + j - 1) * columns &
                          + rank / 2 * (columns / 2) + i - 1)
      end do
    end do
    #begin_write
    ! Rank 0 writes the time; four processes, in a grid of 2 x 2, the field.
    array: 0, seconds, step, 1, seconds;
    array: <2, 2, 1>, height, <1, 1, step>, <columns / 2, rows / 2, 1>, <columns / 2, rows / 2, 0>, part;
    #end_write
  end do
  #close
  call MPI_Finalize(error)
end program series
