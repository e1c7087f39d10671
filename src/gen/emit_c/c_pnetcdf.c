/* PnetCDF in C and C++: define mode, then data mode. Several collective accesses of one set are
 * nonblocking: the library makes one exchange of them. A compound type becomes a variable for each
 * member. */
#include "gen/emit_c/c_parts.h"

#include <string.h>

static const char head[] = "#include <limits.h>\n#include <mpi.h>\n#include <pnetcdf.h>\n#include "
                           "<stddef.h>\n#include <stdio.h>\n";

static const char check[] =
    "static void io_check(int code, const char *call, int line)\n"
    "{\n"
    "    if (code == NC_NOERR)\n"
    "        return;\n"
    "    fprintf(stderr, \"%s:%d: %s: %s\\n\", __FILE__, line, call, ncmpi_strerror(code));\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n"
    "#define IO_CHECK(call) io_check(call, #call, __LINE__)\n";

static const char part[] =
    "/* A part of an array in memory as a datatype, for its owner to free. */\n"
    "static MPI_Datatype io_part(int dimensions, const MPI_Offset *lengths, const MPI_Offset "
    "*count,\n"
    "                            const MPI_Offset *start, MPI_Datatype item)\n"
    "{\n"
    "    int sizes[32], parts[32], starts[32], empty = 0;\n"
    "    MPI_Datatype part;\n"
    "    for (int i = 0; i < dimensions; i++) {\n"
    "        sizes[i] = (int)lengths[i];\n"
    "        parts[i] = (int)count[i];\n"
    "        starts[i] = (int)start[i];\n"
    "        empty = empty || count[i] == 0;\n"
    "    }\n"
    "    if (empty)\n"
    "        IO_CHECK_MPI(MPI_Type_dup(item, &part));\n"
    "    else\n"
    "        IO_CHECK_MPI(MPI_Type_create_subarray(dimensions, sizes, parts, starts, MPI_ORDER_C, "
    "item,\n"
    "                                              &part));\n"
    "    IO_CHECK_MPI(MPI_Type_commit(&part));\n"
    "    return part;\n"
    "}\n";

static const char items[] = "static MPI_Offset io_items(int dimensions, const MPI_Offset *count)\n"
                            "{\n"
                            "    MPI_Offset items = 1;\n"
                            "    for (int i = 0; i < dimensions; i++)\n"
                            "        items *= count[i];\n"
                            "    return items;\n"
                            "}\n";

static const char member[] =
    "/* A member of each structure of an array, for its owner to free. */\n"
    "static MPI_Datatype io_member(int length, MPI_Datatype item, size_t bytes)\n"
    "{\n"
    "    MPI_Datatype some, member;\n"
    "    IO_CHECK_MPI(MPI_Type_contiguous(length, item, &some));\n"
    "    IO_CHECK_MPI(MPI_Type_create_resized(some, 0, (MPI_Aint)bytes, &member));\n"
    "    IO_CHECK_MPI(MPI_Type_commit(&member));\n"
    "    IO_CHECK_MPI(MPI_Type_free(&some));\n"
    "    return member;\n"
    "}\n";

static const struct fth_gen_helper helpers[] = {
    {"IO_CHECK", check},         {"IO_CHECK_MPI", fth_gen_c_check_mpi},
    {"io_need", fth_gen_c_need}, {"io_part", part},
    {"io_items", items},         {"io_member", member},
};

/* ---- names of variables: of a compound, one for each member ---- */

static uint32_t member_count(const struct fth_gen_variable *variable)
{
    return variable->compound ? variable->compound->member_count : 1;
}
static void put_name(FILE *to, const struct fth_gen_variable *variable, uint32_t member_number)
{
    fprintf(to, variable->compound ? "%s_%s" : "%s", variable->name,
            variable->compound ? variable->compound->members[member_number].name : "");
}
static const struct fth_gen_type *type_of(const struct fth_gen_variable *variable,
                                          uint32_t member_number)
{
    return variable->compound ? variable->compound->members[member_number].type : variable->type;
}
static uint64_t length_of(const struct fth_gen_variable *variable, uint32_t member_number)
{
    return variable->compound ? variable->compound->members[member_number].length : 1;
}

static void write_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to, "static struct {\n    int ncid, rank;\n");
    for (uint32_t i = 0; i < file->dimensions.count && file->creates; i++)
        fprintf(writing->to, "    int %s_dim;\n",
                writing->model->dimensions[file->dimension_numbers[i]].name);
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        for (uint32_t j = 0; j < member_count(variable); j++) {
            fputs("    int ", writing->to);
            put_name(writing->to, variable, j);
            fputs("_var;\n", writing->to);
        }
    }
    fprintf(writing->to, "} %s;\n", file->name);
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    fputs("{\n", writing->to);
    bool info = fth_gen_c_info(writing, "IO_CHECK_MPI");
    fprintf(writing->to, "IO_CHECK(ncmpi_%s(%s, %s, %s, %s, &%s.ncid));\n",
            session->creates ? "create" : "open", writing->model->communicator, path,
            session->creates  ? "NC_CLOBBER | NC_64BIT_DATA"
            : session->writes ? "NC_WRITE"
                              : "NC_NOWRITE",
            info ? "io_info" : "MPI_INFO_NULL", name);
    if (info)
        fputs("IO_CHECK_MPI(MPI_Info_free(&io_info));\n", writing->to);
    fth_gen_c_processes(writing, "IO_CHECK_MPI");
    fputs("}\n", writing->to);
}

static void write_dimension(const struct fth_gen_writing *writing,
                            const struct fth_gen_dimension *dimension)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "IO_CHECK(ncmpi_def_dim(%s.ncid, \"%s\", %s, &%s.%s_dim));\n", name,
            dimension->name,
            dimension->unlimited ? "NC_UNLIMITED" : fth_gen_text(writing, dimension->length.text),
            name, dimension->name);
}

static void write_variable(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    for (uint32_t j = 0; j < member_count(variable); j++) {
        bool array = length_of(variable, j) > 1;
        fputs("{\n", writing->to);
        if (array) {
            fputs("int io_length_dim;\n", writing->to);
            fprintf(writing->to, "IO_CHECK(ncmpi_def_dim(%s.ncid, \"", name);
            put_name(writing->to, variable, j);
            fprintf(writing->to, "_length\", %llu, &io_length_dim));\n",
                    (unsigned long long)length_of(variable, j));
        }
        fputs("const int io_dims[] = {", writing->to);
        for (uint32_t i = 0; i < variable->dimension_count; i++)
            fprintf(writing->to, "%s%s.%s_dim", i ? ", " : "", name,
                    writing->model->dimensions[variable->dimensions[i]].name);
        fprintf(writing->to, "%s};\nIO_CHECK(ncmpi_def_var(%s.ncid, \"",
                array ? ", io_length_dim" : "", name);
        put_name(writing->to, variable, j);
        fprintf(writing->to, "\", %s, %u, io_dims, &%s.", type_of(variable, j)->netcdf,
                variable->dimension_count + array, name);
        put_name(writing->to, variable, j);
        fputs("_var));\n}\n", writing->to);
    }
}

static void write_one_attribute(const struct fth_gen_writing *writing,
                                const struct fth_gen_attribute *attribute, uint32_t member_number)
{
    const char *name = writing->file->name;
    bool text = !strcmp(attribute->type->name, "char");
    if (text) {
        fprintf(writing->to, "IO_CHECK(ncmpi_put_att_text(%s.ncid, ", name);
    } else {
        fprintf(writing->to, "{\nconst %s io_values[] = {", attribute->type->in_c);
        for (uint32_t i = 0; i < attribute->value_count; i++)
            fprintf(writing->to, "%s%s", i ? ", " : "",
                    fth_gen_text(writing, attribute->values[i]));
        fprintf(writing->to, "};\nIO_CHECK(ncmpi_put_att_%s(%s.ncid, ",
                attribute->type->netcdf_suffix, name);
    }
    if (attribute->variable < 0) {
        fputs("NC_GLOBAL", writing->to);
    } else {
        fprintf(writing->to, "%s.", name);
        put_name(writing->to, &writing->model->variables[attribute->variable], member_number);
        fputs("_var", writing->to);
    }
    if (text)
        fprintf(writing->to, ", \"%s\", sizeof(%s) - 1, %s));\n", attribute->name,
                attribute->values[0], attribute->values[0]);
    else
        fprintf(writing->to, ", \"%s\", %s, %u, io_values));\n}\n", attribute->name,
                attribute->type->netcdf, attribute->value_count);
}

static void write_attribute(const struct fth_gen_writing *writing,
                            const struct fth_gen_attribute *attribute)
{
    uint32_t count =
        attribute->variable < 0 ? 1 : member_count(&writing->model->variables[attribute->variable]);
    for (uint32_t i = 0; i < count; i++)
        write_one_attribute(writing, attribute, i);
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    if (session->creates) {
        fprintf(writing->to,
                "IO_CHECK(ncmpi_enddef(%s.ncid)); /* from define mode to data mode */\n",
                file->name);
        return;
    }
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        for (uint32_t j = 0; j < member_count(variable); j++) {
            fprintf(writing->to, "IO_CHECK(ncmpi_inq_varid(%s.ncid, \"", file->name);
            put_name(writing->to, variable, j);
            fprintf(writing->to, "\", &%s.", file->name);
            put_name(writing->to, variable, j);
            fputs("_var));\n", writing->to);
        }
    }
}

static uint32_t requests_of(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    uint32_t requests = 0;
    for (uint32_t i = 0; i < set->count; i++)
        requests += member_count(
            &writing->model->variables[writing->model->accesses[set->first + i].variable]);
    return requests;
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    if (writing->after_writes) {
        fth_gen_comment(writing, "What others have written is seen behind sync, barrier, sync.");
        fprintf(writing->to,
                "IO_CHECK(ncmpi_sync(%s.ncid));\nIO_CHECK_MPI(MPI_Barrier(%s));\n"
                "IO_CHECK(ncmpi_sync(%s.ncid));\n",
                writing->file->name, writing->model->communicator, writing->file->name);
    }
    if (!set->count || !writing->model->accesses[set->first].choice.nonblocking)
        return;
    fth_gen_comment(writing,
                    "%u accesses are posted and done together: one exchange in place of %u.",
                    set->count, set->count);
    fprintf(writing->to, "{\nint io_request[%u], io_status[%u], io_requests = 0;\n",
            requests_of(writing, set), requests_of(writing, set));
}

static void end_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    if (!set->count || !writing->model->accesses[set->first].choice.nonblocking)
        return;
    fprintf(writing->to,
            "IO_CHECK(ncmpi_wait_all(%s.ncid, io_requests, io_request, io_status));\n"
            "for (int i = 0; i < io_requests; i++)\n    IO_CHECK(io_status[i]);\n}\n",
            writing->file->name);
}

/* The call, with a buffer of a type of MPI where memory is not contiguous. */
static void write_call(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       uint32_t member_number, const char *start, const char *count,
                       const char *in_memory, const char *type)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const struct fth_gen_choice *choice = &access->choice;
    const char *suffix = type_of(variable, member_number)->netcdf_suffix;
    fprintf(writing->to, "IO_CHECK(ncmpi_%s%s_vara%s%s%s(%s.ncid, %s.",
            choice->nonblocking ? "i" : "", access->writes ? "put" : "get", in_memory ? "" : "_",
            in_memory ? "" : suffix, choice->collective && !choice->nonblocking ? "_all" : "",
            writing->file->name, writing->file->name);
    put_name(writing->to, variable, member_number);
    fprintf(writing->to, "_var, %s, %s,\n    ", start, count);
    const char *buffer = fth_gen_bracketed(writing, access->buffer);
    if (variable->compound)
        fprintf(writing->to, "(char *)%s + offsetof(%s, %s)", buffer,
                fth_gen_c_type(writing, variable), variable->compound->members[member_number].name);
    else if (in_memory)
        fputs(buffer, writing->to);
    else
        fprintf(writing->to, "(%s%s *)%s", access->writes ? "const " : "", variable->type->in_c,
                buffer);
    if (in_memory)
        fprintf(writing->to, ", %s, %s", in_memory, type);
    fputs(choice->nonblocking ? ", &io_request[io_requests++]));\n" : "));\n", writing->to);
}

static void write_member(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t number)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    uint32_t count = variable->dimension_count;
    uint64_t length = length_of(variable, number);
    char start[16] = "io_start", counts[16] = "io_count", items_text[64];
    fputs("{\n", writing->to);
    if (length > 1) {
        fputs("const MPI_Offset io_member_start[] = {", writing->to);
        for (uint32_t i = 0; i < count; i++)
            fprintf(writing->to, "io_start[%u], ", i);
        fputs("0}, io_member_count[] = {", writing->to);
        for (uint32_t i = 0; i < count; i++)
            fprintf(writing->to, "io_count[%u], ", i);
        fprintf(writing->to, "%llu};\n", (unsigned long long)length);
        strcpy(start, "io_member_start");
        strcpy(counts, "io_member_count");
    }
    fprintf(writing->to, "MPI_Datatype io_member_type = io_member(%llu, %s, sizeof(%s));\n",
            (unsigned long long)length, type_of(variable, number)->mpi,
            fth_gen_c_type(writing, variable));
    snprintf(items_text, sizeof items_text, "io_items(%u, io_count)%s", count,
             access->memory ? " > 0" : "");
    if (access->memory)
        fprintf(writing->to,
                "MPI_Datatype io_memory = io_part(%u, io_array, io_array_count, io_array_start, "
                "io_member_type);\n",
                access->memory_count);
    write_call(writing, access, number, start, counts, items_text,
               access->memory ? "io_memory" : "io_member_type");
    if (access->memory)
        fputs("IO_CHECK_MPI(MPI_Type_free(&io_memory));\n", writing->to);
    fputs("IO_CHECK_MPI(MPI_Type_free(&io_member_type));\n}\n", writing->to);
}

static void write_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    (void)index;
    fth_gen_c_reason(writing, access);
    fputs("{\n", writing->to);
    fth_gen_c_arrays(writing, access, "MPI_Offset", false);
    if (!access->choice.collective)
        fprintf(writing->to, "IO_CHECK(ncmpi_begin_indep_data(%s.ncid));\n", writing->file->name);
    for (uint32_t i = 0; i < member_count(variable) && variable->compound; i++)
        write_member(writing, access, i);
    if (!variable->compound && access->memory) {
        fprintf(
            writing->to,
            "MPI_Datatype io_memory = io_part(%u, io_array, io_array_count, io_array_start, %s);\n",
            access->memory_count, variable->type->mpi);
        char one[64];
        snprintf(one, sizeof one, "io_items(%u, io_count) > 0", variable->dimension_count);
        write_call(writing, access, 0, "io_start", "io_count", one, "io_memory");
        fputs("IO_CHECK_MPI(MPI_Type_free(&io_memory));\n", writing->to);
    } else if (!variable->compound) {
        write_call(writing, access, 0, "io_start", "io_count", NULL, NULL);
    }
    if (!access->choice.collective)
        fprintf(writing->to, "IO_CHECK(ncmpi_end_indep_data(%s.ncid));\n", writing->file->name);
    fputs("}\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "IO_CHECK(ncmpi_close(%s.ncid));\n", writing->file->name);
}

const struct fth_gen_emitter fth_gen_c_pnetcdf = {
    head,           helpers,         sizeof helpers / sizeof *helpers,
    write_state,    open_file,       write_dimension,
    write_variable, write_attribute, end_definition,
    begin_set,      write_access,    end_set,
    close_file,
};
