! Particles: each process has another number of them, one process may have none. They are structures,
! written as they are, one process behind the other.
program particles
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(C) :: particle
    real(c_double) :: position(3)
    real(c_float) :: mass
    integer(c_int) :: number
  end type particle
  type(particle), allocatable :: some(:), again(:)
  integer :: rank, size, error, own, first, everything, i

#begin_options
library: hdf5; file: "particles.out";
processes: 4;
assume: own = 100 + 37 * rank, first = 100 * rank + 37 * rank * (rank - 1) / 2, everything = 622;
#end_options
#begin_types
particle: double position[3], float mass, int number;
#end_types

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  own = 100 + 37 * rank
  if (rank == size - 1 .and. size > 1) own = 0
  first = 0
  call MPI_Exscan(own, first, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) first = 0
  call MPI_Allreduce(own, everything, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  allocate (some(max(own, 1)), again(max(own, 1)))
  do i = 1, own
    some(i)%position = first + i - 1 + [0d0, 0.25d0, 0.5d0]
    some(i)%mass = real(first + i - 1) / 2
    some(i)%number = first + i - 1
  end do

  #begin_dimensions
  particles: everything;
  #end_dimensions
  #begin_variables
  swarm: particle, 1, particles;
  #end_variables
  #begin_attributes
  comment: *, char, "one process behind the other";
  #end_attributes
  #begin_write
  array: rank, swarm, first + 1, own, some;
  #end_write
  #begin_read
  array: rank, swarm, first + 1, own, again;
  #end_read
  do i = 1, own
    if (again(i)%number /= some(i)%number .or. abs(again(i)%mass - some(i)%mass) > 0) call MPI_Abort(MPI_COMM_WORLD, 2, error)
  end do
  call MPI_Finalize(error)
end program particles
