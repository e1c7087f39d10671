/* HDF5 in Fortran, by its module. Data goes through functions that take any array, as its address.
 */
#include "gen/emit_fortran/fortran_parts.h"

#include <string.h>

static const char head[] =
    "  use mpi\n  use hdf5\n  use, intrinsic :: iso_c_binding\n  implicit none\n"
    "  integer :: io_error\n";

static const char check[] = "  subroutine io_check(call)\n"
                            "    character(len=*), intent(in) :: call\n"
                            "    integer :: error\n"
                            "    if (io_error >= 0) return\n"
                            "    write (0, '(a)') call // ' failed'\n"
                            "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
                            "  end subroutine io_check\n";

static const char transfer[] =
    "  ! How data is moved: by all processes together, or by each alone.\n"
    "  function io_transfer(mode) result(transfer_list)\n"
    "    integer, intent(in) :: mode\n"
    "    integer(HID_T) :: transfer_list\n"
    "    call h5pcreate_f(H5P_DATASET_XFER_F, transfer_list, io_error)\n"
    "    call io_check('h5pcreate_f')\n"
    "    call h5pset_dxpl_mpio_f(transfer_list, mode, io_error)\n"
    "    call io_check('h5pset_dxpl_mpio_f')\n"
    "  end function io_transfer\n";

static const char dataset[] =
    "  ! One with chunks grows: its last length is 0.\n"
    "  function io_dataset(file, name, type, lengths, chunk) result(made)\n"
    "    integer(HID_T), intent(in) :: file, type\n"
    "    character(len=*), intent(in) :: name\n"
    "    integer(HSIZE_T), intent(in) :: lengths(:)\n"
    "    integer(HSIZE_T), intent(in), optional :: chunk(:)\n"
    "    integer(HID_T) :: made, space, creation\n"
    "    integer(HSIZE_T) :: most(size(lengths))\n"
    "    integer :: n\n"
    "    n = size(lengths)\n"
    "    most = lengths\n"
    "    call h5pcreate_f(H5P_DATASET_CREATE_F, creation, io_error)\n"
    "    call io_check('h5pcreate_f')\n"
    "    if (present(chunk)) then\n"
    "      most(n) = H5S_UNLIMITED_F\n"
    "      call h5pset_chunk_f(creation, n, chunk, io_error)\n"
    "      call io_check('h5pset_chunk_f')\n"
    "    end if\n"
    "    call h5screate_simple_f(n, lengths, space, io_error, most)\n"
    "    call io_check('h5screate_simple_f')\n"
    "    call h5dcreate_f(file, name, type, space, made, io_error, creation)\n"
    "    call io_check('h5dcreate_f')\n"
    "    call h5sclose_f(space, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "    call h5pclose_f(creation, io_error)\n"
    "    call io_check('h5pclose_f')\n"
    "  end function io_dataset\n";

static const char extend[] =
    "  ! Makes the slowest dimension as long as what all processes write.\n"
    "  subroutine io_extend(comm, set, own)\n"
    "    integer, intent(in) :: comm\n"
    "    integer(HID_T), intent(in) :: set\n"
    "    integer(HSIZE_T), intent(in) :: own\n"
    "    integer(HID_T) :: space\n"
    "    integer(HSIZE_T) :: lengths(32), most(32)\n"
    "    integer(8) :: needed\n"
    "    integer :: n\n"
    "    call MPI_Allreduce(int(own, 8), needed, 1, MPI_INTEGER8, MPI_MAX, comm, io_error)\n"
    "    call io_check_mpi(io_error, 'MPI_Allreduce')\n"
    "    call h5dget_space_f(set, space, io_error)\n"
    "    call io_check('h5dget_space_f')\n"
    "    call h5sget_simple_extent_dims_f(space, lengths, most, n)\n"
    "    call h5sclose_f(space, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "    if (lengths(n) >= needed) return\n"
    "    lengths(n) = needed\n"
    "    call h5dset_extent_f(set, lengths(:n), io_error)\n"
    "    call io_check('h5dset_extent_f')\n"
    "  end subroutine io_extend\n";

static const char select_part[] =
    "  ! A part of a dataset in the file, and memory for it; both for io_release.\n"
    "  subroutine io_select(set, start, count, region, memory)\n"
    "    integer(HID_T), intent(in) :: set\n"
    "    integer(HSIZE_T), intent(in) :: start(:), count(:)\n"
    "    integer(HID_T), intent(out) :: region, memory\n"
    "    call h5dget_space_f(set, region, io_error)\n"
    "    call io_check('h5dget_space_f')\n"
    "    call h5sselect_hyperslab_f(region, H5S_SELECT_SET_F, start - 1, count, io_error)\n"
    "    call io_check('h5sselect_hyperslab_f')\n"
    "    call h5screate_simple_f(size(count), count, memory, io_error)\n"
    "    call io_check('h5screate_simple_f')\n"
    "  end subroutine io_select\n"
    "\n"
    "  subroutine io_release(region, memory)\n"
    "    integer(HID_T), intent(in) :: region, memory\n"
    "    call h5sclose_f(region, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "    call h5sclose_f(memory, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "  end subroutine io_release\n";

static const char write_text[] =
    "  subroutine io_write(set, type, start, count, transfer_list, buffer)\n"
    "    integer(HID_T), intent(in) :: set, type, transfer_list\n"
    "    integer(HSIZE_T), intent(in) :: start(:), count(:)\n"
    "    type(*), intent(in), target :: buffer(*)\n"
    "    integer(HID_T) :: region, memory\n"
    "    call io_select(set, start, count, region, memory)\n"
    "    call h5dwrite_f(set, type, c_loc(buffer), io_error, memory, region, transfer_list)\n"
    "    call io_check('h5dwrite_f')\n"
    "    call io_release(region, memory)\n"
    "  end subroutine io_write\n";
static const char read_text[] =
    "  subroutine io_read(set, type, start, count, transfer_list, buffer)\n"
    "    integer(HID_T), intent(in) :: set, type, transfer_list\n"
    "    integer(HSIZE_T), intent(in) :: start(:), count(:)\n"
    "    type(*), intent(inout), target :: buffer(*)\n"
    "    integer(HID_T) :: region, memory\n"
    "    type(c_ptr) :: place\n"
    "    place = c_loc(buffer)\n"
    "    call io_select(set, start, count, region, memory)\n"
    "    call h5dread_f(set, type, place, io_error, memory, region, transfer_list)\n"
    "    call io_check('h5dread_f')\n"
    "    call io_release(region, memory)\n"
    "  end subroutine io_read\n";

static const char attribute_text[] =
    "  subroutine io_attribute(object, name, type, count, values)\n"
    "    integer(HID_T), intent(in) :: object, type\n"
    "    character(len=*), intent(in) :: name\n"
    "    integer, intent(in) :: count\n"
    "    type(*), intent(in), target :: values(*)\n"
    "    integer(HID_T) :: space, attribute\n"
    "    call h5screate_simple_f(1, [int(count, HSIZE_T)], space, io_error)\n"
    "    call io_check('h5screate_simple_f')\n"
    "    call h5acreate_f(object, name, type, space, attribute, io_error)\n"
    "    call io_check('h5acreate_f')\n"
    "    call h5awrite_f(attribute, type, c_loc(values), io_error)\n"
    "    call io_check('h5awrite_f')\n"
    "    call h5aclose_f(attribute, io_error)\n"
    "    call io_check('h5aclose_f')\n"
    "    call h5sclose_f(space, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "  end subroutine io_attribute\n";

static const char text_attribute[] =
    "  subroutine io_text_attribute(object, name, text)\n"
    "    integer(HID_T), intent(in) :: object\n"
    "    character(len=*), intent(in) :: name, text\n"
    "    integer(HID_T) :: space, attribute, type\n"
    "    call h5tcopy_f(H5T_FORTRAN_S1, type, io_error)\n"
    "    call io_check('h5tcopy_f')\n"
    "    call h5tset_size_f(type, int(len(text), SIZE_T), io_error)\n"
    "    call io_check('h5tset_size_f')\n"
    "    call h5screate_f(H5S_SCALAR_F, space, io_error)\n"
    "    call io_check('h5screate_f')\n"
    "    call h5acreate_f(object, name, type, space, attribute, io_error)\n"
    "    call io_check('h5acreate_f')\n"
    "    call h5awrite_f(attribute, type, text, [1_HSIZE_T], io_error)\n"
    "    call io_check('h5awrite_f')\n"
    "    call h5aclose_f(attribute, io_error)\n"
    "    call io_check('h5aclose_f')\n"
    "    call h5sclose_f(space, io_error)\n"
    "    call io_check('h5sclose_f')\n"
    "    call h5tclose_f(type, io_error)\n"
    "    call io_check('h5tclose_f')\n"
    "  end subroutine io_text_attribute\n";

static const struct fth_gen_helper helpers[] = {
    {"io_check_mpi", fth_gen_f_check_mpi},
    {"io_check", check},
    {"io_need", fth_gen_f_need},
    {"io_transfer", transfer},
    {"io_dataset", dataset},
    {"io_extend", extend},
    {"io_select", select_part},
    {"io_write", write_text},
    {"io_read", read_text},
    {"io_attribute", attribute_text},
    {"io_text_attribute", text_attribute},
};

static void call(const struct fth_gen_writing *writing, const char *name, const char *arguments)
{
    fprintf(writing->to, "call %s(%s, io_error)\ncall io_check(\"%s\")\n", name, arguments, name);
}

static void put_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to,
            "  integer(HID_T) :: %s_file, %s_collective, %s_independent\n  integer :: %s_rank\n",
            file->name, file->name, file->name, file->name);
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        fprintf(writing->to, "  integer(HID_T) :: %s_%s_set\n", file->name, variable->name);
        if (variable->compound)
            fprintf(writing->to, "  integer(HID_T) :: %s_%s_type\n", file->name, variable->name);
    }
}

static void put_type(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable)
{
    if (variable->type)
        fputs(variable->type->hdf5_fortran, writing->to);
    else
        fprintf(writing->to, "%s_%s_type", writing->file->name, variable->name);
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    char arguments[4096];
    fputs("block\ninteger :: io_info\ninteger(HID_T) :: io_access\nio_info = MPI_INFO_NULL\n",
          writing->to);
    fputs("call h5open_f(io_error)\ncall io_check(\"h5open_f\")\n", writing->to);
    fth_gen_f_info(writing);
    call(writing, "h5pcreate_f", "H5P_FILE_ACCESS_F, io_access");
    snprintf(arguments, sizeof arguments, "io_access, %s, io_info", writing->model->communicator);
    call(writing, "h5pset_fapl_mpio_f", arguments);
    fth_gen_comment(writing, "One process reads what describes the file for all.");
    call(writing, "h5pset_all_coll_metadata_ops_f", "io_access, .true.");
    call(writing, "h5pset_coll_metadata_write_f", "io_access, .true.");
    if (writing->file->align && session->creates) {
        snprintf(arguments, sizeof arguments, "io_access, %llu_HSIZE_T, %llu_HSIZE_T",
                 (unsigned long long)writing->file->align,
                 (unsigned long long)writing->file->align);
        call(writing, "h5pset_alignment_f", arguments);
    }
    fprintf(writing->to,
            "call %s(%s, %s, %s_file, io_error, access_prp=io_access)\ncall io_check(\"%s\")\n",
            session->creates ? "h5fcreate_f" : "h5fopen_f", path,
            session->creates  ? "H5F_ACC_TRUNC_F"
            : session->writes ? "H5F_ACC_RDWR_F"
                              : "H5F_ACC_RDONLY_F",
            name, session->creates ? "h5fcreate_f" : "h5fopen_f");
    call(writing, "h5pclose_f", "io_access");
    fth_gen_f_free_info(writing);
    fprintf(writing->to,
            "%s_collective = io_transfer(H5FD_MPIO_COLLECTIVE_F)\n"
            "%s_independent = io_transfer(H5FD_MPIO_INDEPENDENT_F)\n",
            name, name);
    fth_gen_f_processes(writing);
    fputs("end block\n", writing->to);
}

static void put_compound(const struct fth_gen_writing *writing,
                         const struct fth_gen_variable *variable)
{
    const struct fth_gen_compound *compound = variable->compound;
    const char *name = writing->file->name;
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "H5T_COMPOUND_F, %u_SIZE_T, %s_%s_type",
             fth_gen_bytes_of(variable), name, variable->name);
    call(writing, "h5tcreate_f", arguments);
    for (uint32_t i = 0; i < compound->member_count; i++) {
        const struct fth_gen_member *member = &compound->members[i];
        bool array = member->length > 1;
        if (array) {
            fputs("block\ninteger(HID_T) :: io_array\n", writing->to);
            snprintf(arguments, sizeof arguments, "%s, 1, [%llu_HSIZE_T], io_array",
                     member->type->hdf5_fortran, (unsigned long long)member->length);
            call(writing, "h5tarray_create_f", arguments);
        }
        snprintf(arguments, sizeof arguments, "%s_%s_type, \"%s\", %u_SIZE_T, %s", name,
                 variable->name, member->name, fth_gen_f_offset(compound, i),
                 array ? "io_array" : member->type->hdf5_fortran);
        call(writing, "h5tinsert_f", arguments);
        if (array) {
            call(writing, "h5tclose_f", "io_array");
            fputs("end block\n", writing->to);
        }
    }
}

static void put_variable(const struct fth_gen_writing *writing,
                         const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    bool grows = fth_gen_f_grows(writing, variable);
    if (variable->compound)
        put_compound(writing, variable);
    if (grows)
        fth_gen_comment(writing, "%s", fth_gen_chunk_reason(variable));
    fprintf(writing->to, "%s_%s_set = io_dataset(%s_file, \"%s\", ", name, variable->name, name,
            variable->name);
    put_type(writing, variable);
    fprintf(writing->to, ", &\n    %s%s%s)\n",
            fth_gen_f_lengths(writing, variable, "integer(HSIZE_T)"), grows ? ", &\n    " : "",
            grows ? fth_gen_f_chunk(writing, variable, "integer(HSIZE_T)", false) : "");
}

static void put_attribute(const struct fth_gen_writing *writing,
                          const struct fth_gen_attribute *attribute)
{
    const char *name = writing->file->name;
    char object[256];
    snprintf(object, sizeof object, "%s_%s%s", name,
             attribute->variable < 0 ? "file" : writing->model->variables[attribute->variable].name,
             attribute->variable < 0 ? "" : "_set");
    if (!strcmp(attribute->type->name, "char")) {
        fprintf(writing->to, "call io_text_attribute(%s, \"%s\", %s)\n", object, attribute->name,
                fth_gen_text(writing, attribute->values[0]));
        return;
    }
    fprintf(writing->to, "call io_attribute(%s, \"%s\", %s, %u, [%s :: ", object, attribute->name,
            attribute->type->hdf5_fortran, attribute->value_count, attribute->type->in_fortran);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, attribute->values[i]));
    fputs("])\n", writing->to);
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    for (uint32_t i = 0; i < file->variables.count && !session->creates; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        if (variable->compound)
            put_compound(writing, variable);
        char arguments[1024];
        snprintf(arguments, sizeof arguments, "%s_file, \"%s\", %s_%s_set", file->name,
                 variable->name, file->name, variable->name);
        call(writing, "h5dopen_f", arguments);
    }
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    char arguments[64];
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind flush and barrier.");
    snprintf(arguments, sizeof arguments, "%s_file, H5F_SCOPE_GLOBAL_F", writing->file->name);
    call(writing, "h5fflush_f", arguments);
    fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
    call(writing, "h5fflush_f", arguments);
}

static void put_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    uint32_t slowest = variable->dimension_count;
    (void)index;
    fth_gen_f_reason(writing, access);
    fputs("block\n", writing->to);
    fth_gen_f_arrays(writing, access, "integer(HSIZE_T)", false, "");
    if (access->writes && fth_gen_f_grows(writing, variable))
        fprintf(writing->to,
                "call io_extend(%s, %s_%s_set, merge(io_start(%u) + io_count(%u) - 1, 0_HSIZE_T, "
                "all(io_count > 0)))\n",
                writing->model->communicator, name, variable->name, slowest, slowest);
    fprintf(writing->to, "call io_%s(%s_%s_set, ", access->writes ? "write" : "read", name,
            variable->name);
    put_type(writing, variable);
    fprintf(writing->to, ", io_start, io_count, %s_%s, &\n    %s)\nend block\n", name,
            access->choice.collective ? "collective" : "independent", access->buffer);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    char arguments[256];
    (void)session;
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        snprintf(arguments, sizeof arguments, "%s_%s_set", file->name, variable->name);
        call(writing, "h5dclose_f", arguments);
        snprintf(arguments, sizeof arguments, "%s_%s_type", file->name, variable->name);
        if (variable->compound)
            call(writing, "h5tclose_f", arguments);
    }
    snprintf(arguments, sizeof arguments, "%s_collective", file->name);
    call(writing, "h5pclose_f", arguments);
    snprintf(arguments, sizeof arguments, "%s_independent", file->name);
    call(writing, "h5pclose_f", arguments);
    snprintf(arguments, sizeof arguments, "%s_file", file->name);
    call(writing, "h5fclose_f", arguments);
}

const struct fth_gen_emitter fth_gen_fortran_hdf5 = {
    head,         helpers,       sizeof helpers / sizeof *helpers,
    put_state,    open_file,     NULL,
    put_variable, put_attribute, end_definition,
    begin_set,    put_access,    NULL,
    close_file,
};
