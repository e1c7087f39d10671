! Calls of MPI in each of the three bindings of Fortran, for two ranks: with -DBINDING=1 mpif.h, 2 the module mpi, 3 the module mpi_f08.
! Prints what MPI returned; what the calls are in the trace is in check.py.
#if BINDING == 3
#define HANDLE(kind) type(kind)
#define STATUS type(MPI_Status)
#define STATUS_SIZE
#define STATUSES(n) (n)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#define AND_IERROR
#else
#define HANDLE(kind) integer
#define STATUS integer
#define STATUS_SIZE (MPI_STATUS_SIZE)
#define STATUSES(n) (MPI_STATUS_SIZE, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#define AND_IERROR , ierror
#endif

program fortran
#if BINDING == 2
    use mpi
#elif BINDING == 3
    use mpi_f08
#endif
    implicit none
#if BINDING == 1
    include 'mpif.h'
#endif
    integer :: rank, ranks, other, ierror, provided

    call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks AND_IERROR)
    other = 1 - rank
    call messages
    call requests
    call collectives
    call communicators
    call datatypes
    call hints
    call files
    call MPI_Barrier(MPI_COMM_WORLD AND_IERROR)
    call MPI_Finalize(ierror)

contains

    subroutine say(what, values)
        character(len=*), intent(in) :: what
        integer, intent(in) :: values(:)
        if (rank == 0) print '(a, 20(1x, i0))', what, values
    end subroutine

    subroutine messages
        integer :: buffer(4), back(4), count
        logical :: flag
        STATUS :: status STATUS_SIZE
        buffer = rank
        if (rank == 0) then
            call MPI_Send(buffer, 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
            call MPI_Send(buffer, 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD AND_IERROR)
        else
            call MPI_Recv(back, 4, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, ierror)
            call MPI_Recv(back, 4, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        end if
        call MPI_Sendrecv(buffer, 2, MPI_INTEGER, other, 3, back, 4, MPI_INTEGER, other, 3, MPI_COMM_WORLD, &
                          status, ierror)
        call MPI_Get_count(status, MPI_INTEGER, count, ierror)
        call say('sendrecv', [back(1), count, SOURCE_OF(status), TAG_OF(status)])
        call MPI_Iprobe(other, 77, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE AND_IERROR)
        call say('iprobe', [merge(1, 0, flag)])
    end subroutine

    subroutine requests
        integer, parameter :: n = 3
        integer :: buffers(4, 2 * n), index, outcount, indices(n), i, done
        HANDLE(MPI_Request) :: list(n), one
        STATUS :: status STATUS_SIZE
        STATUS :: statuses STATUSES(n)
        logical :: flag
        buffers = rank
        ! All at once, with and without statuses; the third is no request.
        do i = 1, 2
            call MPI_Irecv(buffers(1, 1), 4, MPI_INTEGER, other, 10, MPI_COMM_WORLD, list(1), ierror)
            call MPI_Isend(buffers(1, 2), 4, MPI_INTEGER, other, 10, MPI_COMM_WORLD, list(2) AND_IERROR)
            list(3) = MPI_REQUEST_NULL
            if (i == 1) then
                call MPI_Waitall(n, list, statuses, ierror)
#if BINDING == 3
                call say('waitall', [statuses(1)%MPI_SOURCE, statuses(1)%MPI_TAG])
#else
                call say('waitall', [statuses(MPI_SOURCE, 1), statuses(MPI_TAG, 1)])
#endif
            else
                call MPI_Waitall(n, list, MPI_STATUSES_IGNORE AND_IERROR)
            end if
        end do
        ! Any of them: the second receive is the only one that can be over.
        call MPI_Irecv(buffers(1, 1), 4, MPI_INTEGER, other, 11, MPI_COMM_WORLD, list(1), ierror)
        call MPI_Irecv(buffers(1, 2), 4, MPI_INTEGER, other, 12, MPI_COMM_WORLD, list(2), ierror)
        call MPI_Send(buffers(1, 4), 1, MPI_INTEGER, other, 12, MPI_COMM_WORLD, ierror)
        call MPI_Waitany(2, list, index, status, ierror)
        call say('waitany', [index, SOURCE_OF(status), TAG_OF(status)])
        call MPI_Testany(2, list, index, flag, MPI_STATUS_IGNORE, ierror)
        call say('testany', [merge(1, 0, flag)])
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call MPI_Send(buffers(1, 4), 2, MPI_INTEGER, other, 11, MPI_COMM_WORLD, ierror)
        call MPI_Waitsome(2, list, outcount, indices, MPI_STATUSES_IGNORE, ierror)
        call say('waitsome', [outcount, indices(1)])
        ! Started again and again, waited for and freed.
        call MPI_Recv_init(buffers(1, 1), 4, MPI_INTEGER, other, 13, MPI_COMM_WORLD, one, ierror)
        done = 0
        do i = 1, 3
            call MPI_Start(one, ierror)
            call MPI_Send(buffers(1, 4), 4, MPI_INTEGER, other, 13, MPI_COMM_WORLD, ierror)
            call MPI_Wait(one, MPI_STATUS_IGNORE AND_IERROR)
            done = done + 1
        end do
        call MPI_Request_free(one, ierror)
        call say('persistent', [done])
        call MPI_Isend(buffers(1, 4), 4, MPI_INTEGER, MPI_PROC_NULL, 14, MPI_COMM_WORLD, one, ierror)
        call MPI_Test(one, flag, status, ierror)
        call say('test', [merge(1, 0, flag)])
    end subroutine

    subroutine collectives
        integer :: values(2), all(4)
        HANDLE(MPI_Op) :: op
        values = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call say('allreduce', values)
        if (rank == 0) then
            call MPI_Reduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
        else
            call MPI_Reduce(values, all, 2, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
        end if
        call MPI_Bcast(values, 2, MPI_INTEGER, 0, MPI_COMM_WORLD AND_IERROR)
        call MPI_Gather(values, 2, MPI_INTEGER, all, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
        call say('gather', all)
        ! An operation of the program's own, which MPI calls back.
        values = rank + 1
        call MPI_Op_create(digits, .true., op, ierror)
        call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, op, MPI_COMM_WORLD AND_IERROR)
        call MPI_Op_free(op, ierror)
        call say('operation', values)
    end subroutine

#if BINDING == 3
    subroutine digits(from, to, length, datatype)
        use, intrinsic :: iso_c_binding
        type(c_ptr), value :: from, to
        integer, pointer :: a(:), b(:)
#else
    subroutine digits(a, b, length, datatype)
        integer :: a(*), b(*)
#endif
        integer :: length, i
        HANDLE(MPI_Datatype) :: datatype
#if BINDING == 3
        call c_f_pointer(from, a, [length])
        call c_f_pointer(to, b, [length])
#endif
        if (datatype /= MPI_INTEGER) print '(a)', 'another datatype'
        do i = 1, length
            b(i) = 10 * min(a(i), b(i)) + max(a(i), b(i))
        end do
    end subroutine

    subroutine communicators
        HANDLE(MPI_Comm) :: copy, half, grid, graph
        HANDLE(MPI_Group) :: group
        integer :: dimensions(2), coordinates(2), color, length, into, out_of
        logical :: periods(2), reorder, weighted
        character(len=MPI_MAX_OBJECT_NAME) :: name
        call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
        call MPI_Comm_set_name(copy, 'a copy of the world', ierror)
        call MPI_Comm_get_name(copy, name, length AND_IERROR)
        if (rank == 0) print '(a)', name(1:length)
        color = merge(MPI_UNDEFINED, 1, rank == 0)
        call MPI_Comm_split(copy, color, 0, half, ierror)
        if (rank /= 0) call MPI_Comm_free(half, ierror)
        periods = [.true., .false.]
        reorder = .false.
        call MPI_Cart_create(copy, 2, [2, 1], periods, reorder, grid, ierror)
        periods = .false.
        call MPI_Cart_get(grid, 2, dimensions, periods, coordinates, ierror)
        call say('grid', [dimensions, merge([1, 1], [0, 0], periods), coordinates])
        call MPI_Comm_group(grid, group, ierror)
        call MPI_Group_free(group, ierror)
        call MPI_Comm_free(grid, ierror)
        call MPI_Dist_graph_create_adjacent(copy, 1, [other], MPI_UNWEIGHTED, 1, [other], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                            .false., graph, ierror)
        call MPI_Dist_graph_neighbors_count(graph, into, out_of, weighted, ierror)
        call say('graph', [into, out_of, merge(1, 0, weighted)])
        call MPI_Comm_free(graph, ierror)
        call MPI_Comm_free(copy AND_IERROR)
    end subroutine

    subroutine datatypes
        integer, volatile :: first, second ! changed by MPI behind the back of the compiler
        integer(MPI_ADDRESS_KIND) :: places(2), low, extent
        HANDLE(MPI_Datatype) :: vector, struct
        integer :: size
        first = 10 + rank
        second = 20 + rank
        call MPI_Type_vector(3, 1, 2, MPI_DOUBLE_PRECISION, vector, ierror)
        call MPI_Type_commit(vector, ierror)
        call MPI_Type_size(vector, size, ierror)
        call MPI_Type_get_extent(vector, low, extent, ierror)
        call say('vector', [size, int(low), int(extent)])
        call MPI_Type_free(vector AND_IERROR)
        call MPI_Get_address(first, places(1), ierror)
        call MPI_Get_address(second, places(2), ierror)
        call MPI_Type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_INTEGER], struct, ierror)
        call MPI_Type_commit(struct, ierror)
        call MPI_Bcast(MPI_BOTTOM, 1, struct, 1, MPI_COMM_WORLD, ierror)
        call MPI_Type_free(struct, ierror)
        call say('struct', [first, second])
    end subroutine

    subroutine hints
        HANDLE(MPI_Info) :: info
        character(len=32) :: key, value
        logical :: flag
        integer :: length
        call MPI_Info_create(info, ierror)
        key = 'cb_nodes'
        call MPI_Info_set(info, key, '  2  ', ierror)
        call MPI_Info_get(info, 'cb_nodes', 31, value, flag AND_IERROR)
        call MPI_Info_get_valuelen(info, 'nothing', length, flag, ierror)
        call say('hint', [merge(1, 0, trim(adjustl(value)) == '2'), merge(1, 0, flag)])
        call MPI_Info_free(info, ierror)
    end subroutine

    subroutine files
        HANDLE(MPI_File) :: file
        HANDLE(MPI_Request) :: request
        STATUS :: status STATUS_SIZE
        integer(MPI_OFFSET_KIND) :: place, size
        integer :: values(8), count
        character(len=64) :: path
        values = rank
        path = 'shared'
        call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
        place = 64 * rank
        call MPI_File_write_at_all(file, place, values, 8, MPI_INTEGER, status, ierror)
        call MPI_Get_count(status, MPI_INTEGER, count, ierror)
        place = 128 + 16 * rank
        call MPI_File_write_at(file, place, values, 4, MPI_INTEGER, MPI_STATUS_IGNORE AND_IERROR)
        place = 256
        call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
        place = 4 * rank
        call MPI_File_seek(file, place, MPI_SEEK_SET, ierror)
        call MPI_File_iwrite(file, values, 4, MPI_INTEGER, request, ierror)
        call MPI_Wait(request, status, ierror)
        call MPI_File_get_position(file, place, ierror)
        call MPI_File_sync(file, ierror)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call MPI_File_read_at(file, 4_MPI_OFFSET_KIND, values, 8, MPI_INTEGER, status AND_IERROR)
        call MPI_File_get_size(file, size, ierror)
        call say('file', [count, int(place), values(1), values(4), int(size)])
        call MPI_File_close(file, ierror)
        call MPI_File_open(MPI_COMM_SELF, 'missing', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
        call say('missing', [merge(1, 0, ierror /= MPI_SUCCESS)])
    end subroutine
end program
