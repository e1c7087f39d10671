/* MPI-IO in C and C++: each access is a view of a part of a variable, and a call in it. */
#include "gen/emit_c/c_raw.h"

#include <string.h>

static const char head[] = "#include <limits.h>\n#include <mpi.h>\n#include <stdio.h>\n";

static const char file_state[] =
    "#define IO_OFFSET MPI_Offset\n"
    "struct io_file {\n"
    "    MPI_File file;\n"
    "    FILE *layout;          /* of rank 0, while it is written */\n"
    "    MPI_Offset end, record; /* bytes: of what has a fixed place, of a record */\n"
    "};\n";

static const char removes[] =
    "/* A file of an earlier run goes, so that nothing of it is behind what is written. */\n"
    "static void io_remove(MPI_Comm comm, int rank, const char *path)\n"
    "{\n"
    "    int code = rank == 0 ? MPI_File_delete(path, MPI_INFO_NULL) : MPI_SUCCESS, reason = "
    "MPI_SUCCESS;\n"
    "    if (code != MPI_SUCCESS)\n"
    "        IO_CHECK_MPI(MPI_Error_class(code, &reason));\n"
    "    if (reason != MPI_ERR_NO_SUCH_FILE)\n"
    "        IO_CHECK_MPI(code);\n"
    "    IO_CHECK_MPI(MPI_Barrier(comm));\n"
    "}\n";

static const char records[] =
    "/* The same part of `count` records; of none, any, as a view has at least one element. */\n"
    "static MPI_Datatype io_records(int count, MPI_Offset record, MPI_Datatype part)\n"
    "{\n"
    "    MPI_Datatype all;\n"
    "    IO_CHECK_MPI(MPI_Type_create_hvector(count ? count : 1, 1, (MPI_Aint)record, part, "
    "&all));\n"
    "    IO_CHECK_MPI(MPI_Type_commit(&all));\n"
    "    IO_CHECK_MPI(MPI_Type_free(&part));\n"
    "    return all;\n"
    "}\n";

static const char structure[] =
    "/* Elements of a structure, as they are in memory. */\n"
    "static MPI_Datatype io_bytes(size_t bytes)\n"
    "{\n"
    "    MPI_Datatype type;\n"
    "    IO_CHECK_MPI(MPI_Type_contiguous((int)bytes, MPI_BYTE, &type));\n"
    "    IO_CHECK_MPI(MPI_Type_commit(&type));\n"
    "    return type;\n"
    "}\n";

static const char arrived[] =
    "/* A file that is too short gives fewer elements than were asked for, and no error. */\n"
    "static void io_check_read(MPI_Status *status, MPI_Datatype type, int wanted, const char "
    "*name)\n"
    "{\n"
    "    int count;\n"
    "    IO_CHECK_MPI(MPI_Get_count(status, type, &count));\n"
    "    if (count == wanted)\n"
    "        return;\n"
    "    fprintf(stderr, \"%s: the file has %d of %d elements of %s\\n\", __FILE__, count, wanted, "
    "name);\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n";

static const struct fth_gen_helper helpers[] = {
    {"io_file", file_state},
    {"IO_CHECK_MPI", fth_gen_c_check_mpi},
    {"io_need", fth_gen_c_need},
    {"io_remove", removes},
    {"io_layout", fth_gen_c_raw_layout},
    {"io_define", fth_gen_c_raw_define},
    {"io_end_layout", fth_gen_c_raw_end},
    {"io_items", fth_gen_c_items},
    {"io_part", fth_gen_c_part_type},
    {"io_records", records},
    {"io_bytes", structure},
    {"io_check_read", arrived},
};

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name;
    fputs("{\n", writing->to);
    bool info = fth_gen_c_info(writing, "IO_CHECK_MPI");
    fth_gen_c_processes(writing, "IO_CHECK_MPI");
    if (session->creates)
        fprintf(writing->to, "io_remove(%s, %s.rank, %s);\n", writing->model->communicator, name,
                writing->file->path);
    fprintf(writing->to, "IO_CHECK_MPI(MPI_File_open(%s, %s, %s, %s, &%s.file.file));\n",
            writing->model->communicator, writing->file->path,
            session->creates  ? "MPI_MODE_CREATE | MPI_MODE_RDWR"
            : session->writes ? "MPI_MODE_RDWR"
                              : "MPI_MODE_RDONLY",
            info ? "io_info" : "MPI_INFO_NULL", name);
    if (info)
        fputs("IO_CHECK_MPI(MPI_Info_free(&io_info));\n", writing->to);
    fth_gen_c_raw_open(writing, session->creates);
    fputs("}\n", writing->to);
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    const char *name = writing->file->name;
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind sync, barrier, sync.");
    fprintf(writing->to,
            "IO_CHECK_MPI(MPI_File_sync(%s.file.file));\nIO_CHECK_MPI(MPI_Barrier(%s));\n"
            "IO_CHECK_MPI(MPI_File_sync(%s.file.file));\n",
            name, writing->model->communicator, name);
}

static void write_call(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       const char *type)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    fprintf(writing->to, "%sIO_CHECK_MPI(MPI_File_%s%s(%s.file.file, %s, ",
            access->writes ? "" : "MPI_Status io_status;\n", access->writes ? "write" : "read",
            access->choice.collective ? "_all" : "", name, access->buffer);
    fprintf(writing->to, "%s, %s, %s));\n", access->memory ? "io_number > 0" : "io_number",
            access->memory ? "io_memory" : type,
            access->writes ? "MPI_STATUS_IGNORE" : "&io_status");
    if (!access->writes)
        fprintf(writing->to, "io_check_read(&io_status, %s, io_number, \"%s\");\n", type,
                variable->name);
}

static void write_view(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                       const char *type)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    uint32_t count = variable->dimension_count;
    bool grows = fth_gen_has_unlimited(writing->model, variable);
    if (!grows)
        fprintf(writing->to,
                "MPI_Datatype io_region = io_part(%u, io_lengths, io_count, io_start, %s);\n",
                count, type);
    else if (count == 1)
        fprintf(writing->to,
                "const int io_one[] = {1}, io_zero[] = {0};\n"
                "MPI_Datatype io_region = io_records(io_count[0], %s.file.record, io_part(1, "
                "io_one, io_one, "
                "io_zero, %s));\n",
                name, type);
    else
        fprintf(writing->to,
                "MPI_Datatype io_region = io_records(io_count[0], %s.file.record,\n"
                "                               io_part(%u, io_lengths + 1, io_count + 1, io_start "
                "+ 1, %s));\n",
                name, count - 1, type);
    fprintf(writing->to, "IO_CHECK_MPI(MPI_File_set_view(%s.file.file, %s.%s_at", name, name,
            variable->name);
    if (grows)
        fprintf(writing->to, " + io_start[0] * %s.file.record", name);
    fprintf(writing->to, ", %s, io_region, \"native\", MPI_INFO_NULL));\n", type);
}

static void write_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *type = variable->type ? variable->type->mpi : "io_item";
    (void)index;
    fth_gen_c_reason(writing, access);
    fputs("{\n", writing->to);
    bool single = fth_gen_has_unlimited(writing->model, variable) && variable->dimension_count == 1;
    fth_gen_c_arrays(writing, access, "int", !single);
    fprintf(writing->to, "const int io_number = io_items(%u, io_count);\n",
            variable->dimension_count);
    if (variable->compound)
        fprintf(writing->to, "MPI_Datatype io_item = io_bytes(sizeof(%s));\n",
                fth_gen_c_type(writing, variable));
    write_view(writing, access, type);
    if (access->memory)
        fprintf(
            writing->to,
            "MPI_Datatype io_memory = io_part(%u, io_array, io_array_count, io_array_start, %s);\n",
            access->memory_count, type);
    write_call(writing, access, type);
    if (access->memory)
        fputs("IO_CHECK_MPI(MPI_Type_free(&io_memory));\n", writing->to);
    fputs("IO_CHECK_MPI(MPI_Type_free(&io_region));\n", writing->to);
    if (variable->compound)
        fputs("IO_CHECK_MPI(MPI_Type_free(&io_item));\n", writing->to);
    fputs("}\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    (void)session;
    fprintf(writing->to, "IO_CHECK_MPI(MPI_File_close(&%s.file.file));\n", writing->file->name);
}

const struct fth_gen_emitter fth_gen_c_mpiio = {
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
