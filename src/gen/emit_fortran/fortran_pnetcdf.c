/* PnetCDF in Fortran, by its module. Accesses are blocking: a copy that the compiler makes of a
 * section of an array lives as long as a call. */
#include "gen/emit_fortran/fortran_parts.h"

#include <string.h>

static const char head[] = "  use mpi\n  use pnetcdf\n  implicit none\n  integer :: io_error\n";

static const char check[] = "  subroutine io_check(code, call)\n"
                            "    integer, intent(in) :: code\n"
                            "    character(len=*), intent(in) :: call\n"
                            "    integer :: error\n"
                            "    if (code == NF90_NOERR) return\n"
                            "    write (0, '(a)') call // ': ' // trim(nf90mpi_strerror(code))\n"
                            "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
                            "  end subroutine io_check\n";

/* The module's calls may change what they write, as far as the compiler knows: an array that is
 * intent(in) in the program could not be written. These have no intent. */
#define PUT(call, type)                                                                            \
    {                                                                                              \
        "io_" call, "  integer function io_" call "(ncid, variable, start, count, values)\n"       \
                    "    integer, intent(in) :: ncid, variable\n"                                  \
                    "    integer(MPI_OFFSET_KIND), intent(in) :: start(:), count(:)\n"             \
                    "    " type " :: values(*)\n"                                                  \
                    "    io_" call " = nfmpi_" call "(ncid, variable, start, count, values)\n"     \
                    "  end function io_" call "\n"                                                 \
    }
#define PUT_BOTH(suffix, type) PUT("put_vara_" suffix, type), PUT("put_vara_" suffix "_all", type)

static const struct fth_gen_helper helpers[] = {
    {"io_check_mpi", fth_gen_f_check_mpi}, {"io_check", check},
    {"io_need", fth_gen_f_need},           PUT_BOTH("int1", "integer(1)"),
    PUT_BOTH("int2", "integer(2)"),        PUT_BOTH("int", "integer"),
    PUT_BOTH("int8", "integer(8)"),        PUT_BOTH("real", "real(4)"),
    PUT_BOTH("double", "real(8)"),
};

static const char *suffix_of(const struct fth_gen_type *type)
{
    static const char *const names[][2] = {{"byte", "int1"},    {"char", "text"}, {"short", "int2"},
                                           {"int", "int"},      {"long", "int8"}, {"float", "real"},
                                           {"double", "double"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(type->name, names[i][0]))
            return names[i][1];
    return "";
}

/* NC_DOUBLE as NF90_DOUBLE. */
static const char *type_of(const struct fth_gen_type *type)
{
    return type->netcdf + 3;
}

static void put_state(const struct fth_gen_writing *writing)
{
    fth_gen_f_netcdf_state(writing, "integer");
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name;
    fputs("block\ninteger :: io_info\nio_info = MPI_INFO_NULL\n", writing->to);
    fth_gen_f_info(writing);
    fprintf(writing->to,
            "call io_check(nf90mpi_%s(%s, %s, &\n    %s, io_info, %s_ncid), \"nf90mpi_%s\")\n",
            session->creates ? "create" : "open", writing->model->communicator, writing->file->path,
            session->creates  ? "ior(NF90_CLOBBER, NF90_64BIT_DATA)"
            : session->writes ? "NF90_WRITE"
                              : "NF90_NOWRITE",
            name, session->creates ? "create" : "open");
    fth_gen_f_free_info(writing);
    fth_gen_f_processes(writing);
    fputs("end block\n", writing->to);
}

static void put_dimension(const struct fth_gen_writing *writing,
                          const struct fth_gen_dimension *dimension)
{
    const char *name = writing->file->name;
    fprintf(writing->to,
            "call io_check(nf90mpi_def_dim(%s_ncid, \"%s\", int(%s, MPI_OFFSET_KIND), %s_%s_dim), "
            "\"nf90mpi_def_dim\")\n",
            name, dimension->name,
            dimension->unlimited ? "NF90_UNLIMITED" : fth_gen_text(writing, dimension->length.text),
            name, dimension->name);
}

static void put_variable(const struct fth_gen_writing *writing,
                         const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "call io_check(nf90mpi_def_var(%s_ncid, \"%s\", NF90_%s, [", name,
            variable->name, type_of(variable->type));
    for (uint32_t i = 0; i < variable->dimension_count; i++)
        fprintf(writing->to, "%s%s_%s_dim", i ? ", " : "", name,
                writing->model->dimensions[variable->dimensions[i]].name);
    fprintf(writing->to, "], %s_%s_var), \"nf90mpi_def_var\")\n", name, variable->name);
}

static void put_attribute(const struct fth_gen_writing *writing,
                          const struct fth_gen_attribute *attribute)
{
    const char *name = writing->file->name;
    bool text = !strcmp(attribute->type->name, "char");
    fprintf(writing->to, "call io_check(nf90mpi_put_att(%s_ncid, ", name);
    if (attribute->variable < 0)
        fputs("NF90_GLOBAL", writing->to);
    else
        fprintf(writing->to, "%s_%s_var", name,
                writing->model->variables[attribute->variable].name);
    fprintf(writing->to, ", \"%s\", ", attribute->name);
    if (!text)
        fprintf(writing->to, "[%s :: ", attribute->type->in_fortran);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, attribute->values[i]));
    fprintf(writing->to, "%s), \"nf90mpi_put_att\")\n", text ? "" : "]");
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    if (session->creates)
        fprintf(writing->to,
                "call io_check(nf90mpi_enddef(%s_ncid), \"nf90mpi_enddef\") ! to data mode\n",
                file->name);
    for (uint32_t i = 0; i < file->variables.count && !session->creates; i++) {
        const char *variable = writing->model->variables[file->variable_numbers[i]].name;
        fprintf(writing->to,
                "call io_check(nf90mpi_inq_varid(%s_ncid, \"%s\", %s_%s_var), "
                "\"nf90mpi_inq_varid\")\n",
                file->name, variable, file->name, variable);
    }
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    fth_gen_f_netcdf_turn(writing, "nf90mpi_sync", "nf90mpi_sync");
}

static void put_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    bool collective = access->choice.collective;
    char call[64];
    (void)index;
    bool wrapped = access->writes && strcmp(variable->type->name, "char") != 0;
    snprintf(call, sizeof call, "%s_%s_vara_%s%s", wrapped ? "io" : "nfmpi",
             access->writes ? "put" : "get", suffix_of(variable->type), collective ? "_all" : "");
    fth_gen_f_reason(writing, access);
    fputs("block\n", writing->to);
    fth_gen_f_arrays(writing, access, "integer(MPI_OFFSET_KIND)", false, "");
    if (!collective)
        fprintf(writing->to,
                "call io_check(nf90mpi_begin_indep_data(%s_ncid), \"nf90mpi_begin_indep_data\")\n",
                name);
    fprintf(writing->to,
            "call io_check(%s(%s_ncid, %s_%s_var, io_start, io_count, &\n    %s), \"%s\")\n", call,
            name, name, variable->name, access->buffer, call);
    if (!collective)
        fprintf(writing->to,
                "call io_check(nf90mpi_end_indep_data(%s_ncid), \"nf90mpi_end_indep_data\")\n",
                name);
    fputs("end block\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "call io_check(nf90mpi_close(%s_ncid), \"nf90mpi_close\")\n",
            writing->file->name);
}

const struct fth_gen_emitter fth_gen_fortran_pnetcdf = {
    head,         helpers,       sizeof helpers / sizeof *helpers,
    put_state,    open_file,     put_dimension,
    put_variable, put_attribute, end_definition,
    begin_set,    put_access,    NULL,
    close_file,
};
