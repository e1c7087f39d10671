/* HDF5 in C and C++: datasets, hyperslabs, collective or independent transfer. What grows is
 * chunked. */
#include "gen/emit_c/c_parts.h"

#include <string.h>

static const char head[] = "#include <hdf5.h>\n#include <mpi.h>\n#include <stdio.h>\n";

static const char check[] = "static hid_t io_check(hid_t result, const char *call, int line)\n"
                            "{\n"
                            "    if (result >= 0)\n"
                            "        return result;\n"
                            "    fprintf(stderr, \"%s:%d: %s failed\\n\", __FILE__, line, call);\n"
                            "    H5Eprint2(H5E_DEFAULT, stderr);\n"
                            "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
                            "    return result;\n"
                            "}\n"
                            "#define IO_CHECK(call) io_check(call, #call, __LINE__)\n";

static const char transfer[] =
    "/* How data is moved: by all processes together, or by each alone. */\n"
    "static hid_t io_transfer(H5FD_mpio_xfer_t mode)\n"
    "{\n"
    "    hid_t transfer = IO_CHECK(H5Pcreate(H5P_DATASET_XFER));\n"
    "    IO_CHECK(H5Pset_dxpl_mpio(transfer, mode));\n"
    "    return transfer;\n"
    "}\n";

static const char part[] =
    "/* A part of a dataset in the file, for its owner to close. */\n"
    "static hid_t io_part(hid_t dataset, const hsize_t *start, const hsize_t *count)\n"
    "{\n"
    "    hid_t part = IO_CHECK(H5Dget_space(dataset));\n"
    "    IO_CHECK(H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL));\n"
    "    return part;\n"
    "}\n";

static const char dataset[] =
    "static hid_t io_dataset(hid_t file, const char *name, hid_t type, int dimensions,\n"
    "                        const hsize_t *lengths)\n"
    "{\n"
    "    hid_t space = IO_CHECK(H5Screate_simple(dimensions, lengths, NULL));\n"
    "    hid_t made = IO_CHECK(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, "
    "H5P_DEFAULT));\n"
    "    IO_CHECK(H5Sclose(space));\n"
    "    return made;\n"
    "}\n";

static const char growing[] =
    "/* One whose slowest dimension grows from 0. */\n"
    "static hid_t io_growing_dataset(hid_t file, const char *name, hid_t type, int dimensions,\n"
    "                                const hsize_t *lengths, const hsize_t *chunk)\n"
    "{\n"
    "    hsize_t most[H5S_MAX_RANK];\n"
    "    for (int i = 0; i < dimensions; i++)\n"
    "        most[i] = lengths[i];\n"
    "    most[0] = H5S_UNLIMITED;\n"
    "    hid_t creation = IO_CHECK(H5Pcreate(H5P_DATASET_CREATE));\n"
    "    IO_CHECK(H5Pset_chunk(creation, dimensions, chunk));\n"
    "    hid_t space = IO_CHECK(H5Screate_simple(dimensions, lengths, most));\n"
    "    hid_t made = IO_CHECK(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, "
    "H5P_DEFAULT));\n"
    "    IO_CHECK(H5Sclose(space));\n"
    "    IO_CHECK(H5Pclose(creation));\n"
    "    return made;\n"
    "}\n";

static const char extend[] =
    "/* Makes the slowest dimension as long as what all processes write. */\n"
    "static void io_extend(MPI_Comm comm, hid_t dataset, hsize_t end)\n"
    "{\n"
    "    unsigned long long own = end, needed;\n"
    "    hsize_t lengths[H5S_MAX_RANK];\n"
    "    IO_CHECK_MPI(MPI_Allreduce(&own, &needed, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, comm));\n"
    "    hid_t space = IO_CHECK(H5Dget_space(dataset));\n"
    "    IO_CHECK(H5Sget_simple_extent_dims(space, lengths, NULL));\n"
    "    IO_CHECK(H5Sclose(space));\n"
    "    if (lengths[0] >= needed)\n"
    "        return;\n"
    "    lengths[0] = needed;\n"
    "    IO_CHECK(H5Dset_extent(dataset, lengths));\n"
    "}\n";

static const char attribute_text[] =
    "static void io_attribute(hid_t object, const char *name, hid_t type, hsize_t count,\n"
    "                         const void *values)\n"
    "{\n"
    "    hid_t space = IO_CHECK(H5Screate_simple(1, &count, NULL));\n"
    "    hid_t attribute = IO_CHECK(H5Acreate2(object, name, type, space, H5P_DEFAULT, "
    "H5P_DEFAULT));\n"
    "    IO_CHECK(H5Awrite(attribute, type, values));\n"
    "    IO_CHECK(H5Aclose(attribute));\n"
    "    IO_CHECK(H5Sclose(space));\n"
    "}\n";

static const char text_attribute[] =
    "static void io_text_attribute(hid_t object, const char *name, const char *text)\n"
    "{\n"
    "    hid_t type = IO_CHECK(H5Tcopy(H5T_C_S1)), space = IO_CHECK(H5Screate(H5S_SCALAR));\n"
    "    IO_CHECK(H5Tset_size(type, strlen(text) + 1));\n"
    "    hid_t attribute = IO_CHECK(H5Acreate2(object, name, type, space, H5P_DEFAULT, "
    "H5P_DEFAULT));\n"
    "    IO_CHECK(H5Awrite(attribute, type, text));\n"
    "    IO_CHECK(H5Aclose(attribute));\n"
    "    IO_CHECK(H5Sclose(space));\n"
    "    IO_CHECK(H5Tclose(type));\n"
    "}\n";

static const struct fth_gen_helper helpers[] = {
    {"IO_CHECK", check},
    {"IO_CHECK_MPI", fth_gen_c_check_mpi},
    {"io_need", fth_gen_c_need},
    {"io_transfer", transfer},
    {"io_part", part},
    {"io_dataset", dataset},
    {"io_growing_dataset", growing},
    {"io_extend", extend},
    {"io_attribute", attribute_text},
    {"strlen", "#include <string.h>\n"},
    {"io_text_attribute", text_attribute},
};

static void write_state(const struct fth_gen_writing *writing)
{
    const struct fth_gen_file *file = writing->file;
    fprintf(writing->to,
            "static struct {\n    hid_t file, collective, independent;\n    int rank;\n");
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        fprintf(writing->to, "    hid_t %s_set;\n", variable->name);
        if (variable->compound)
            fprintf(writing->to, "    hid_t %s_type;\n", variable->name);
    }
    fprintf(writing->to, "} %s;\n", file->name);
}

static void put_type(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable)
{
    if (variable->type)
        fputs(variable->type->hdf5, writing->to);
    else
        fprintf(writing->to, "%s.%s_type", writing->file->name, variable->name);
}

static void open_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const char *name = writing->file->name, *path = writing->file->path;
    fputs("{\n", writing->to);
    bool info = fth_gen_c_info(writing, "IO_CHECK_MPI");
    fputs("hid_t io_access = IO_CHECK(H5Pcreate(H5P_FILE_ACCESS));\n", writing->to);
    fprintf(writing->to, "IO_CHECK(H5Pset_fapl_mpio(io_access, %s, %s));\n",
            writing->model->communicator, info ? "io_info" : "MPI_INFO_NULL");
    fputs(
        "IO_CHECK(H5Pset_all_coll_metadata_ops(io_access, 1)); /* one process reads it for all */\n"
        "IO_CHECK(H5Pset_coll_metadata_write(io_access, 1));\n",
        writing->to);
    if (writing->file->align && session->creates)
        fprintf(writing->to,
                "IO_CHECK(H5Pset_alignment(io_access, %llu, %llu)); /* of the options */\n",
                (unsigned long long)writing->file->align, (unsigned long long)writing->file->align);
    if (session->creates)
        fprintf(writing->to,
                "%s.file = IO_CHECK(H5Fcreate(%s, H5F_ACC_TRUNC, H5P_DEFAULT, io_access));\n", name,
                path);
    else
        fprintf(writing->to, "%s.file = IO_CHECK(H5Fopen(%s, %s, io_access));\n", name, path,
                session->writes ? "H5F_ACC_RDWR" : "H5F_ACC_RDONLY");
    fputs("IO_CHECK(H5Pclose(io_access));\n", writing->to);
    if (info)
        fputs("IO_CHECK_MPI(MPI_Info_free(&io_info));\n", writing->to);
    fprintf(writing->to,
            "%s.collective = io_transfer(H5FD_MPIO_COLLECTIVE);\n"
            "%s.independent = io_transfer(H5FD_MPIO_INDEPENDENT);\n",
            name, name);
    fth_gen_c_processes(writing, "IO_CHECK_MPI");
    fputs("}\n", writing->to);
}

static void write_compound(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    const struct fth_gen_compound *compound = variable->compound;
    const char *type = fth_gen_c_type(writing, variable), *name = writing->file->name;
    fprintf(writing->to, "%s.%s_type = IO_CHECK(H5Tcreate(H5T_COMPOUND, sizeof(%s)));\n", name,
            variable->name, type);
    for (uint32_t i = 0; i < compound->member_count; i++) {
        const struct fth_gen_member *member = &compound->members[i];
        bool array = member->length > 1;
        if (array)
            fprintf(writing->to,
                    "{\nconst hsize_t io_length = %llu;\nhid_t io_array_type = "
                    "IO_CHECK(H5Tarray_create2(%s, 1, &io_length));\n",
                    (unsigned long long)member->length, member->type->hdf5);
        fprintf(writing->to, "IO_CHECK(H5Tinsert(%s.%s_type, \"%s\", HOFFSET(%s, %s), %s));\n",
                name, variable->name, member->name, type, member->name,
                array ? "io_array_type" : member->type->hdf5);
        if (array)
            fputs("IO_CHECK(H5Tclose(io_array_type));\n}\n", writing->to);
    }
}

static void write_variable(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable)
{
    const char *name = writing->file->name;
    bool grows = fth_gen_has_unlimited(writing->model, variable);
    if (variable->compound)
        write_compound(writing, variable);
    fputs("{\n", writing->to);
    fth_gen_c_lengths(writing, variable, "hsize_t", "0");
    if (grows)
        fth_gen_c_chunk(writing, variable, "hsize_t");
    fprintf(writing->to, "%s.%s_set = io_%s(%s.file, \"%s\", ", name, variable->name,
            grows ? "growing_dataset" : "dataset", name, variable->name);
    put_type(writing, variable);
    fprintf(writing->to, ", %u, io_lengths%s);\n}\n", variable->dimension_count,
            grows ? ", io_chunk" : "");
}

static void write_attribute(const struct fth_gen_writing *writing,
                            const struct fth_gen_attribute *attribute)
{
    char object[256];
    snprintf(object, sizeof object, "%s.%s%s", writing->file->name,
             attribute->variable < 0 ? "file" : writing->model->variables[attribute->variable].name,
             attribute->variable < 0 ? "" : "_set");
    if (!strcmp(attribute->type->name, "char")) {
        fprintf(writing->to, "io_text_attribute(%s, \"%s\", %s);\n", object, attribute->name,
                attribute->values[0]);
        return;
    }
    fprintf(writing->to, "{\nconst %s io_values[] = {", attribute->type->in_c);
    for (uint32_t i = 0; i < attribute->value_count; i++)
        fprintf(writing->to, "%s%s", i ? ", " : "", fth_gen_text(writing, attribute->values[i]));
    fprintf(writing->to, "};\nio_attribute(%s, \"%s\", %s, %u, io_values);\n}\n", object,
            attribute->name, attribute->type->hdf5, attribute->value_count);
}

static void end_definition(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    for (uint32_t i = 0; i < file->variables.count && !session->creates; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        if (variable->compound)
            write_compound(writing, variable);
        fprintf(writing->to, "%s.%s_set = IO_CHECK(H5Dopen2(%s.file, \"%s\", H5P_DEFAULT));\n",
                file->name, variable->name, file->name, variable->name);
    }
}

static void begin_set(const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    (void)set;
    if (!writing->after_writes)
        return;
    fth_gen_comment(writing, "What others have written is seen behind flush and barrier.");
    fprintf(writing->to,
            "IO_CHECK(H5Fflush(%s.file, H5F_SCOPE_GLOBAL));\nIO_CHECK_MPI(MPI_Barrier(%s));\n"
            "IO_CHECK(H5Fflush(%s.file, H5F_SCOPE_GLOBAL));\n",
            writing->file->name, writing->model->communicator, writing->file->name);
}

static void write_access(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                         uint32_t index)
{
    const struct fth_gen_variable *variable = &writing->model->variables[access->variable];
    const char *name = writing->file->name;
    (void)index;
    fth_gen_c_reason(writing, access);
    fputs("{\n", writing->to);
    fth_gen_c_arrays(writing, access, "hsize_t", false);
    if (access->writes && fth_gen_has_unlimited(writing->model, variable))
        fprintf(writing->to,
                "io_extend(%s, %s.%s_set, io_count[0] ? io_start[0] + io_count[0] : 0);\n",
                writing->model->communicator, name, variable->name);
    if (access->memory)
        fprintf(writing->to,
                "hid_t io_memory = IO_CHECK(H5Screate_simple(%u, io_array, NULL));\n"
                "IO_CHECK(H5Sselect_hyperslab(io_memory, H5S_SELECT_SET, io_array_start, NULL, "
                "io_array_count, NULL));\n",
                access->memory_count);
    else
        fprintf(writing->to, "hid_t io_memory = IO_CHECK(H5Screate_simple(%u, io_count, NULL));\n",
                variable->dimension_count);
    fprintf(writing->to, "hid_t io_region = io_part(%s.%s_set, io_start, io_count);\n", name,
            variable->name);
    fprintf(writing->to, "IO_CHECK(H5D%s(%s.%s_set, ", access->writes ? "write" : "read", name,
            variable->name);
    put_type(writing, variable);
    fprintf(writing->to, ", io_memory, io_region, %s.%s, %s));\n", name,
            access->choice.collective ? "collective" : "independent", access->buffer);
    fputs("IO_CHECK(H5Sclose(io_region));\nIO_CHECK(H5Sclose(io_memory));\n}\n", writing->to);
}

static void close_file(const struct fth_gen_writing *writing, const struct fth_gen_session *session)
{
    const struct fth_gen_file *file = writing->file;
    (void)session;
    for (uint32_t i = 0; i < file->variables.count; i++) {
        const struct fth_gen_variable *variable =
            &writing->model->variables[file->variable_numbers[i]];
        fprintf(writing->to, "IO_CHECK(H5Dclose(%s.%s_set));\n", file->name, variable->name);
        if (variable->compound)
            fprintf(writing->to, "IO_CHECK(H5Tclose(%s.%s_type));\n", file->name, variable->name);
    }
    fprintf(writing->to,
            "IO_CHECK(H5Pclose(%s.collective));\nIO_CHECK(H5Pclose(%s.independent));\n"
            "IO_CHECK(H5Fclose(%s.file));\n",
            file->name, file->name, file->name);
}

const struct fth_gen_emitter fth_gen_c_hdf5 = {
    head,           helpers,         sizeof helpers / sizeof *helpers,
    write_state,    open_file,       NULL,
    write_variable, write_attribute, end_definition,
    begin_set,      write_access,    NULL,
    close_file,
};
