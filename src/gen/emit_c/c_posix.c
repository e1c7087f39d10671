/* POSIX in C and C++: a call for each contiguous run of a part. MPI is used to know the rank, and
 * to wait for the file to be made. */
#include "gen/emit_c/c_raw.h"

static const char head[] =
    "#include <errno.h>\n#include <fcntl.h>\n#include <mpi.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n";

static const char file_state[] =
    "#define IO_OFFSET off_t\n"
    "struct io_file {\n"
    "    int descriptor;\n"
    "    FILE *layout;      /* of rank 0, while it is written */\n"
    "    off_t end, record; /* bytes: of what has a fixed place, of a record */\n"
    "};\n";

static const char check[] =
    "static int io_check(long long result, const char *call, int line)\n"
    "{\n"
    "    if (result >= 0)\n"
    "        return (int)result;\n"
    "    fprintf(stderr, \"%s:%d: %s: %s\\n\", __FILE__, line, call, strerror(errno));\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    return -1;\n"
    "}\n"
    "#define IO_CHECK(call) io_check(call, #call, __LINE__)\n";

static const char move[] =
    "/* All of these bytes: a call may move fewer. */\n"
    "static void io_move(int descriptor, char *buffer, size_t bytes, off_t at, int writes)\n"
    "{\n"
    "    while (bytes > 0) {\n"
    "        ssize_t moved = writes ? pwrite(descriptor, buffer, bytes, at)\n"
    "                               : pread(descriptor, buffer, bytes, at);\n"
    "        if (moved < 0 && errno == EINTR)\n"
    "            continue;\n"
    "        if (moved <= 0) {\n"
    "            fprintf(stderr, \"%s: %zu bytes at %lld: %s\\n\", __FILE__, bytes, (long "
    "long)at,\n"
    "                    moved < 0 ? strerror(errno) : \"the file ends before\");\n"
    "            MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "        }\n"
    "        buffer += moved;\n"
    "        bytes -= (size_t)moved;\n"
    "        at += moved;\n"
    "    }\n"
    "}\n";

static const char part[] =
    "/* A part of a variable, in runs that are as long as they can be. `step`: bytes from one "
    "index of\n"
    "   the slowest dimension to the next. Returns the end of what was moved in the buffer. */\n"
    "static char *io_part(int descriptor, off_t at, off_t step, size_t item, int dimensions,\n"
    "                     const off_t *lengths, const off_t *start, const off_t *count, char "
    "*buffer,\n"
    "                     int writes)\n"
    "{\n"
    "    off_t run = (off_t)item; /* of one index of this dimension, if all of those below is "
    "accessed */\n"
    "    int whole = 1;\n"
    "    for (int i = 1; i < dimensions; i++) {\n"
    "        whole = whole && count[i] == lengths[i];\n"
    "        run *= lengths[i];\n"
    "    }\n"
    "    at += start[0] * step;\n"
    "    if (whole && run == step) {\n"
    "        io_move(descriptor, buffer, (size_t)(count[0] * run), at, writes);\n"
    "        return buffer + count[0] * run;\n"
    "    }\n"
    "    for (off_t i = 0; i < count[0]; i++, at += step) {\n"
    "        if (whole) {\n"
    "            io_move(descriptor, buffer, (size_t)run, at, writes);\n"
    "            buffer += run;\n"
    "        } else {\n"
    "            buffer = io_part(descriptor, at, run / lengths[1], item, dimensions - 1, lengths "
    "+ 1,\n"
    "                             start + 1, count + 1, buffer, writes);\n"
    "        }\n"
    "    }\n"
    "    return buffer;\n"
    "}\n";

static const char step[] =
    "/* Bytes from one index of the slowest dimension to the next. */\n"
    "static off_t io_step(size_t item, int dimensions, const off_t *lengths)\n"
    "{\n"
    "    off_t bytes = (off_t)item;\n"
    "    for (int i = 1; i < dimensions; i++)\n"
    "        bytes *= lengths[i];\n"
    "    return bytes;\n"
    "}\n";

static const char index_type[] = "#define IO_INDEX off_t\n";

static const char room[] =
    "/* Memory for a part of an array that is not contiguous. */\n"
    "static char *io_room(size_t item, int dimensions, const off_t *count)\n"
    "{\n"
    "    size_t bytes = item;\n"
    "    for (int i = 0; i < dimensions; i++)\n"
    "        bytes *= (size_t)count[i];\n"
    "    char *room = (char *)malloc(bytes ? bytes : 1);\n"
    "    if (!room) {\n"
    "        fprintf(stderr, \"%s: no memory for %zu bytes\\n\", __FILE__, bytes);\n"
    "        MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "    }\n"
    "    return room;\n"
    "}\n";

static const struct fth_gen_helper helpers[] = {
    {"io_file", file_state},
    {"IO_CHECK", check},
    {"IO_CHECK_MPI", fth_gen_c_check_mpi},
    {"io_need", fth_gen_c_need},
    {"io_layout", fth_gen_c_raw_layout},
    {"io_define", fth_gen_c_raw_define},
    {"io_end_layout", fth_gen_c_raw_end},
    {"io_move", move},
    {"io_part", part},
    {"io_step", step},
    {"IO_INDEX", index_type},
    {"io_copy", fth_gen_c_pack},
    {"io_room", room},
};

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    fth_gen_c_processes(writing, "IO_CHECK_MPI");
    if (session->creates) {
        fprintf(writing->to, "if (%s.rank == 0) /* one makes it, the others wait */\n", name);
        fprintf(writing->to,
                "    %s.file.descriptor = IO_CHECK(open(%s, O_RDWR | O_CREAT | O_TRUNC, 0666));\n",
                name, path);
        fprintf(writing->to, "IO_CHECK_MPI(MPI_Barrier(%s));\nif (%s.rank != 0)\n    ",
                writing->model->communicator, name);
    }
    fprintf(writing->to, "%s.file.descriptor = IO_CHECK(open(%s, %s));\n", name, path,
            session->writes ? "O_RDWR" : "O_RDONLY");
    fth_gen_c_raw_open(writing, session->creates);
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is there when all of them are here.");
    fprintf(writing->to, "IO_CHECK(fsync(%s.file.descriptor));\nIO_CHECK_MPI(MPI_Barrier(%s));\n",
            writing->file->name, writing->model->communicator);
}

static void write_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name, *type = fth_gen_c_type(writing, variable);
    const char *buffer = fth_gen_bracketed(writing, access->buffer);
    uint32_t count = variable->dimension_count;
    (void)index;
    fth_gen_c_reason(writing, access);
    fputs("{\n", writing->to);
    fth_gen_c_arrays(writing, access, "off_t", true);
    if (access->memory) {
        fprintf(writing->to, "char *io_region = io_room(sizeof(%s), %u, io_array_count);\n", type,
                access->memory_count);
        if (access->writes)
            fprintf(writing->to,
                    "io_copy(%u, sizeof(%s), io_array, io_array_start, io_array_count, (char *)%s, "
                    "io_region, "
                    "0);\n",
                    access->memory_count, type, buffer);
    }
    fprintf(writing->to, "io_part(%s.file.descriptor, %s.%s_at, ", name, name, variable->name);
    if (fth_gen_has_unlimited(writing->model, variable))
        fprintf(writing->to, "%s.file.record", name);
    else
        fprintf(writing->to, "io_step(sizeof(%s), %u, io_lengths)", type, count);
    fprintf(writing->to, ", sizeof(%s), %u, io_lengths,\n        io_start, io_count, %s%s, %d);\n",
            type, count, access->memory ? "" : "(char *)", access->memory ? "io_region" : buffer,
            access->writes);
    if (access->memory && !access->writes)
        fprintf(writing->to,
                "io_copy(%u, sizeof(%s), io_array, io_array_start, io_array_count, (char *)%s, "
                "io_region, "
                "1);\n",
                access->memory_count, type, buffer);
    if (access->memory)
        fputs("free(io_region);\n", writing->to);
    fputs("}\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "IO_CHECK(close(%s.file.descriptor));\n", writing->file->name);
}

const struct fth_gen_emitter fth_gen_c_posix = {
    head,
    helpers,
    sizeof helpers / sizeof *helpers,
    fth_gen_c_raw_state,
    open_file,
    NULL,
    fth_gen_c_raw_variable,
    fth_gen_c_raw_attribute,
    fth_gen_c_raw_defined,
    begin_set,
    write_access,
    NULL,
    close_file,
};
