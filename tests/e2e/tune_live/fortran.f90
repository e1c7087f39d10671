! Ranks open a file together until there is a file `stop`; prints which cb_nodes each file has.
program opens
  use mpi
  implicit none
  integer :: ierror, rank, file, info, used, i
  character(len=16) :: name, value
  logical :: there, stops
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Info_create(info, ierror)
  do i = 1, 4000
    write (name, '(a,i4.4)') 'file', i
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, info, file, ierror)
    if (ierror /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
    call MPI_File_get_info(file, used, ierror)
    call MPI_Info_get(used, 'cb_nodes', len(value), value, there, ierror)
    call MPI_Info_free(used, ierror)
    call MPI_File_close(file, ierror)
    if (.not. there) value = '0'
    if (rank == 0) print '(a,1x,a)', trim(name), trim(value)
    flush (6)
    inquire (file='stop', exist=stops)
    call MPI_Bcast(stops, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierror)
    if (stops) exit
  end do
  call MPI_Finalize(ierror)
end program opens
