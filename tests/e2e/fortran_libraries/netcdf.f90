! What libnetcdff calls for a program: the module of Fortran 90, and the functions of Fortran 77.
program write_it
    use netcdf
    implicit none
    include 'netcdf.inc'
    integer :: file, dims(2), heights, number
    real(kind=8) :: values(4, 3), back(4)

    call check(nf90_create('data.nc', NF90_NETCDF4, file))
    call check(nf90_def_dim(file, 'column', 4, dims(1)))
    call check(nf_def_dim(file, 'row', 3, dims(2)))
    call check(nf90_def_var(file, 'height', NF90_DOUBLE, dims, heights))
    call check(nf90_put_att(file, heights, 'units', 'm'))
    call check(nf90_enddef(file))
    values = 1.5d0
    call check(nf90_put_var(file, heights, values))
    call check(nf_get_vara_double(file, heights, [1, 3], [4, 1], back))
    if (nf90_inq_varid(file, 'depth', number) /= NF90_ENOTVAR) stop 2
    call check(nf90_close(file))
    print *, sum(back)
contains
    subroutine check(status)
        integer, intent(in) :: status
        if (status == NF90_NOERR) return
        print *, trim(nf90_strerror(status))
        stop 1
    end subroutine
end program
