! A call from a procedure of a module: the runtime library of Fortran makes it.
module io
contains
    subroutine put(unit)
        integer, intent(in) :: unit
        call flush(unit)
    end subroutine put
end module io
program names
    use io
    open (10, file='fortran.out')
    write (10, *) 1
    call put(10)
    close (10)
end program names
