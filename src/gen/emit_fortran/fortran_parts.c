/* Parts of generated code in Fortran that all libraries need, and definitions of raw files. */
#include "gen/emit_fortran/fortran_parts.h"

#include "base/growing_text.h"
#include "base/memory.h"

#include <stdarg.h>
#include <string.h>

void fth_gen_f_call(const struct fth_gen_writing *writing, const char *name, const char *format,
                    ...)
{
    va_list arguments;
    fprintf(writing->to, "call %s(", name);
    va_start(arguments, format);
    vfprintf(writing->to, format, arguments);
    va_end(arguments);
    fprintf(writing->to, "%sio_error)\ncall io_check_mpi(io_error, \"%s\")\n", *format ? ", " : "",
            name);
}

bool fth_gen_f_grows(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable)
{
    return writing->model->dimensions[fth_gen_dimension_at(writing->model, variable, 0)].unlimited;
}

static void put_list(const struct fth_gen_writing *writing, const char *kind,
                     const struct fth_gen_number *numbers, uint32_t count)
{
    fprintf(writing->to, "[%s :: ", kind);
    for (uint32_t i = 0; i < count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, numbers[i].text));
    fputs("]", writing->to);
}

static const char *keep(const struct fth_gen_writing *writing, struct fth_growing_text *text)
{
    fth_growing_text_end(text);
    char *copy = fth_arena_take(&writing->model->hints->arena, text->length + 1);
    memcpy(copy, text->text, text->length + 1);
    free(text->text);
    return copy;
}

const char *fth_gen_f_lengths(const struct fth_gen_writing *writing,
                              const struct fth_gen_variable *variable, const char *kind)
{
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    fprintf(text.file, "[%s :: ", kind);
    for (uint32_t i = 0; i < variable->dimension_count; i++)
        fprintf(text.file, "%s%s", i ? ", " : "", fth_gen_length(writing, variable->dimensions[i]));
    fputs("]", text.file);
    return keep(writing, &text);
}

const char *fth_gen_f_chunk(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable, const char *kind,
                            bool slowest_first)
{
    struct fth_growing_text text;
    uint32_t last = variable->dimension_count - 1;
    fth_growing_text_open(&text);
    fprintf(text.file, "[%s :: ", kind);
    for (uint32_t i = 0; i <= last; i++)
        fprintf(text.file, "%s%s", i ? ", " : "",
                fth_gen_chunk(writing, variable, slowest_first ? i : last - i));
    fputs("]", text.file);
    return keep(writing, &text);
}

/* The place of this process in a grid: the last dimension of the hint is that of its neighbours. */
static void put_grid(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                     const char *kind, uint32_t count)
{
    const struct fth_gen_piece *piece = &access->pieces[0];
    const char *name = writing->file->name;
    fth_gen_comment(writing, "The place of this process in a grid; its last dimension is that of "
                             "neighbouring ranks.");
    fputs("io_place = [integer :: ", writing->to);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(writing->to, "%smod(%s_rank", i ? ", " : "", name);
        for (uint32_t j = i + 1; j < count; j++)
            fprintf(writing->to, " / %s", fth_gen_operand(writing, access->grid[j].text));
        fprintf(writing->to, ", %s)", fth_gen_text(writing, access->grid[i].text));
    }
    fputs("]\nio_start = ", writing->to);
    put_list(writing, kind, piece->start, count);
    fputs(" + io_place * ", writing->to);
    put_list(writing, kind, access->stride, count);
    fputs("\nio_count = ", writing->to);
    put_list(writing, kind, piece->count, count);
    fprintf(writing->to, "\nif (%s_rank >= ", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(writing->to, "%s%s", i ? " * " : "",
                fth_gen_operand(writing, access->grid[i].text));
    fputs(") io_count = 0\n", writing->to);
}

static void put_pieces(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       const char *kind, uint32_t count)
{
    const char *name = writing->file->name;
    fputs("io_start = 1\nio_count = 0\n", writing->to);
    for (uint32_t i = 0; i < access->piece_count; i++) {
        const struct fth_gen_piece *piece = &access->pieces[i];
        fprintf(writing->to,
                "%sif (%s_rank >= %s .and. %s_rank <= %s) then\nio_start = ", i ? "else " : "",
                name, fth_gen_text(writing, piece->first.text), name,
                fth_gen_text(writing, piece->last.text));
        put_list(writing, kind, piece->start, count);
        fputs("\nio_count = ", writing->to);
        put_list(writing, kind, piece->count, count);
        fputs("\n", writing->to);
    }
    fputs("end if\n", writing->to);
}

void fth_gen_f_arrays(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                      const char *kind, bool lengths, const char *more)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    uint32_t count = variable->dimension_count;
    fprintf(writing->to, "%s :: io_start(%u), io_count(%u)", kind, count, count);
    if (lengths)
        fprintf(writing->to, ", io_lengths(%u)", count);
    fputs("\n", writing->to);
    if (access->grid)
        fprintf(writing->to, "integer :: io_place(%u)\n", count);
    fputs(more, writing->to);
    if (access->grid) {
        put_grid(writing, access, kind, count);
    } else if (access->pieces[0].all) {
        fputs("io_start = ", writing->to);
        put_list(writing, kind, access->pieces[0].start, count);
        fputs("\nio_count = ", writing->to);
        put_list(writing, kind, access->pieces[0].count, count);
        fputs("\n", writing->to);
    } else {
        put_pieces(writing, access, kind, count);
    }
    if (lengths)
        fprintf(writing->to, "io_lengths = %s\n", fth_gen_f_lengths(writing, variable, kind));
}

void fth_gen_f_reason(const struct fth_gen_writing *writing, const struct fth_gen_access *access)
{
    fth_gen_comment(writing, "%s. %s", writing->model->variables[access->variable].name,
                    access->choice.reason);
}

const char *fth_gen_f_info(const struct fth_gen_writing *writing)
{
    struct fth_gen_info infos[8];
    size_t count = fth_gen_infos(writing, infos);
    if (!count)
        return "MPI_INFO_NULL";
    fth_gen_f_call(writing, "MPI_Info_create", "io_info");
    for (size_t i = 0; i < count; i++) {
        fth_gen_comment(writing, "%s", infos[i].why);
        fth_gen_f_call(writing, "MPI_Info_set", "io_info, \"%s\", \"%s\"", infos[i].key,
                       infos[i].value);
    }
    return "io_info";
}

void fth_gen_f_free_info(const struct fth_gen_writing *writing)
{
    struct fth_gen_info infos[8];
    if (fth_gen_infos(writing, infos))
        fth_gen_f_call(writing, "MPI_Info_free", "io_info");
}

void fth_gen_f_processes(const struct fth_gen_writing *writing)
{
    fth_gen_f_call(writing, "MPI_Comm_rank", "%s, %s_rank", writing->model->communicator,
                   writing->file->name);
    if (writing->file->least_processes > 1)
        fprintf(writing->to, "call io_need(%s, %lld)\n", writing->model->communicator,
                (long long)writing->file->least_processes);
}

unsigned fth_gen_f_offset(const struct fth_gen_compound *compound, uint32_t member)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i <= member; i++) {
        uint64_t own = compound->members[i].type->bytes;
        bytes = (bytes + own - 1) / own * own;
        if (i < member)
            bytes += own * compound->members[i].length;
    }
    return (unsigned)bytes;
}

const char fth_gen_f_check_mpi[] = "  subroutine io_check_mpi(code, call)\n"
                                   "    integer, intent(in) :: code\n"
                                   "    character(len=*), intent(in) :: call\n"
                                   "    character(len=MPI_MAX_ERROR_STRING) :: text\n"
                                   "    integer :: length, error\n"
                                   "    if (code == MPI_SUCCESS) return\n"
                                   "    call MPI_Error_string(code, text, length, error)\n"
                                   "    write (0, '(a)') call // ': ' // text(1:length)\n"
                                   "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
                                   "  end subroutine io_check_mpi\n";

const char fth_gen_f_need[] =
    "  ! The hints name so many processes.\n"
    "  subroutine io_need(comm, processes)\n"
    "    integer, intent(in) :: comm, processes\n"
    "    integer :: size, error\n"
    "    call MPI_Comm_size(comm, size, error)\n"
    "    call io_check_mpi(error, 'MPI_Comm_size')\n"
    "    if (size >= processes) return\n"
    "    write (0, '(a,i0,a,i0)') 'it needs processes: ', processes, ', and has: ', size\n"
    "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
    "  end subroutine io_need\n";

/* ---- raw files ---- */

void fth_gen_f_raw_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to, "  type(io_raw_file) :: %s_file\n  integer :: %s_rank\n", file->name,
            file->name);
    for (uint32_t i = 0; i < file->variables.count; i++)
        fprintf(writing->to, "  integer(MPI_OFFSET_KIND) :: %s_%s_at\n", file->name,
                writing->model->variables[file->variable_numbers[i]].name);
}

void fth_gen_f_raw_open(const struct fth_gen_writing *writing, bool creates)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "%s_file%%end = 0\n%s_file%%record = 0\n%s_file%%writes = .false.\n", name,
            name, name);
    if (creates)
        fprintf(writing->to, "if (%s_rank == 0) call io_layout(%s_file, %s)\n", name, name,
                writing->file->path);
}

void fth_gen_f_raw_variable(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "%s_%s_at = io_define(%s_file, \"%s\", \"%s\", %u, &\n    %s, %llu)\n",
            name, variable->name, name, variable->name,
            variable->type ? variable->type->name : variable->compound->name,
            fth_gen_bytes_of(variable),
            fth_gen_f_lengths(writing, variable, "integer(MPI_OFFSET_KIND)"),
            (unsigned long long)(writing->file->align ? writing->file->align : 8));
}

void fth_gen_f_raw_attribute(const struct fth_gen_writing *writing,
                             const struct fth_gen_attribute *attribute)
{
    const char *name = writing->file->name;
    bool text = !strcmp(attribute->type->name, "char");
    fprintf(writing->to,
            "if (%s_file%%writes) write (%s_file%%layout, '(a,*(1x,%s))') \"attribute %s %s %s\"",
            name, name, text ? "a" : "g0",
            attribute->variable < 0 ? "*" : writing->model->variables[attribute->variable].name,
            attribute->name, attribute->type->name);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, text ? ", '\"' // %s // '\"'" : ", %s",
                fth_gen_text(writing, attribute->values[i]));
    fputs("\n", writing->to);
}

void fth_gen_f_raw_defined(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        if (fth_gen_f_grows(writing, variable))
            fprintf(writing->to, "%s_%s_at = %s_%s_at + %s_file%%end ! in the first record\n",
                    file->name, variable->name, file->name, variable->name, file->name);
    }
    if (session->creates)
        fprintf(writing->to, "if (%s_rank == 0) call io_end_layout(%s_file)\n", file->name,
                file->name);
}

const char fth_gen_f_layout[] = "  ! What is where in the file, as text beside it: PATH.layout.\n"
                                "  subroutine io_layout(file, path)\n"
                                "    type(io_raw_file), intent(inout) :: file\n"
                                "    character(len=*), intent(in) :: path\n"
                                "    open (newunit=file%layout, file=trim(path) // '.layout', "
                                "action='write', status='replace')\n"
                                "    file%writes = .true.\n"
                                "  end subroutine io_layout\n";

const char fth_gen_f_define[] =
    "  ! Gives a variable its place: behind those before it, or in a record if its last length is "
    "0.\n"
    "  function io_define(file, name, type, item, lengths, alignment) result(begin)\n"
    "    type(io_raw_file), intent(inout) :: file\n"
    "    character(len=*), intent(in) :: name, type\n"
    "    integer, intent(in) :: item, alignment\n"
    "    integer(MPI_OFFSET_KIND), intent(in) :: lengths(:)\n"
    "    integer(MPI_OFFSET_KIND) :: begin, next\n"
    "    logical :: grows\n"
    "    grows = lengths(size(lengths)) == 0\n"
    "    begin = merge(file%record, file%end, grows)\n"
    "    begin = (begin + alignment - 1) / alignment * alignment\n"
    "    next = begin + item * product(max(lengths, 1_MPI_OFFSET_KIND))\n"
    "    next = (next + alignment - 1) / alignment * alignment\n"
    "    if (grows) file%record = next\n"
    "    if (.not. grows) file%end = next\n"
    "    if (file%writes) write (file%layout, '(a,1x,i0,a,i0,a,*(1x,i0))') 'variable ' // name // "
    "' ' // type, &\n"
    "        item, ' at ', begin, merge(' in record', '          ', grows), "
    "lengths(size(lengths):1:-1)\n"
    "  end function io_define\n";

const char fth_gen_f_end_layout[] =
    "  subroutine io_end_layout(file)\n"
    "    type(io_raw_file), intent(inout) :: file\n"
    "    write (file%layout, '(a,i0,a,i0)') 'records at ', file%end, ' of ', file%record\n"
    "    close (file%layout)\n"
    "    file%writes = .false.\n"
    "  end subroutine io_end_layout\n";

void fth_gen_f_netcdf_state(const struct fth_gen_writing *writing, const char *integer)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to, "  %s :: %s_ncid\n  integer :: %s_rank\n", integer, file->name,
            file->name);
    for (uint32_t i = 0; i < file->dimensions.count && file->creates; i++)
        fprintf(writing->to, "  %s :: %s_%s_dim\n", integer, file->name,
                writing->model->dimensions[file->dimension_numbers[i]].name);
    for (uint32_t i = 0; i < file->variables.count; i++)
        fprintf(writing->to, "  %s :: %s_%s_var\n", integer, file->name,
                writing->model->variables[file->variable_numbers[i]].name);
}

void fth_gen_f_netcdf_turn(const struct fth_gen_writing *writing, const char *sync,
                           const char *name)
{
    const char *file = writing->file->name;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind sync, barrier, sync.");
    fprintf(writing->to, "call io_check(%s(%s_ncid), \"%s\")\n", sync, file, name);
    fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
    fprintf(writing->to, "call io_check(%s(%s_ncid), \"%s\")\n", sync, file, name);
}
