program marked
    use fathom_mark
    implicit none
    integer(8) :: large = 5000000000_8
    call fathom_begin('output  ')
    open (unit=10, file='fortran', status='replace')
    write (10, '(a)') 'text'
    close (10)
    call fathom_counter('steps', 7)
    call fathom_counter('large', large)
    call fathom_end('output')
end program
