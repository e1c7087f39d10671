/* MPI-IO in Fortran. */
#include "gen/emit_fortran/fortran_parts.h"

static const char head[] =
    "  use mpi\n"
    "  implicit none\n"
    "  integer :: io_error\n"
    "  type io_raw_file\n"
    "    integer :: handle, layout\n"
    "    logical :: writes = .false. ! the layout, here\n"
    "    integer(MPI_OFFSET_KIND) :: end, record ! bytes: of what has a fixed place, of a record\n"
    "  end type io_raw_file\n";

static const char part[] = "  ! A part of an array as a datatype, for its owner to free.\n"
                           "  function io_part(lengths, count, start, item) result(part)\n"
                           "    integer, intent(in) :: lengths(:), count(:), start(:), item\n"
                           "    integer :: part\n"
                           "    if (all(count > 0)) then\n"
                           "      call MPI_Type_create_subarray(size(count), lengths, count, start "
                           "- 1, MPI_ORDER_FORTRAN, &\n"
                           "                                    item, part, io_error)\n"
                           "    else\n"
                           "      call MPI_Type_dup(item, part, io_error)\n"
                           "    end if\n"
                           "    call io_check_mpi(io_error, 'MPI_Type_create_subarray')\n"
                           "    call MPI_Type_commit(part, io_error)\n"
                           "    call io_check_mpi(io_error, 'MPI_Type_commit')\n"
                           "  end function io_part\n";

static const char removes[] =
    "  ! A file of an earlier run goes, so that nothing of it is behind what is written.\n"
    "  subroutine io_remove(comm, rank, path)\n"
    "    integer, intent(in) :: comm, rank\n"
    "    character(len=*), intent(in) :: path\n"
    "    integer :: code, reason\n"
    "    code = MPI_SUCCESS\n"
    "    if (rank == 0) call MPI_File_delete(path, MPI_INFO_NULL, code)\n"
    "    call MPI_Error_class(code, reason, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Error_class')\n"
    "    if (reason /= MPI_ERR_NO_SUCH_FILE) call io_check_mpi(code, 'MPI_File_delete')\n"
    "    call MPI_Barrier(comm, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Barrier')\n"
    "  end subroutine io_remove\n";

static const char records[] =
    "  ! The same part of `count` records; of none, any, as a view has at least one element.\n"
    "  function io_records(count, record, part) result(all_of_them)\n"
    "    integer, intent(in) :: count\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: record\n"
    "    integer, intent(in) :: part\n"
    "    integer :: all_of_them, own\n"
    "    own = part\n"
    "    call MPI_Type_create_hvector(max(count, 1), 1, int(record, MPI_ADDRESS_KIND), own, "
    "all_of_them, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Type_create_hvector')\n"
    "    call MPI_Type_commit(all_of_them, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Type_commit')\n"
    "    call MPI_Type_free(own, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Type_free')\n"
    "  end function io_records\n";

static const char structure[] = "  ! Elements of a structure, as they are in memory.\n"
                                "  function io_bytes(bytes) result(item)\n"
                                "    integer, intent(in) :: bytes\n"
                                "    integer :: item\n"
                                "    call MPI_Type_contiguous(bytes, MPI_BYTE, item, io_error)\n"
                                "    call io_check_mpi(io_error, 'MPI_Type_contiguous')\n"
                                "    call MPI_Type_commit(item, io_error)\n"
                                "    call io_check_mpi(io_error, 'MPI_Type_commit')\n"
                                "  end function io_bytes\n";

static const char arrived[] =
    "  ! A file that is too short gives fewer elements than were asked for, and no error.\n"
    "  subroutine io_check_read(status, type, wanted, name)\n"
    "    integer, intent(in) :: status(MPI_STATUS_SIZE), type, wanted\n"
    "    character(len=*), intent(in) :: name\n"
    "    integer :: count\n"
    "    call MPI_Get_count(status, type, count, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Get_count')\n"
    "    if (count == wanted) return\n"
    "    write (0, '(a,i0,a,i0)') 'elements in the file of ' // name // ': ', count, ' of ', "
    "wanted\n"
    "    call MPI_Abort(MPI_COMM_WORLD, 1, io_error)\n"
    "  end subroutine io_check_read\n";

static const struct fth_gen_helper helpers[] = {
    {"io_check_mpi", fth_gen_f_check_mpi},
    {"io_need", fth_gen_f_need},
    {"io_layout", fth_gen_f_layout},
    {"io_define", fth_gen_f_define},
    {"io_end_layout", fth_gen_f_end_layout},
    {"io_part", part},
    {"io_remove", removes},
    {"io_records", records},
    {"io_bytes", structure},
    {"io_check_read", arrived},
};

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name;
    fputs("block\ninteger :: io_info\nio_info = MPI_INFO_NULL\n", writing->to);
    fth_gen_f_info(writing);
    fth_gen_f_processes(writing);
    if (session->creates)
        fprintf(writing->to, "call io_remove(%s, %s_rank, %s)\n", writing->model->communicator,
                name, writing->file->path);
    fth_gen_f_call(writing, "MPI_File_open", "%s, %s, %s, io_info, %s_file%%handle",
                   writing->model->communicator, writing->file->path,
                   session->creates  ? "MPI_MODE_CREATE + MPI_MODE_RDWR"
                   : session->writes ? "MPI_MODE_RDWR"
                                     : "MPI_MODE_RDONLY",
                   name);
    fth_gen_f_free_info(writing);
    fth_gen_f_raw_open(writing, session->creates);
    fputs("end block\n", writing->to);
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    const char *name = writing->file->name;
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind sync, barrier, sync.");
    fth_gen_f_call(writing, "MPI_File_sync", "%s_file%%handle", name);
    fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
    fth_gen_f_call(writing, "MPI_File_sync", "%s_file%%handle", name);
}

static void put_part(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable,
                     const char *type)
{
    uint32_t count = variable->dimension_count;
    const char *name = writing->file->name;
    if (!fth_gen_f_grows(writing, variable))
        fprintf(writing->to, "io_region = io_part(io_lengths, io_count, io_start, %s)\n", type);
    else if (count == 1)
        fprintf(
            writing->to,
            "io_region = io_records(io_count(1), %s_file%%record, io_part([1], [1], [1], %s))\n",
            name, type);
    else
        fprintf(
            writing->to,
            "io_region = io_records(io_count(%u), %s_file%%record, &\n    io_part(io_lengths(:%u), "
            "io_count(:%u), io_start(:%u), %s))\n",
            count, name, count - 1, count - 1, count - 1, type);
}

static void put_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    const char *type = variable->type ? variable->type->mpi_fortran : "io_item";
    bool grows = fth_gen_f_grows(writing, variable);
    (void)index;
    fth_gen_f_reason(writing, access);
    fputs("block\n", writing->to);
    fprintf(writing->to, "integer :: io_region%s, io_status(MPI_STATUS_SIZE)\n",
            variable->compound ? ", io_item" : "");
    fth_gen_f_arrays(writing, access, "integer", !grows || variable->dimension_count > 1, "");
    if (variable->compound)
        fprintf(writing->to, "io_item = io_bytes(%u)\n", fth_gen_bytes_of(variable));
    put_part(writing, variable, type);
    char moved[128] = "";
    if (grows)
        snprintf(moved, sizeof moved, " + (io_start(%u) - 1) * %s_file%%record",
                 variable->dimension_count, name);
    fth_gen_f_call(writing, "MPI_File_set_view",
                   "%s_file%%handle, %s_%s_at%s, &\n    %s, io_region, \"native\", MPI_INFO_NULL",
                   name, name, variable->name, moved, type);
    char call[64];
    snprintf(call, sizeof call, "MPI_File_%s%s", access->writes ? "write" : "read",
             access->choice.collective ? "_all" : "");
    fth_gen_f_call(writing, call, "%s_file%%handle, %s, &\n    product(io_count), %s, io_status",
                   name, access->buffer, type);
    if (!access->writes)
        fprintf(writing->to, "call io_check_read(io_status, %s, product(io_count), \"%s\")\n", type,
                variable->name);
    fth_gen_f_call(writing, "MPI_Type_free", "io_region");
    if (variable->compound)
        fth_gen_f_call(writing, "MPI_Type_free", "io_item");
    fputs("end block\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fth_gen_f_call(writing, "MPI_File_close", "%s_file%%handle", writing->file->name);
}

const struct fth_gen_emitter fth_gen_fortran_mpiio = {
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
