/* POSIX in Fortran, by the interoperation with C. */
#include "gen/emit_fortran/fortran_parts.h"

static const char head[] =
    "  use mpi\n"
    "  use, intrinsic :: iso_c_binding\n"
    "  implicit none\n"
    "  integer :: io_error\n"
    "  type io_raw_file\n"
    "    integer(c_int) :: handle\n"
    "    integer :: layout\n"
    "    logical :: writes = .false. ! the layout, here\n"
    "    integer(MPI_OFFSET_KIND) :: end, record ! bytes: of what has a fixed place, of a record\n"
    "  end type io_raw_file\n";

static const char c_creat[] =
    "  interface\n"
    "    function io_c_creat(path, mode) bind(C, name='creat') result(descriptor)\n"
    "      import\n"
    "      character(kind=c_char), intent(in) :: path(*)\n"
    "      integer(c_int), value :: mode\n"
    "      integer(c_int) :: descriptor\n"
    "    end function io_c_creat\n"
    "  end interface\n";
static const char c_open[] =
    "  interface\n"
    "    function io_c_open(path, flags) bind(C, name='open') result(descriptor)\n"
    "      import\n"
    "      character(kind=c_char), intent(in) :: path(*)\n"
    "      integer(c_int), value :: flags\n"
    "      integer(c_int) :: descriptor\n"
    "    end function io_c_open\n"
    "  end interface\n";
static const char c_close[] =
    "  interface\n"
    "    function io_c_close(descriptor) bind(C, name='close') result(code)\n"
    "      import\n"
    "      integer(c_int), value :: descriptor\n"
    "      integer(c_int) :: code\n"
    "    end function io_c_close\n"
    "  end interface\n";
static const char c_fsync[] =
    "  interface\n"
    "    function io_c_fsync(descriptor) bind(C, name='fsync') result(code)\n"
    "      import\n"
    "      integer(c_int), value :: descriptor\n"
    "      integer(c_int) :: code\n"
    "    end function io_c_fsync\n"
    "  end interface\n";
static const char c_moves[] =
    "  interface\n"
    "    function io_c_pwrite(descriptor, buffer, bytes, at) bind(C, name='pwrite') result(moved)\n"
    "      import\n"
    "      integer(c_int), value :: descriptor\n"
    "      integer(c_intptr_t), value :: buffer, bytes\n"
    "      integer(c_int64_t), value :: at\n"
    "      integer(c_intptr_t) :: moved\n"
    "    end function io_c_pwrite\n"
    "    function io_c_pread(descriptor, buffer, bytes, at) bind(C, name='pread') result(moved)\n"
    "      import\n"
    "      integer(c_int), value :: descriptor\n"
    "      integer(c_intptr_t), value :: buffer, bytes\n"
    "      integer(c_int64_t), value :: at\n"
    "      integer(c_intptr_t) :: moved\n"
    "    end function io_c_pread\n"
    "  end interface\n";

static const char check[] = "  subroutine io_check(result, call)\n"
                            "    integer(c_int), intent(in) :: result\n"
                            "    character(len=*), intent(in) :: call\n"
                            "    integer :: error\n"
                            "    if (result >= 0) return\n"
                            "    call perror(call)\n"
                            "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
                            "  end subroutine io_check\n";

static const char move[] =
    "  ! All of these bytes: a call may move fewer. `address`: in memory; behind them afterwards.\n"
    "  subroutine io_move(descriptor, address, bytes, at, writes)\n"
    "    integer(c_int), intent(in) :: descriptor\n"
    "    integer(c_intptr_t), intent(inout) :: address\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: bytes, at\n"
    "    logical, intent(in) :: writes\n"
    "    integer(c_intptr_t) :: moved\n"
    "    integer(MPI_OFFSET_KIND) :: done\n"
    "    done = 0\n"
    "    do while (done < bytes)\n"
    "      if (writes) then\n"
    "        moved = io_c_pwrite(descriptor, address, int(bytes - done, c_intptr_t), at + done)\n"
    "      else\n"
    "        moved = io_c_pread(descriptor, address, int(bytes - done, c_intptr_t), at + done)\n"
    "      end if\n"
    "      if (moved <= 0) call io_check(-1, 'pwrite or pread, or the file ends before')\n"
    "      address = address + moved\n"
    "      done = done + moved\n"
    "    end do\n"
    "  end subroutine io_move\n";

static const char part[] =
    "  ! A part of a variable, in runs that are as long as they can be. `step`: bytes from one "
    "index of\n"
    "  ! the slowest dimension, which is the last, to the next.\n"
    "  recursive subroutine io_part(descriptor, at, step, item, lengths, start, count, address, "
    "writes)\n"
    "    integer(c_int), intent(in) :: descriptor\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: at, step, lengths(:), start(:), count(:)\n"
    "    integer, intent(in) :: item\n"
    "    integer(c_intptr_t), intent(inout) :: address\n"
    "    logical, intent(in) :: writes\n"
    "    integer(MPI_OFFSET_KIND) :: begin, run, i\n"
    "    integer :: n\n"
    "    n = size(count)\n"
    "    run = item * product(lengths(:n - 1))\n"
    "    begin = at + (start(n) - 1) * step\n"
    "    if (all(count(:n - 1) == lengths(:n - 1)) .and. run == step) then\n"
    "      call io_move(descriptor, address, count(n) * run, begin, writes)\n"
    "      return\n"
    "    end if\n"
    "    do i = 0, count(n) - 1\n"
    "      if (all(count(:n - 1) == lengths(:n - 1))) then\n"
    "        call io_move(descriptor, address, run, begin + i * step, writes)\n"
    "      else\n"
    "        call io_part(descriptor, begin + i * step, run / lengths(n - 1), item, lengths(:n - "
    "1), &\n"
    "                     start(:n - 1), count(:n - 1), address, writes)\n"
    "      end if\n"
    "    end do\n"
    "  end subroutine io_part\n";

static const char write_text[] =
    "  subroutine io_write(descriptor, at, step, item, lengths, start, count, buffer)\n"
    "    integer(c_int), intent(in) :: descriptor\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: at, step, lengths(:), start(:), count(:)\n"
    "    integer, intent(in) :: item\n"
    "    type(*), intent(in), target :: buffer(*)\n"
    "    integer(c_intptr_t) :: address\n"
    "    address = transfer(c_loc(buffer), address)\n"
    "    call io_part(descriptor, at, step, item, lengths, start, count, address, .true.)\n"
    "  end subroutine io_write\n";
static const char read_text[] =
    "  subroutine io_read(descriptor, at, step, item, lengths, start, count, buffer)\n"
    "    integer(c_int), intent(in) :: descriptor\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: at, step, lengths(:), start(:), count(:)\n"
    "    integer, intent(in) :: item\n"
    "    type(*), intent(inout), target :: buffer(*)\n"
    "    integer(c_intptr_t) :: address\n"
    "    address = transfer(c_loc(buffer), address)\n"
    "    call io_part(descriptor, at, step, item, lengths, start, count, address, .false.)\n"
    "  end subroutine io_read\n";

static const struct fth_gen_helper helpers[] = {
    {"io_c_creat", c_creat},
    {"io_c_open", c_open},
    {"io_c_close", c_close},
    {"io_c_fsync", c_fsync},
    {"io_c_pread", c_moves},
    {"io_check_mpi", fth_gen_f_check_mpi},
    {"io_check", check},
    {"io_need", fth_gen_f_need},
    {"io_layout", fth_gen_f_layout},
    {"io_define", fth_gen_f_define},
    {"io_end_layout", fth_gen_f_end_layout},
    {"io_move", move},
    {"io_part", part},
    {"io_write", write_text},
    {"io_read", read_text},
};

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    fth_gen_f_processes(writing);
    if (session->creates) {
        fprintf(writing->to,
                "if (%s_rank == 0) then ! one makes it, the others wait\n"
                "%s_file%%handle = io_c_creat(trim(%s) // c_null_char, int(o'666', c_int))\n"
                "call io_check(%s_file%%handle, \"creat\")\n"
                "call io_check(io_c_close(%s_file%%handle), \"close\")\nend if\n",
                name, name, path, name, name);
        fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
    }
    fprintf(writing->to,
            "%s_file%%handle = io_c_open(trim(%s) // c_null_char, %d_c_int) ! %s\n"
            "call io_check(%s_file%%handle, \"open\")\n",
            name, path, session->writes ? 2 : 0, session->writes ? "O_RDWR" : "O_RDONLY", name);
    fth_gen_f_raw_open(writing, session->creates);
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is there when all of them are here.");
    fprintf(writing->to, "call io_check(io_c_fsync(%s_file%%handle), \"fsync\")\n",
            writing->file->name);
    fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
}

static void put_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    unsigned item = fth_gen_bytes_of(variable);
    uint32_t count = variable->dimension_count;
    char step[128];
    (void)index;
    fth_gen_f_reason(writing, access);
    fputs("block\n", writing->to);
    fth_gen_f_arrays(writing, access, "integer(MPI_OFFSET_KIND)", true, "");
    if (fth_gen_f_grows(writing, variable))
        snprintf(step, sizeof step, "%s_file%%record", name);
    else
        snprintf(step, sizeof step, "%u * product(io_lengths(:%u))", item, count - 1);
    fprintf(
        writing->to,
        "call io_%s(%s_file%%handle, %s_%s_at, %s, %u, &\n    io_lengths, io_start, io_count, %s)\n"
        "end block\n",
        access->writes ? "write" : "read", name, name, variable->name, step, item, access->buffer);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "call io_check(io_c_close(%s_file%%handle), \"close\")\n",
            writing->file->name);
}

const struct fth_gen_emitter fth_gen_fortran_posix = {
    head,
    helpers,
    sizeof helpers / sizeof *helpers,
    fth_gen_f_raw_state,
    open_file,
    NULL,
    fth_gen_f_raw_variable,
    fth_gen_f_raw_attribute,
    fth_gen_f_raw_defined,
    begin_set,
    put_access,
    NULL,
    close_file,
};
