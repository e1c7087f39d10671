! The same kinds of calls from Fortran: the module of Fortran 90, and the functions of Fortran 77.
program pnc
    use mpi
    use pnetcdf
    implicit none
    integer, parameter :: columns = 64
    integer :: ierror, rank, size, file, dims(2), whole, rows, request(1), statuses(1)
    integer :: numbers(columns)
    integer(kind=MPI_OFFSET_KIND) :: start(2), count(2)
    double precision :: heights(columns)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call check(nf90mpi_create(MPI_COMM_WORLD, "fortran.nc", NF90_CLOBBER, MPI_INFO_NULL, file))
    call check(nf90mpi_def_dim(file, "column", int(columns, MPI_OFFSET_KIND), dims(1)))
    call check(nf90mpi_def_dim(file, "row", int(size, MPI_OFFSET_KIND), dims(2)))
    call check(nf90mpi_def_var(file, "whole", NF90_DOUBLE, dims, whole))
    call check(nfmpi_def_var(file, "rows", NF90_INT, 2, dims, rows))
    call check(nf90mpi_enddef(file))
    heights = rank + 0.5d0
    numbers = rank * 10
    start = [integer(kind=MPI_OFFSET_KIND) :: 1, rank + 1]
    count = [integer(kind=MPI_OFFSET_KIND) :: columns, 1]
    call check(nf90mpi_put_var_all(file, whole, heights, start, count))
    call check(nfmpi_iput_vara_int(file, rows, start, count, numbers, request(1)))
    call check(nfmpi_wait_all(file, 1, request, statuses))
    call check(nf90mpi_get_var_all(file, whole, heights, start, count))
    call check(nf90mpi_close(file))
    if (rank == 0) print *, sum(heights), statuses(1)
    call MPI_Finalize(ierror)
contains
    subroutine check(status)
        integer, intent(in) :: status
        if (status == NF90_NOERR) return
        print *, trim(nf90mpi_strerror(status))
        call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
    end subroutine
end program
