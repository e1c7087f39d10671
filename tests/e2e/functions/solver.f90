module solver
contains
    subroutine save_grid
        open (unit=10, file='fortran', status='replace')
        write (10, '(a)') 'text'
        close (10)
    end subroutine
end module
program main
    use solver
    call save_grid
end program
