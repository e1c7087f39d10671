! Ranks open a file together, then the next one, until there is a file `stop`. Rank 0 prints which cb_nodes and cb_buffer_size each file has.
program opens
  use mpi
  implicit none
  integer :: ierror, rank, file, info, used, i
  character(len=16) :: name
  logical :: stops
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Info_create(info, ierror)
  i = 0
  stops = .false.
  do while (.not. stops)
    i = i + 1
    write (name, '(a,i6.6)') 'file', i
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, info, file, ierror)
    if (ierror /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
    call MPI_File_get_info(file, used, ierror)
    if (rank == 0) print '(a,1x,a,1x,a)', trim(name), trim(hint('cb_nodes')), trim(hint('cb_buffer_size'))
    call MPI_Info_free(used, ierror)
    call MPI_File_close(file, ierror)
    flush (6)
    inquire (file='stop', exist=stops)
    call MPI_Bcast(stops, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  function hint(key) result(value)
    character(len=*), intent(in) :: key
    character(len=16) :: value
    logical :: there
    value = '0'
    call MPI_Info_get(used, key, len(value), value, there, ierror)
    if (.not. there) value = '0'
  end function
end program opens
