module field_io
  use mpi
  implicit none
  integer, parameter :: n = 12, m = 9
contains
  subroutine save_field(name, a, lo, cnt)
    character(len=*), intent(in) :: name
    integer, intent(in) :: lo, cnt
    real(8), intent(in) :: a(0:m + 1, 0:cnt + 1)
    #begin_options
    library: hdf5; file: trim(name);
    #end_options
    #begin_dimensions
    x: m;
    y: n;
    #end_dimensions
    #begin_variables
    t: double, 2, x, y;
    #end_variables
    #begin_attributes
    unit: t, char, "Celsius";
    levels: t, int, 1, 2, 3;
    #end_attributes
    #begin_write
    part: *, t, 1, m, lo, cnt, a(1:m, 1:cnt);
    #end_write
  end subroutine save_field

  subroutine load_field(name, a, lo, cnt)
    character(len=*), intent(in) :: name
    integer, intent(in) :: lo, cnt
    real(8), intent(inout) :: a(0:m + 1, 0:cnt + 1)
    #begin_options
    file: trim(name); mode: read;
    #end_options
    #begin_read
    part: *, t, 1, m, lo, cnt, a(1:m, 1:cnt);
    #end_read
  end subroutine load_field
end module field_io

program ghost
  use mpi
  use field_io
  implicit none
  integer :: ierr, me, np, lo, cnt, i, j
  real(8), allocatable :: a(:, :), b(:, :)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  lo = n * me / np + 1
  cnt = n * (me + 1) / np + 1 - lo
  allocate (a(0:m + 1, 0:cnt + 1), b(0:m + 1, 0:cnt + 1))
  a = -1
  b = -1
  do j = 1, cnt
    do i = 1, m
      a(i, j) = i - 1 + (lo + j - 2) * m
    end do
  end do
  call save_field("module.out", a, lo, cnt)
  call load_field("module.out", b, lo, cnt)
  if (any(abs(a - b) > 0)) call MPI_Abort(MPI_COMM_WORLD, 7, ierr)
  call MPI_Finalize(ierr)
end program ghost
