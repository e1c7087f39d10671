/* Definitions of raw files in C and C++. */
#include "gen/emit_c/c_raw.h"

void fth_gen_c_raw_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to, "static struct {\n    struct io_file file;\n    int rank;\n");
    for (uint32_t i = 0; i < file->variables.count; i++)
        fprintf(writing->to, "    IO_OFFSET %s_at;\n",
                writing->model->variables[file->variable_numbers[i]].name);
    fprintf(writing->to, "} %s;\n", file->name);
}

void fth_gen_c_raw_open(const struct fth_gen_writing *writing, bool creates)
{
    const char *name = writing->file->name;
    fprintf(writing->to, "%s.file.end = %s.file.record = 0;\n", name, name);
    fprintf(writing->to,
            creates ? "%s.file.layout = %s.rank ? NULL : io_layout(%s);\n"
                    : "%s.file.layout = NULL;\n",
            name, name, writing->file->path);
}

void fth_gen_c_raw_variable(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    const char *type = variable->type ? variable->type->name : variable->compound->name;
    fputs("{\n", writing->to);
    fth_gen_c_lengths(writing, variable, "IO_OFFSET", "0");
    fprintf(
        writing->to,
        "%s.%s_at = io_define(&%s.file, \"%s\", \"%s\", sizeof(%s), %u, io_lengths, %llu);\n}\n",
        name, variable->name, name, variable->name, type, fth_gen_c_type(writing, variable),
        variable->dimension_count,
        (unsigned long long)(writing->file->align ? writing->file->align : 8));
}

void fth_gen_c_raw_attribute(const struct fth_gen_writing *writing,
                             const struct fth_gen_attribute *attribute)
{
    const char *of =
        attribute->variable < 0 ? "*" : writing->model->variables[attribute->variable].name;
    fprintf(writing->to, "if (%s.file.layout)\n    fprintf(%s.file.layout, \"attribute %s %s %s",
            writing->file->name, writing->file->name, of, attribute->name, attribute->type->name);
    bool real = attribute->type->mpi[4] == 'D' || attribute->type->mpi[4] == 'F';
    bool text = attribute->type->bytes == 1 && attribute->type->name[0] == 'c';
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fputs(text ? " \\\"%s\\\"" : real ? " %.17g" : " %lld", writing->to);
    fputs("\\n\"", writing->to);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to,
                text   ? ", %s"
                : real ? ", (double)(%s)"
                       : ", (long long)(%s)",
                fth_gen_text(writing, attribute->values[i]));
    fputs(");\n", writing->to);
}

/* Records, one of each variable that grows, follow what has a fixed place. */
void fth_gen_c_raw_defined(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        if (fth_gen_has_unlimited(writing->model, variable))
            fprintf(writing->to, "%s.%s_at += %s.file.end; /* in the first record */\n", file->name,
                    variable->name, file->name);
    }
    if (session->creates)
        fprintf(writing->to, "io_end_layout(&%s.file);\n", file->name);
}

const char fth_gen_c_raw_layout[] =
    "/* What is where in the file, as text beside it: PATH.layout. */\n"
    "static FILE *io_layout(const char *path)\n"
    "{\n"
    "    char name[4096];\n"
    "    int length = snprintf(name, sizeof name, \"%s.layout\", path);\n"
    "    FILE *layout = length < (int)sizeof name ? fopen(name, \"w\") : NULL;\n"
    "    if (!layout) {\n"
    "        perror(name);\n"
    "        MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    }\n"
    "    return layout;\n"
    "}\n";

const char fth_gen_c_raw_define[] =
    "/* Gives a variable its place: behind those before it, or in a record if lengths[0] is 0. */\n"
    "static IO_OFFSET io_define(struct io_file *file, const char *name, const char *type, size_t "
    "item,\n"
    "                           int dimensions, const IO_OFFSET *lengths, IO_OFFSET alignment)\n"
    "{\n"
    "    IO_OFFSET bytes = (IO_OFFSET)item, *end = lengths[0] ? &file->end : &file->record, "
    "begin;\n"
    "    for (int i = 0; i < dimensions; i++)\n"
    "        bytes *= lengths[i] || i ? lengths[i] : 1;\n"
    "    begin = (*end + alignment - 1) / alignment * alignment;\n"
    "    *end = (begin + bytes + alignment - 1) / alignment * alignment;\n"
    "    if (file->layout) {\n"
    "        fprintf(file->layout, \"variable %s %s %zu at %lld%s\", name, type, item, (long "
    "long)begin,\n"
    "                lengths[0] ? \"\" : \" in record\");\n"
    "        for (int i = 0; i < dimensions; i++)\n"
    "            fprintf(file->layout, \" %lld\", (long long)lengths[i]);\n"
    "        fprintf(file->layout, \"\\n\");\n"
    "    }\n"
    "    return begin;\n"
    "}\n";

const char fth_gen_c_raw_end[] =
    "static void io_end_layout(struct io_file *file)\n"
    "{\n"
    "    if (!file->layout)\n"
    "        return;\n"
    "    fprintf(file->layout, \"records at %lld of %lld\\n\", (long long)file->end,\n"
    "            (long long)file->record);\n"
    "    if (fflush(file->layout) || ferror(file->layout) || fclose(file->layout)) {\n"
    "        perror(\"layout\");\n"
    "        MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    }\n"
    "    file->layout = NULL;\n"
    "}\n";
