/* Parts of generated code in C and C++ that all libraries need. */
#include "gen/emit_c/c_parts.h"

#include <string.h>

void fth_gen_c_element(const struct fth_gen_writing *writing, const char *type, const char *text)
{
    const char *made = fth_gen_text(writing, text);
    if (writing->model->language == FTH_GEN_CXX && !fth_gen_is_integer(made))
        fprintf(writing->to, "%s(%s)", type, made);
    else
        fputs(made, writing->to);
}

bool fth_gen_has_unlimited(const struct fth_gen_model *model,
                           const struct fth_gen_variable *variable)
{
    return model->dimensions[fth_gen_dimension_at(model, variable, 0)].unlimited;
}

void fth_gen_c_lengths(const struct fth_gen_writing *writing,
                       const struct fth_gen_variable *variable, const char *type,
                       const char *slowest)
{
    fprintf(writing->to, "const %s io_lengths[] = {", type);
    for (uint32_t i = 0; i < variable->dimension_count; i++) {
        const struct fth_gen_dimension *dimension =
            &writing->model->dimensions[variable->dimensions[i]];
        fputs(i ? ", " : "", writing->to);
        fth_gen_c_element(writing, type, dimension->unlimited ? slowest : dimension->length.text);
    }
    fputs("};\n", writing->to);
}

void fth_gen_c_chunk(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable,
                     const char *type)
{
    fth_gen_comment(writing, "%s", fth_gen_chunk_reason(variable));
    fprintf(writing->to, "const %s io_chunk[] = {", type);
    for (uint32_t i = 0; i < variable->dimension_count; i++) {
        fputs(i ? ", " : "", writing->to);
        fth_gen_c_element(writing, type, fth_gen_chunk(writing, variable, i));
    }
    fputs("};\n", writing->to);
}

static void write_list(const struct fth_gen_writing *writing, const char *name, const char *type,
                       const struct fth_gen_number *numbers, uint32_t count)
{
    fprintf(writing->to, "%s[] = {", name);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", writing->to);
        fth_gen_c_element(writing, type, numbers[i].text);
    }
    fputs("}", writing->to);
}

/* start[] of process (i, j, ...) of a grid, row-major; count[0] is 0 outside of it. */
static void write_grid(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       const char *type, uint32_t count)
{
    const struct fth_gen_piece *piece = &access->pieces[0];
    const char *name = writing->file->name;
    fth_gen_comment(writing, "The place of this process in a grid, row by row.");
    fprintf(writing->to, "const int io_place[] = {");
    for (uint32_t i = 0; i < count; i++) {
        fprintf(writing->to, "%s%s.rank", i ? ", " : "", name);
        for (uint32_t j = i + 1; j < count; j++)
            fprintf(writing->to, " / %s", fth_gen_operand(writing, access->grid[j].text));
        fprintf(writing->to, " %% %s", fth_gen_operand(writing, access->grid[i].text));
    }
    fprintf(writing->to, "};\nconst int io_inside = %s.rank < ", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(writing->to, "%s%s", i ? " * " : "",
                fth_gen_operand(writing, access->grid[i].text));
    fprintf(writing->to, ";\nconst %s io_start[] = {", type);
    for (uint32_t i = 0; i < count; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s + io_place[%u] * %s",
                 fth_gen_operand(writing, piece->start[i].text), i,
                 fth_gen_operand(writing, access->stride[i].text));
        fputs(i ? ", " : "", writing->to);
        fth_gen_c_element(writing, type, text);
    }
    fprintf(writing->to, "};\nconst %s io_count[] = {", type);
    for (uint32_t i = 0; i < count; i++) {
        char text[1024];
        snprintf(text, sizeof text, i ? "%s" : "io_inside ? %s : 0",
                 fth_gen_text(writing, piece->count[i].text));
        fputs(i ? ", " : "", writing->to);
        fth_gen_c_element(writing, type, text);
    }
    fputs("};\n", writing->to);
}

/* One process after the other; those without a line access nothing. */
static void write_pieces(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         const char *type, uint32_t count)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "%s io_start[%u] = {0}, io_count[%u] = {0};\n", type, count, count);
    for (uint32_t i = 0; i < access->piece_count; i++) {
        const struct fth_gen_piece *piece = &access->pieces[i];
        const char *first = fth_gen_operand(writing, piece->first.text);
        const char *last = fth_gen_operand(writing, piece->last.text);
        fprintf(writing->to, "%sif (", i ? "else " : "");
        if (!strcmp(first, last))
            fprintf(writing->to, "%s.rank == %s", name, first);
        else
            fprintf(writing->to, "%s.rank >= %s && %s.rank <= %s", name, first, name, last);
        fputs(") {\n", writing->to);
        for (uint32_t j = 0; j < count; j++) {
            fprintf(writing->to, "io_start[%u] = ", j);
            fth_gen_c_element(writing, type, piece->start[j].text);
            fprintf(writing->to, ", io_count[%u] = ", j);
            fth_gen_c_element(writing, type, piece->count[j].text);
            fputs(";\n", writing->to);
        }
        fputs("}\n", writing->to);
    }
}

static void write_memory(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         const char *type, uint32_t count)
{
    fprintf(writing->to, "const %s ", type);
    write_list(writing, "io_array", type, access->memory, access->memory_count);
    fputs(",\n    ", writing->to);
    write_list(writing, " io_array_start", type, access->memory_start, access->memory_count);
    fputs(",\n     io_array_count[] = {", writing->to);
    for (uint32_t i = 0; i < access->memory_count; i++)
        fprintf(writing->to, i < count ? "%sio_count[%u]" : "%s1", i ? ", " : "", i);
    fputs("};\n", writing->to);
}

void fth_gen_c_arrays(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                      const char *type, bool lengths)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    uint32_t count = variable->dimension_count;
    if (access->grid) {
        write_grid(writing, access, type, count);
    } else if (access->pieces[0].all) {
        fprintf(writing->to, "const %s ", type);
        write_list(writing, "io_start", type, access->pieces[0].start, count);
        fputs(", ", writing->to);
        write_list(writing, "io_count", type, access->pieces[0].count, count);
        fputs(";\n", writing->to);
    } else {
        write_pieces(writing, access, type, count);
    }
    if (lengths)
        fth_gen_c_lengths(writing, variable, type, "io_start[0] + io_count[0]");
    if (access->memory)
        write_memory(writing, access, type, count);
}

void fth_gen_c_reason(const struct fth_gen_writing *writing, const struct fth_gen_access *access)
{
    fth_gen_comment(writing, "%s. %s", writing->model->variables[access->variable].name,
                    access->choice.reason);
}

bool fth_gen_c_info(const struct fth_gen_writing *writing, const char *check)
{
    struct fth_gen_info infos[8];
    size_t count = fth_gen_infos(writing, infos);
    if (!count)
        return false;
    fprintf(writing->to, "MPI_Info io_info;\n%s(MPI_Info_create(&io_info));\n", check);
    for (size_t i = 0; i < count; i++)
        fprintf(writing->to, "%s(MPI_Info_set(io_info, \"%s\", \"%s\")); /* %s */\n", check,
                infos[i].key, infos[i].value, infos[i].why);
    return true;
}

void fth_gen_c_processes(const struct fth_gen_writing *writing, const char *check)
{
    fprintf(writing->to, "%s(MPI_Comm_rank(%s, &%s.rank));\n", check, writing->model->communicator,
            writing->file->name);
    if (writing->file->least_processes > 1)
        fprintf(writing->to, "io_need(%s, %lld);\n", writing->model->communicator,
                (long long)writing->file->least_processes);
}

const char *fth_gen_c_type(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    if (variable->type)
        return variable->type->in_c;
    size_t size = strlen(variable->compound->name) + 8;
    char *text = fth_arena_take(&writing->model->hints->arena, size);
    snprintf(text, size, "%s%s", writing->model->language == FTH_GEN_CXX ? "" : "struct ",
             variable->compound->name);
    return text;
}

const char fth_gen_c_check_mpi[] =
    "static void io_check_mpi(int code, const char *call, int line)\n"
    "{\n"
    "    char text[MPI_MAX_ERROR_STRING] = \"\";\n"
    "    int length;\n"
    "    if (code == MPI_SUCCESS)\n"
    "        return;\n"
    "    MPI_Error_string(code, text, &length);\n"
    "    fprintf(stderr, \"%s:%d: %s: %s\\n\", __FILE__, line, call, text);\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n"
    "#define IO_CHECK_MPI(call) io_check_mpi(call, #call, __LINE__)\n";

const char fth_gen_c_need[] = "/* The hints name so many processes. */\n"
                              "static void io_need(MPI_Comm comm, int processes)\n"
                              "{\n"
                              "    int size;\n"
                              "    IO_CHECK_MPI(MPI_Comm_size(comm, &size));\n"
                              "    if (size >= processes)\n"
                              "        return;\n"
                              "    fprintf(stderr, \"%s: it needs %d processes, and has %d\\n\", "
                              "__FILE__, processes, size);\n"
                              "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
                              "}\n";

const char fth_gen_c_items[] =
    "/* How many elements a part has: a call of MPI moves less than 2^31. */\n"
    "static int io_items(int dimensions, const int *count)\n"
    "{\n"
    "    long long items = 1;\n"
    "    for (int i = 0; i < dimensions; i++)\n"
    "        items = items > INT_MAX ? items : items * count[i];\n"
    "    if (items > INT_MAX) {\n"
    "        fprintf(stderr, \"%s: a process accesses 2^31 elements or more at once\\n\", "
    "__FILE__);\n"
    "        MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    }\n"
    "    return (int)items;\n"
    "}\n";

const char fth_gen_c_part_type[] =
    "/* A part of an array as a datatype, for its owner to free. */\n"
    "static MPI_Datatype io_part(int dimensions, const int *lengths, const int *count,\n"
    "                            const int *start, MPI_Datatype item)\n"
    "{\n"
    "    MPI_Datatype part;\n"
    "    if (io_items(dimensions, count) > 0)\n"
    "        IO_CHECK_MPI(MPI_Type_create_subarray(dimensions, lengths, count, start,\n"
    "                                              MPI_ORDER_C, item, &part));\n"
    "    else\n"
    "        IO_CHECK_MPI(MPI_Type_dup(item, &part));\n"
    "    IO_CHECK_MPI(MPI_Type_commit(&part));\n"
    "    return part;\n"
    "}\n";

const char fth_gen_c_pack[] =
    "/* Copies a part of an array in memory into a place of its own, or, if `back`, from there. "
    "*/\n"
    "static char *io_copy(int dimensions, size_t item, const IO_INDEX *lengths, const IO_INDEX "
    "*start,\n"
    "                     const IO_INDEX *count, char *array, char *part, int back)\n"
    "{\n"
    "    size_t row = item;\n"
    "    for (int i = 1; i < dimensions; i++)\n"
    "        row *= (size_t)lengths[i];\n"
    "    for (IO_INDEX i = 0; i < count[0]; i++) {\n"
    "        char *from = array + (size_t)(start[0] + i) * row;\n"
    "        if (dimensions > 1) {\n"
    "            part = io_copy(dimensions - 1, item, lengths + 1, start + 1, count + 1, from, "
    "part, back);\n"
    "            continue;\n"
    "        }\n"
    "        memcpy(back ? from : part, back ? part : from, item);\n"
    "        part += item;\n"
    "    }\n"
    "    return part;\n"
    "}\n";
