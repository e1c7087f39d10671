/* NetCDF-4 in C and C++, in parallel: each variable is accessed by all processes together, or by
 * each alone. */
#include "gen/emit_c/c_parts.h"

#include <string.h>

static const char head[] =
    "#include <mpi.h>\n#include <netcdf.h>\n#include <netcdf_par.h>\n#include <stddef.h>\n"
    "#include <stdio.h>\n";

static const char check[] =
    "static void io_check(int code, const char *call, int line)\n"
    "{\n"
    "    if (code == NC_NOERR)\n"
    "        return;\n"
    "    fprintf(stderr, \"%s:%d: %s: %s\\n\", __FILE__, line, call, nc_strerror(code));\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n"
    "#define IO_CHECK(call) io_check(call, #call, __LINE__)\n";

static const char room[] =
    "/* Memory for a part of an array that is not contiguous. */\n"
    "static char *io_room(size_t item, int dimensions, const size_t *count)\n"
    "{\n"
    "    size_t bytes = item;\n"
    "    for (int i = 0; i < dimensions; i++)\n"
    "        bytes *= count[i];\n"
    "    char *room = (char *)malloc(bytes ? bytes : 1);\n"
    "    if (!room) {\n"
    "        fprintf(stderr, \"%s: no memory for %zu bytes\\n\", __FILE__, bytes);\n"
    "        MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    }\n"
    "    return room;\n"
    "}\n";

static const struct fth_gen_helper helpers[] = {
    {"IO_CHECK", check},
    {"IO_CHECK_MPI", fth_gen_c_check_mpi},
    {"io_need", fth_gen_c_need},
    {"malloc", "#include <stdlib.h>\n"},
    {"memcpy", "#include <string.h>\n"},
    {"IO_INDEX", "#define IO_INDEX size_t\n"},
    {"io_copy", fth_gen_c_pack},
    {"io_room", room},
};

static void write_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to, "static struct {\n    int ncid, rank;\n");
    for (uint32_t i = 0; i < file->dimensions.count && file->creates; i++)
        fprintf(writing->to, "    int %s_dim;\n",
                writing->model->dimensions[file->dimension_numbers[i]].name);
    for (uint32_t i = 0; i < file->variables.count; i++)
        fprintf(writing->to, "    int %s_var;\n",
                writing->model->variables[file->variable_numbers[i]].name);
    fprintf(writing->to, "} %s;\n", file->name);
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    fputs("{\n", writing->to);
    bool info = fth_gen_c_info(writing, "IO_CHECK_MPI");
    if (session->creates)
        fprintf(writing->to, "IO_CHECK(nc_create_par(%s, NC_CLOBBER | NC_NETCDF4, ", path);
    else
        fprintf(writing->to, "IO_CHECK(nc_open_par(%s, %s, ", path,
                session->writes ? "NC_WRITE" : "NC_NOWRITE");
    fprintf(writing->to, "%s, %s, &%s.ncid));\n", writing->model->communicator,
            info ? "io_info" : "MPI_INFO_NULL", name);
    if (session->creates)
        fprintf(writing->to,
                "IO_CHECK(nc_set_fill(%s.ncid, NC_NOFILL, NULL)); /* all is written by the program "
                "*/\n",
                name);
    if (info)
        fputs("IO_CHECK_MPI(MPI_Info_free(&io_info));\n", writing->to);
    fth_gen_c_processes(writing, "IO_CHECK_MPI");
    fputs("}\n", writing->to);
}

static void write_dimension(const struct fth_gen_writing *writing,
                            const struct fth_gen_dimension *dimension)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "IO_CHECK(nc_def_dim(%s.ncid, \"%s\", %s, &%s.%s_dim));\n", name,
            dimension->name,
            dimension->unlimited ? "NC_UNLIMITED" : fth_gen_text(writing, dimension->length.text),
            name, dimension->name);
}

static void write_compound(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    const struct fth_gen_compound *compound = variable->compound;
    const char *type = fth_gen_c_type(writing, variable), *name = writing->file->name;
    fprintf(writing->to, "if (nc_inq_typeid(%s.ncid, \"%s\", &io_type) != NC_NOERR) {\n", name,
            compound->name);
    fprintf(writing->to, "IO_CHECK(nc_def_compound(%s.ncid, sizeof(%s), \"%s\", &io_type));\n",
            name, type, compound->name);
    for (uint32_t i = 0; i < compound->member_count; i++) {
        const struct fth_gen_member *member = &compound->members[i];
        if (member->length > 1)
            fprintf(
                writing->to,
                "const int %s_length = %llu;\nIO_CHECK(nc_insert_array_compound(%s.ncid, io_type, "
                "\"%s\", offsetof(%s, %s), %s, 1, &%s_length));\n",
                member->name, (unsigned long long)member->length, name, member->name, type,
                member->name, member->type->netcdf, member->name);
        else
            fprintf(
                writing->to,
                "IO_CHECK(nc_insert_compound(%s.ncid, io_type, \"%s\", offsetof(%s, %s), %s));\n",
                name, member->name, type, member->name, member->type->netcdf);
    }
    fputs("}\n", writing->to);
}

static void write_variable(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    fputs("{\n", writing->to);
    if (variable->compound) {
        fputs("nc_type io_type;\n", writing->to);
        write_compound(writing, variable);
    }
    fputs("const int io_dims[] = {", writing->to);
    for (uint32_t i = 0; i < variable->dimension_count; i++)
        fprintf(writing->to, "%s%s.%s_dim", i ? ", " : "", name,
                writing->model->dimensions[variable->dimensions[i]].name);
    fprintf(writing->to,
            "};\nIO_CHECK(nc_def_var(%s.ncid, \"%s\", %s, %u, io_dims, &%s.%s_var));\n", name,
            variable->name, variable->compound ? "io_type" : variable->type->netcdf,
            variable->dimension_count, name, variable->name);
    if (fth_gen_has_unlimited(writing->model, variable)) {
        fth_gen_c_chunk(writing, variable, "size_t");
        fprintf(writing->to,
                "IO_CHECK(nc_def_var_chunking(%s.ncid, %s.%s_var, NC_CHUNKED, io_chunk));\n", name,
                name, variable->name);
    }
    fputs("}\n", writing->to);
}

static void write_attribute(const struct fth_gen_writing *writing,
                            const struct fth_gen_attribute *attribute)
{
    const char *name = writing->file->name;
    char of[256] = "NC_GLOBAL";
    if (attribute->variable >= 0)
        snprintf(of, sizeof of, "%s.%s_var", name,
                 writing->model->variables[attribute->variable].name);
    if (!strcmp(attribute->type->name, "char")) {
        fprintf(writing->to,
                "IO_CHECK(nc_put_att_text(%s.ncid, %s, \"%s\", sizeof(%s) - 1, %s));\n", name, of,
                attribute->name, attribute->values[0], attribute->values[0]);
        return;
    }
    fprintf(writing->to, "{\nconst %s io_values[] = {", attribute->type->in_c);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, attribute->values[i]));
    fprintf(writing->to,
            "};\nIO_CHECK(nc_put_att_%s(%s.ncid, %s, \"%s\", %s, %u, io_values));\n}\n",
            attribute->type->netcdf_suffix, name, of, attribute->name, attribute->type->netcdf,
            attribute->value_count);
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    if (session->creates) {
        fprintf(writing->to, "IO_CHECK(nc_enddef(%s.ncid)); /* from define mode to data mode */\n",
                file->name);
        return;
    }
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const char *variable = writing->model->variables[file->variable_numbers[i]].name;
        fprintf(writing->to, "IO_CHECK(nc_inq_varid(%s.ncid, \"%s\", &%s.%s_var));\n", file->name,
                variable, file->name, variable);
    }
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind sync, barrier, sync.");
    fprintf(writing->to,
            "IO_CHECK(nc_sync(%s.ncid));\nIO_CHECK_MPI(MPI_Barrier(%s));\n"
            "IO_CHECK(nc_sync(%s.ncid));\n",
            writing->file->name, writing->model->communicator, writing->file->name);
}

static void copy(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                 const char *type)
{
    fprintf(writing->to,
            "io_copy(%u, sizeof(%s), io_array, io_array_start, io_array_count, (char *)%s, "
            "io_region, %d);\n",
            access->memory_count, type, fth_gen_bracketed(writing, access->buffer),
            !access->writes);
}

static void write_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name, *type = fth_gen_c_type(writing, variable);
    (void)index;
    fth_gen_c_reason(writing, access);
    fputs("{\n", writing->to);
    fth_gen_c_arrays(writing, access, "size_t", false);
    if (access->memory)
        fprintf(writing->to, "char *io_region = io_room(sizeof(%s), %u, io_array_count);\n", type,
                access->memory_count);
    if (access->memory && access->writes)
        copy(writing, access, type);
    fprintf(writing->to, "IO_CHECK(nc_var_par_access(%s.ncid, %s.%s_var, %s));\n", name, name,
            variable->name, access->choice.collective ? "NC_COLLECTIVE" : "NC_INDEPENDENT");
    /* A packed part has no type, so the call is that without one, too. */
    bool typed = variable->type && !access->memory;
    fprintf(writing->to, "IO_CHECK(nc_%s_vara%s%s(%s.ncid, %s.%s_var, io_start, io_count, ",
            access->writes ? "put" : "get", typed ? "_" : "",
            typed ? variable->type->netcdf_suffix : "", name, name, variable->name);
    if (typed)
        fprintf(writing->to, "(%s%s *)", access->writes ? "const " : "", type);
    fprintf(writing->to, "%s));\n",
            access->memory ? "io_region" : fth_gen_bracketed(writing, access->buffer));
    if (access->memory && !access->writes)
        copy(writing, access, type);
    if (access->memory)
        fputs("free(io_region);\n", writing->to);
    fputs("}\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "IO_CHECK(nc_close(%s.ncid));\n", writing->file->name);
}

const struct fth_gen_emitter fth_gen_c_netcdf = {
    head,           helpers,         sizeof helpers / sizeof *helpers,
    write_state,    open_file,       write_dimension,
    write_variable, write_attribute, end_definition,
    begin_set,      write_access,    NULL,
    close_file,
};
