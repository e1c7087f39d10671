/* NetCDF-4 in Fortran, by the interoperation with C: its own module exists for serial libraries
 * only on many systems. C has dimensions in the other order, and counts from 0. */
#include "gen/emit_fortran/fortran_parts.h"

#include <string.h>

static const char head[] = "  use mpi\n"
                           "  use, intrinsic :: iso_c_binding\n"
                           "  implicit none\n"
                           "  integer :: io_error\n"
                           "  ! Numbers of netcdf.h.\n"
                           "  integer(c_int), parameter :: NC_BYTE = 1, NC_CHAR = 2, NC_SHORT = 3, "
                           "NC_INT = 4, NC_FLOAT = 5, &\n"
                           "    NC_DOUBLE = 6, NC_INT64 = 10, NC_NOERR = 0, NC_GLOBAL = -1, "
                           "NC_NOWRITE = 0, NC_WRITE = 1, &\n"
                           "    NC_CLOBBER = 0, NC_NETCDF4 = 4096, NC_NOFILL = 256, NC_INDEPENDENT "
                           "= 0, NC_COLLECTIVE = 1\n"
                           "  integer(c_size_t), parameter :: NC_UNLIMITED = 0\n";

#define INTERFACE(name, text)                                                                      \
    "  interface\n    function io_c_" name text "      integer(c_int) :: code\n"                   \
    "    end function\n  end interface\n"

static const char c_create[] = INTERFACE(
    "create", "(path, mode, comm, info, ncid) bind(C, name='nc_create_par_fortran') result(code)\n"
              "      import\n"
              "      character(kind=c_char), intent(in) :: path(*)\n"
              "      integer(c_int), value :: mode, comm, info\n"
              "      integer(c_int), intent(out) :: ncid\n");
static const char c_open[] = INTERFACE(
    "open", "(path, mode, comm, info, ncid) bind(C, name='nc_open_par_fortran') result(code)\n"
            "      import\n"
            "      character(kind=c_char), intent(in) :: path(*)\n"
            "      integer(c_int), value :: mode, comm, info\n"
            "      integer(c_int), intent(out) :: ncid\n");
static const char c_set_fill[] =
    INTERFACE("set_fill", "(ncid, mode, before) bind(C, name='nc_set_fill') result(code)\n"
                          "      import\n"
                          "      integer(c_int), value :: ncid, mode\n"
                          "      integer(c_int), intent(out) :: before\n");
static const char c_def_dim[] =
    INTERFACE("def_dim", "(ncid, name, length, dim) bind(C, name='nc_def_dim') result(code)\n"
                         "      import\n"
                         "      integer(c_int), value :: ncid\n"
                         "      character(kind=c_char), intent(in) :: name(*)\n"
                         "      integer(c_size_t), value :: length\n"
                         "      integer(c_int), intent(out) :: dim\n");
static const char c_def_var[] = INTERFACE(
    "def_var", "(ncid, name, type, n, dims, var) bind(C, name='nc_def_var') result(code)\n"
               "      import\n"
               "      integer(c_int), value :: ncid, type, n\n"
               "      character(kind=c_char), intent(in) :: name(*)\n"
               "      integer(c_int), intent(in) :: dims(*)\n"
               "      integer(c_int), intent(out) :: var\n");
static const char c_chunking[] = INTERFACE(
    "chunking", "(ncid, var, storage, chunk) bind(C, name='nc_def_var_chunking') result(code)\n"
                "      import\n"
                "      integer(c_int), value :: ncid, var, storage\n"
                "      integer(c_size_t), intent(in) :: chunk(*)\n");
static const char c_def_compound[] = INTERFACE(
    "def_compound", "(ncid, bytes, name, type) bind(C, name='nc_def_compound') result(code)\n"
                    "      import\n"
                    "      integer(c_int), value :: ncid\n"
                    "      integer(c_size_t), value :: bytes\n"
                    "      character(kind=c_char), intent(in) :: name(*)\n"
                    "      integer(c_int), intent(out) :: type\n");
static const char c_insert[] =
    INTERFACE("insert", "(ncid, type, name, offset, item, n, lengths) &\n"
                        "      bind(C, name='nc_insert_array_compound') result(code)\n"
                        "      import\n"
                        "      integer(c_int), value :: ncid, type, item, n\n"
                        "      character(kind=c_char), intent(in) :: name(*)\n"
                        "      integer(c_size_t), value :: offset\n"
                        "      integer(c_int), intent(in) :: lengths(*)\n");
static const char c_insert_one[] = INTERFACE(
    "member", "(ncid, type, name, offset, item) bind(C, name='nc_insert_compound') result(code)\n"
              "      import\n"
              "      integer(c_int), value :: ncid, type, item\n"
              "      character(kind=c_char), intent(in) :: name(*)\n"
              "      integer(c_size_t), value :: offset\n");
static const char c_typeid[] =
    INTERFACE("typeid", "(ncid, name, type) bind(C, name='nc_inq_typeid') result(code)\n"
                        "      import\n"
                        "      integer(c_int), value :: ncid\n"
                        "      character(kind=c_char), intent(in) :: name(*)\n"
                        "      integer(c_int), intent(out) :: type\n");
static const char c_put_att[] = INTERFACE(
    "put_att", "(ncid, var, name, type, count, values) bind(C, name='nc_put_att') result(code)\n"
               "      import\n"
               "      integer(c_int), value :: ncid, var, type\n"
               "      character(kind=c_char), intent(in) :: name(*)\n"
               "      integer(c_size_t), value :: count\n"
               "      type(*), intent(in) :: values(*)\n");
static const char c_enddef[] = INTERFACE("enddef", "(ncid) bind(C, name='nc_enddef') result(code)\n"
                                                   "      import\n"
                                                   "      integer(c_int), value :: ncid\n");
static const char c_varid[] =
    INTERFACE("varid", "(ncid, name, var) bind(C, name='nc_inq_varid') result(code)\n"
                       "      import\n"
                       "      integer(c_int), value :: ncid\n"
                       "      character(kind=c_char), intent(in) :: name(*)\n"
                       "      integer(c_int), intent(out) :: var\n");
static const char c_mode[] =
    INTERFACE("mode", "(ncid, var, mode) bind(C, name='nc_var_par_access') result(code)\n"
                      "      import\n"
                      "      integer(c_int), value :: ncid, var, mode\n");
static const char c_put[] =
    INTERFACE("put", "(ncid, var, start, count, values) bind(C, name='nc_put_vara') result(code)\n"
                     "      import\n"
                     "      integer(c_int), value :: ncid, var\n"
                     "      integer(c_size_t), intent(in) :: start(*), count(*)\n"
                     "      type(*), intent(in) :: values(*)\n");
static const char c_get[] =
    INTERFACE("get", "(ncid, var, start, count, values) bind(C, name='nc_get_vara') result(code)\n"
                     "      import\n"
                     "      integer(c_int), value :: ncid, var\n"
                     "      integer(c_size_t), intent(in) :: start(*), count(*)\n"
                     "      type(*), intent(inout) :: values(*)\n");
static const char c_sync[] = INTERFACE("sync", "(ncid) bind(C, name='nc_sync') result(code)\n"
                                               "      import\n"
                                               "      integer(c_int), value :: ncid\n");
static const char c_close[] = INTERFACE("close", "(ncid) bind(C, name='nc_close') result(code)\n"
                                                 "      import\n"
                                                 "      integer(c_int), value :: ncid\n");

static const char check[] = "  subroutine io_check(code, call)\n"
                            "    integer(c_int), intent(in) :: code\n"
                            "    character(len=*), intent(in) :: call\n"
                            "    integer :: error\n"
                            "    if (code == NC_NOERR) return\n"
                            "    write (0, '(a,i0)') call // ' failed with the code ', code\n"
                            "    call MPI_Abort(MPI_COMM_WORLD, 1, error)\n"
                            "  end subroutine io_check\n";

static const struct fth_gen_helper helpers[] = {
    {"io_c_create", c_create},
    {"io_c_open", c_open},
    {"io_c_set_fill", c_set_fill},
    {"io_c_def_dim", c_def_dim},
    {"io_c_def_var", c_def_var},
    {"io_c_chunking", c_chunking},
    {"io_c_def_compound", c_def_compound},
    {"io_c_insert", c_insert},
    {"io_c_member", c_insert_one},
    {"io_c_typeid", c_typeid},
    {"io_c_put_att", c_put_att},
    {"io_c_enddef", c_enddef},
    {"io_c_varid", c_varid},
    {"io_c_mode", c_mode},
    {"io_c_put", c_put},
    {"io_c_get", c_get},
    {"io_c_sync", c_sync},
    {"io_c_close", c_close},
    {"io_check_mpi", fth_gen_f_check_mpi},
    {"io_check", check},
    {"io_need", fth_gen_f_need},
};

static void put_state(const struct fth_gen_writing *writing)
{
    fth_gen_f_netcdf_state(writing, "integer(c_int)");
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "block\ninteger :: io_info\n%sio_info = MPI_INFO_NULL\n",
            session->creates ? "integer(c_int) :: io_before\n" : "");
    fth_gen_f_info(writing);
    fprintf(writing->to,
            "call io_check(io_c_%s(trim(%s) // c_null_char, %s, &\n    %s, io_info, %s_ncid), "
            "\"nc_%s_par\")\n",
            session->creates ? "create" : "open", writing->file->path,
            session->creates  ? "ior(NC_CLOBBER, NC_NETCDF4)"
            : session->writes ? "NC_WRITE"
                              : "NC_NOWRITE",
            writing->model->communicator, name, session->creates ? "create" : "open");
    if (session->creates) {
        fth_gen_comment(writing, "All is written by the program.");
        fprintf(writing->to,
                "call io_check(io_c_set_fill(%s_ncid, NC_NOFILL, io_before), \"nc_set_fill\")\n",
                name);
    }
    fth_gen_f_free_info(writing);
    fth_gen_f_processes(writing);
    fputs("end block\n", writing->to);
}

static void put_dimension(const struct fth_gen_writing *writing,
                          const struct fth_gen_dimension *dimension)
{
    const char *name = writing->file->name;
    fprintf(writing->to,
            "call io_check(io_c_def_dim(%s_ncid, \"%s\" // c_null_char, int(%s, c_size_t), "
            "%s_%s_dim), \"nc_def_dim\")\n",
            name, dimension->name,
            dimension->unlimited ? "NC_UNLIMITED" : fth_gen_text(writing, dimension->length.text),
            name, dimension->name);
}

static void put_compound(const struct fth_gen_writing *writing,
                         const struct fth_gen_variable *variable)
{
    const struct fth_gen_compound *compound = variable->compound;
    const char *name = writing->file->name;
    fprintf(
        writing->to,
        "if (io_c_typeid(%s_ncid, \"%s\" // c_null_char, io_type) /= NC_NOERR) then\n"
        "call io_check(io_c_def_compound(%s_ncid, %u_c_size_t, \"%s\" // c_null_char, io_type), "
        "\"nc_def_compound\")\n",
        name, compound->name, name, fth_gen_bytes_of(variable), compound->name);
    for (uint32_t i = 0; i < compound->member_count; i++) {
        const struct fth_gen_member *member = &compound->members[i];
        bool array = member->length > 1;
        fprintf(
            writing->to,
            "call io_check(io_c_%s(%s_ncid, io_type, \"%s\" // c_null_char, %u_c_size_t, &\n    %s",
            array ? "insert" : "member", name, member->name, fth_gen_f_offset(compound, i),
            member->type->netcdf);
        if (array)
            fprintf(writing->to, ", 1, [%llu_c_int]", (unsigned long long)member->length);
        fprintf(writing->to, "), \"nc_insert_%scompound\")\n", array ? "array_" : "");
    }
    fputs("end if\n", writing->to);
}

static void put_variable(const struct fth_gen_writing *writing,
                         const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    if (variable->compound) {
        fputs("block\ninteger(c_int) :: io_type\n", writing->to);
        put_compound(writing, variable);
    }
    fprintf(writing->to,
            "call io_check(io_c_def_var(%s_ncid, \"%s\" // c_null_char, %s, %u, &\n    [", name,
            variable->name, variable->compound ? "io_type" : variable->type->netcdf,
            variable->dimension_count);
    for (uint32_t i = 0; i < variable->dimension_count; i++)
        fprintf(writing->to, "%s%s_%s_dim", i ? ", " : "", name,
                writing->model->dimensions[fth_gen_dimension_at(writing->model, variable, i)].name);
    fprintf(writing->to, "], %s_%s_var), \"nc_def_var\")\n", name, variable->name);
    if (variable->compound)
        fputs("end block\n", writing->to);
    if (!fth_gen_f_grows(writing, variable))
        return;
    fth_gen_comment(writing, "%s", fth_gen_chunk_reason(variable));
    fprintf(writing->to,
            "call io_check(io_c_chunking(%s_ncid, %s_%s_var, 0_c_int, &\n    %s), "
            "\"nc_def_var_chunking\")\n",
            name, name, variable->name,
            fth_gen_f_chunk(writing, variable, "integer(c_size_t)", true));
}

static void put_attribute(const struct fth_gen_writing *writing,
                          const struct fth_gen_attribute *attribute)
{
    const char *name = writing->file->name;
    bool text = !strcmp(attribute->type->name, "char");
    fprintf(writing->to, "call io_check(io_c_put_att(%s_ncid, ", name);
    if (attribute->variable < 0)
        fputs("NC_GLOBAL", writing->to);
    else
        fprintf(writing->to, "%s_%s_var", name,
                writing->model->variables[attribute->variable].name);
    fprintf(writing->to, ", \"%s\" // c_null_char, %s, ", attribute->name, attribute->type->netcdf);
    if (text) {
        const char *value = fth_gen_text(writing, attribute->values[0]);
        fprintf(writing->to, "len(%s, c_size_t), &\n    [%s]), \"nc_put_att\")\n", value, value);
        return;
    }
    fprintf(writing->to, "%u_c_size_t, &\n    [%s :: ", attribute->value_count,
            attribute->type->in_fortran);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, attribute->values[i]));
    fputs("]), \"nc_put_att\")\n", writing->to);
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    if (session->creates)
        fprintf(writing->to, "call io_check(io_c_enddef(%s_ncid), \"nc_enddef\") ! to data mode\n",
                file->name);
    for (uint32_t i = 0; i < file->variables.count && !session->creates; i++) {
        const char *variable = writing->model->variables[file->variable_numbers[i]].name;
        fprintf(writing->to,
                "call io_check(io_c_varid(%s_ncid, \"%s\" // c_null_char, %s_%s_var), "
                "\"nc_inq_varid\")\n",
                file->name, variable, file->name, variable);
    }
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    fth_gen_f_netcdf_turn(writing, "io_c_sync", "nc_sync");
}

static void put_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    uint32_t count = variable->dimension_count;
    (void)index;
    fth_gen_f_reason(writing, access);
    fputs("block\n", writing->to);
    fth_gen_f_arrays(writing, access, "integer(c_size_t)", false, "");
    fprintf(writing->to,
            "call io_check(io_c_mode(%s_ncid, %s_%s_var, %s), \"nc_var_par_access\")\n", name, name,
            variable->name, access->choice.collective ? "NC_COLLECTIVE" : "NC_INDEPENDENT");
    fprintf(
        writing->to,
        "call io_check(io_c_%s(%s_ncid, %s_%s_var, io_start(%u:1:-1) - 1, io_count(%u:1:-1), &\n"
        "    %s), \"nc_%s_vara\")\nend block\n",
        access->writes ? "put" : "get", name, name, variable->name, count, count, access->buffer,
        access->writes ? "put" : "get");
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "call io_check(io_c_close(%s_ncid), \"nc_close\")\n", writing->file->name);
}

const struct fth_gen_emitter fth_gen_fortran_netcdf = {
    head,         helpers,       sizeof helpers / sizeof *helpers,
    put_state,    open_file,     put_dimension,
    put_variable, put_attribute, end_definition,
    begin_set,    put_access,    NULL,
    close_file,
};
