! Files as a program in Fortran without MPI uses them: formatted and unformatted, in sequence, by record and as a stream.
program units
    implicit none
    integer :: i, status, number
    real(8) :: values(8), back(8)
    character(len=16) :: line
    values = [(i * 0.5d0, i = 1, 8)]

    open(10, file='sequential.txt', status='new', action='readwrite')
    do i = 1, 3
        write(10, '(a, i2)') 'line ', i
    end do
    rewind(10)
    read(10, '(a)') line
    print '(a)', trim(line)
    close(10)

    open(newunit=number, file='records', access='direct', recl=64, form='unformatted', status='new')
    do i = 4, 1, -1
        write(number, rec=i) values * i
    end do
    read(number, rec=3) back
    print '(f6.2)', back(8)
    close(number)

    open(newunit=number, file='stream', access='stream', form='unformatted', status='new')
    write(number) values
    write(number, pos=17) -1.0d0
    flush(number)
    read(number, pos=1) back
    print '(3f6.2)', back(2:4)
    close(number)

    open(newunit=number, file='missing', status='old', iostat=status)
    print '(l1)', status /= 0
    open(newunit=number, file='scratch', status='new')
    write(number, *) 'gone'
    close(number, status='delete')
end program
