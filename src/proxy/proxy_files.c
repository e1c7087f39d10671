/* What stands around the functions of the program, and beside it. */
#include "proxy/proxy_files.h"

#include "base/memory.h"
#include "proxy/programs_text.h"
#include "proxy/threads_text.h"
#include "proxy/run_arguments.h"
#include "proxy/plain_paths.h"
#include "proxy/rank_range.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <string.h>

/* The headers of a library; what finds it in CMake. */
struct library {
    const char *layer, *headers, *cmake;
    const char *more; /* headers that not all versions have */
};
static const struct library libraries[] = {
    {"mpi", "mpi.h",
     "find_package(MPI REQUIRED COMPONENTS C)\n"
     "target_link_libraries(proxy PRIVATE MPI::MPI_C)\n",
     ""},
    {"hdf5", "hdf5.h",
     "set(HDF5_PREFER_PARALLEL %s)\n"
     "find_package(HDF5 REQUIRED COMPONENTS C)\n"
     "target_include_directories(proxy PRIVATE ${HDF5_C_INCLUDE_DIRS})\n"
     "target_link_libraries(proxy PRIVATE ${HDF5_C_LIBRARIES})\n",
     ""},
    {"netcdf", "netcdf.h",
     "find_package(PkgConfig REQUIRED)\n"
     "pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)\n"
     "target_link_libraries(proxy PRIVATE PkgConfig::NETCDF)\n",
     "#if __has_include(<netcdf_filter.h>)\n"
     "#include <netcdf_filter.h>\n"
     "#endif\n"
     "#if __has_include(<netcdf_aux.h>)\n"
     "#include <netcdf_aux.h>\n"
     "#endif\n"},
    {"pnetcdf", "pnetcdf.h",
     "find_library(PNETCDF pnetcdf REQUIRED)\n"
     "target_link_libraries(proxy PRIVATE ${PNETCDF})\n",
     ""},
};

/* A layer, or a kind of calls. */
static bool uses(const struct fth_writing *writing, const char *word)
{
    return fth_interned_before(&writing->used, word, strlen(word));
}

static bool uses_library(const struct fth_writing *writing, const struct library *library)
{
    bool mpi = !strcmp(library->layer, "mpi");
    return mpi ? writing->rank_count > 0 : uses(writing, library->layer);
}

static void put_headers(struct fth_writing *writing, FILE *to)
{
    const struct {
        bool is_needed;
        const char *name;
    } headers[] = {
        {writing->needs & FTH_NEEDS_BLOCKS, "aio.h"},
        {uses(writing, "list"), "dirent.h"},
        {uses(writing, FTH_WRITING_CHECK) || writing->needs & FTH_NEEDS_BLOCKS ||
             fth_proxy_has_parameters(writing),
         "errno.h"},
        {true, "fcntl.h"},
        {fth_proxy_has_parameters(writing), "limits.h"},
        {writing->threads, "pthread.h"},
        {writing->needs & FTH_NEEDS_NAME, "stdarg.h"},
        {true, "stdio.h"},
        {true, "stdlib.h"},
        {true, "string.h"},
        {uses(writing, "lock"), "sys/file.h"},
        {uses(writing, FTH_WRITING_COPIES), "sys/sendfile.h"},
        {writing->slots, "sys/prctl.h"},
        {true, "sys/stat.h"},
        {uses(writing, "stat"), "sys/statvfs.h"},
        {uses(writing, "permission"), "sys/time.h"},
        {writing->needs & FTH_NEEDS_PIECES, "sys/uio.h"},
        {uses(writing, "stat"), "sys/vfs.h"},
        {writing->slots, "sys/wait.h"},
        {uses(writing, "stat") || uses(writing, "permission"), "sys/xattr.h"},
        {writing->needs & FTH_NEEDS_COMPUTE, "time.h"},
        {true, "unistd.h"},
        {uses(writing, "permission"), "utime.h"},
    };
    fputs("#define _GNU_SOURCE\n", to);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (headers[i].is_needed)
            fprintf(to, "#include <%s>\n", headers[i].name);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (uses_library(writing, &libraries[i]))
            fprintf(to, "#include <%s>\n%s", libraries[i].headers, libraries[i].more);
}

static const char about[] =
    "/* What a recorded run did with its files, as a program of its own: the same calls with the\n"
    " * same sizes and places, on files below the folder in which it is started, with contents of\n"
    " * its own. Made by `fathom proxy`. Build it with CMake%s. */\n";

static const char run[] = "\nstruct run {\n"
                          "    long start, stride, count;\n"
                          "};\n"
                          "struct series {\n"
                          "    const struct run *run;\n"
                          "    long at, done;\n"
                          "};\n";

static const char next_series[] =
    "\n/* The next number of a series; after the last one, the first again. */\n"
    "static long next(struct series *series)\n"
    "{\n"
    "    const struct run *run = &series->run[series->at];\n"
    "    if (series->done == run->count) {\n"
    "        series->at = run[1].count ? series->at + 1 : 0;\n"
    "        series->done = 0;\n"
    "        run = &series->run[series->at];\n"
    "    }\n"
    "    return run->start + run->stride * series->done++;\n"
    "}\n";

static const char failed[] =
    "\n/* Ends the program if a call has failed that did not fail in the run. */\n"
    "static void failed(const char *call, int line, const char *why)\n"
    "{\n"
    "    fprintf(stderr, \"line %d: %s%s%s\\n\", line, call, *why ? \": \" : \"\", why);\n"
    "    exit(1);\n"
    "}\n";

/* A macro and what it needs. */
struct check {
    const char *name, *text;
};
static const struct check checks[] = {
    {FTH_WRITING_CHECK,
     "/* Less than expected is no error that has a number. */\n"
     "static const char *reason(void)\n"
     "{\n"
     "    return errno ? strerror(errno) : \"the system reports no error\";\n"
     "}\n"
     "#define CHECK(good) ((errno = 0, (good)) ? (void)0 : failed(#good, __LINE__, reason()))\n"},
    {FTH_WRITING_CHECK_LIBRARY, "/* HDF5 itself prints what is wrong. */\n"
                                "#define CHECK_LIBRARY(good) ((good) ? (void)0 : failed(#good, "
                                "__LINE__, \"failed\"))\n"},
    {FTH_WRITING_CHECK_CODE, "static void check_code(int code, const char *call, int line)\n"
                             "{\n"
                             "    if (code)\n"
                             "        failed(call, line, strerror(code));\n"
                             "}\n"
                             "#define CHECK_CODE(call) check_code(call, #call, __LINE__)\n"},
    {FTH_WRITING_CHECK_MPI, "static void check_mpi(int code, const char *call, int line)\n"
                            "{\n"
                            "    char why[MPI_MAX_ERROR_STRING] = \"\";\n"
                            "    int length;\n"
                            "    if (code == MPI_SUCCESS)\n"
                            "        return;\n"
                            "    MPI_Error_string(code, why, &length);\n"
                            "    failed(call, line, why);\n"
                            "}\n"
                            "#define CHECK_MPI(call) check_mpi(call, #call, __LINE__)\n"},
    {FTH_WRITING_CHECK_NETCDF, "static void check_nc(int code, const char *call, int line)\n"
                               "{\n"
                               "    if (code)\n"
                               "        failed(call, line, nc_strerror(code));\n"
                               "}\n"
                               "#define CHECK_NC(call) check_nc(call, #call, __LINE__)\n"},
    {FTH_WRITING_CHECK_PNETCDF, "static void check_ncmpi(int code, const char *call, int line)\n"
                                "{\n"
                                "    if (code)\n"
                                "        failed(call, line, ncmpi_strerror(code));\n"
                                "}\n"
                                "#define CHECK_NCMPI(call) check_ncmpi(call, #call, __LINE__)\n"},
};

static void put_checks(const struct fth_writing *writing, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!uses(writing, checks[i].name))
            continue;
        if (!any)
            fputs(failed, to);
        fputs(checks[i].text, to);
        any = true;
    }
}

static const char name[] =
    "\n/* A name with numbers in it. The last four are kept. */\n"
    "__attribute__((format(printf, 1, 2))) static const char *name(const char *format, ...)\n"
    "{\n"
    "    static char names[4][4096];\n"
    "    static unsigned last;\n"
    "    char *text = names[last++ % 4];\n"
    "    va_list numbers;\n"
    "    va_start(numbers, format);\n"
    "    vsnprintf(text, sizeof names[0], format, numbers);\n"
    "    va_end(numbers);\n"
    "    return text;\n"
    "}\n";

static const char text[] = "\n/* A text of so many characters. */\n"
                           "static const char *text(long length)\n"
                           "{\n"
                           "    return (char *)buffer + BUFFER_BYTES - length;\n"
                           "}\n";

static const char pieces[] =
    "\n/* A vector of so many bytes, in equal parts. */\n"
    "static const struct iovec *pieces(long bytes, long count)\n"
    "{\n"
    "    static struct iovec piece[1024];\n"
    "    for (long i = 0; i < count; i++)\n"
    "        piece[i] = (struct iovec){buffer, (size_t)(bytes / count + (i < bytes % count))};\n"
    "    return piece;\n"
    "}\n";

static const char put[] =
    "\n/* Bytes that came to a stream without a call, as macros put them into its buffer. */\n"
    "static void put(FILE *to, long bytes)\n"
    "{\n"
    "    while (bytes-- > 0)\n"
    "        if (to->_IO_write_ptr < to->_IO_write_end)\n"
    "            *to->_IO_write_ptr++ = 'x';\n"
    "        else\n"
    "            putc_unlocked('x', to);\n"
    "}\n";

static const char take[] =
    "\n/* What is left in its buffer was read without a call, as macros do. */\n"
    "static FILE *read_up(FILE *from)\n"
    "{\n"
    "    from->_IO_read_ptr = from->_IO_read_end;\n"
    "    return from;\n"
    "}\n";

static const char blocks[] =
    "\n/* An operation that begins; and one whose result is asked for, which is waited for. */\n"
    "static void *control(struct aiocb *block, int at, long offset, long bytes)\n"
    "{\n"
    "    *block = (struct aiocb){.aio_fildes = at,\n"
    "                            .aio_offset = offset,\n"
    "                            .aio_buf = buffer,\n"
    "                            .aio_nbytes = (size_t)bytes};\n"
    "    return block;\n"
    "}\n"
    "static void *ended(struct aiocb *block)\n"
    "{\n"
    "    const struct aiocb *list[] = {block};\n"
    "    while (aio_error(block) == EINPROGRESS)\n"
    "        aio_suspend(list, 1, NULL);\n"
    "    return block;\n"
    "}\n";

static const char compute[] =
    "\n/* Keeps the processor busy, as the run did between two calls on average. */\n"
    "static void compute(double seconds)\n"
    "{\n"
    "    struct timespec start, now;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &start);\n"
    "    do\n"
    "        clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "    while ((double)(now.tv_sec - start.tv_sec) +\n"
    "               (double)(now.tv_nsec - start.tv_nsec) / 1e9 <\n"
    "           seconds);\n"
    "}\n";

static void put_variable(const struct fth_written_class *of, const char *storage,
                         const char *prefix, uint32_t most, FILE *to)
{
    if (!most || !of->type)
        return;
    bool pointer = of->type[strlen(of->type) - 1] == '*';
    fprintf(to, "static %s%s%s%s%s", storage, of->type, pointer ? "" : " ", prefix, of->name);
    if (most > 1)
        fprintf(to, "[%u]", (unsigned)most);
    fputs(";\n", to);
}

static void put_variables(const struct fth_writing *writing, FILE *to)
{
    fputs("\n", to);
    for (uint32_t i = 0; i < writing->class_limit; i++) {
        const struct fth_written_class *of = &writing->classes[i];
        put_variable(of, fth_proxy_of_thread(writing), "", of->most, to);
        put_variable(of, "", "shared_", of->most_shared, to);
    }
    if (writing->settings->grows)
        fputs("static long sizes = 1; /* they are so many times as large */\n", to);
    if (writing->needs & FTH_NEEDS_BUFFER)
        fprintf(to,
                writing->settings->grows ? "#define BUFFER_BYTES (%" PRIu64 " * (size_t)sizes)\n"
                                           "static void *buffer%s;\n"
                                         : "enum { BUFFER_BYTES = %" PRIu64 " };\n"
                                           "static void *buffer%s;\n",
                writing->buffer_bytes, writing->needs & FTH_NEEDS_OTHER ? ", *other" : "");
    if (writing->needs & FTH_NEEDS_LINE)
        fprintf(to, "static %schar *line;\nstatic %ssize_t line_room;\n",
                fth_proxy_of_thread(writing), fth_proxy_of_thread(writing));
    for (uint32_t i = 1; i <= writing->unused; i++)
        fprintf(to, "%s_%u%s", i == 1 ? "static void *unused" : ", *unused", (unsigned)i,
                i < writing->unused ? "" : "; /* results that nobody reads */\n");
    if (writing->rank_count > 0)
        fprintf(to, "static int own_rank;\nstatic long rank%s;\n",
                writing->needs & FTH_NEEDS_SIZE ? ", ranks" : "");
    if (writing->needs & FTH_NEEDS_STEPS)
        fprintf(to, "static long steps = %u;\n", (unsigned)writing->steps);
}

static const char draw[] =
    "\n/* A number as often as it was in the run. */\n"
    "static long draw(const struct share *share)\n"
    "{\n"
    "    static unsigned long random = 1;\n"
    "    unsigned long all = 0, drawn;\n"
    "    for (const struct share *one = share; one->count; one++)\n"
    "        all += (unsigned long)one->count;\n"
    "    random = random * 6364136223846793005UL + 1442695040888963407UL;\n"
    "    for (drawn = (random >> 16) % all; drawn >= (unsigned long)share->count; share++)\n"
    "        drawn -= (unsigned long)share->count;\n"
    "    unsigned long values = (unsigned long)(share->most - share->least) + 1;\n"
    "    return share->least + (long)((random >> 20) % values);\n"
    "}\n";

static void put_helpers(const struct fth_writing *writing, FILE *to)
{
    put_checks(writing, to);
    fth_proxy_put_program_helpers(writing, to);
    fth_proxy_put_argument_helper(writing, to);
    if (writing->needs & FTH_NEEDS_NEXT)
        fputs(next_series, to);
    if (writing->needs & FTH_NEEDS_DRAW)
        fth_proxy_put_for_threads(writing, draw, to);
    if (writing->needs & FTH_NEEDS_NAME)
        fth_proxy_put_for_threads(writing, name, to);
    if (writing->needs & FTH_NEEDS_TEXT)
        fputs(text, to);
    if (writing->needs & FTH_NEEDS_PIECES)
        fth_proxy_put_for_threads(writing, pieces, to);
    if (writing->needs & FTH_NEEDS_BLOCKS)
        fputs(blocks, to);
    if (writing->needs & FTH_NEEDS_PUT)
        fputs(put, to);
    if (writing->needs & FTH_NEEDS_TAKE)
        fputs(take, to);
    if (writing->needs & FTH_NEEDS_COMPUTE)
        fputs(compute, to);
}

/* NetCDF refuses numbers that do not fit into another type; 0 fits into all. */
static bool is_zero(const struct fth_writing *writing)
{
    return fth_proxy_converts(writing) && !(writing->needs & FTH_NEEDS_TEXT);
}

static void put_main(const struct fth_writing *writing, FILE *to)
{
    bool any =
        fth_proxy_has_parameters(writing) || writing->needs & (FTH_NEEDS_BECOME | FTH_NEEDS_SPAWN);
    fprintf(to, "\nint main(%s)\n{\n", any ? "int count, char **arguments" : "void");
    fth_proxy_put_parameters(writing, to);
    if (writing->needs & FTH_NEEDS_BUFFER)
        fputs("    buffer = calloc(1, BUFFER_BYTES + 1);\n", to);
    if (writing->needs & FTH_NEEDS_OTHER)
        fputs("    other = calloc(1, BUFFER_BYTES + 1);\n", to);
    fth_proxy_put_memory_check(writing, to);
    if (writing->needs & FTH_NEEDS_BUFFER && !is_zero(writing))
        fputs(writing->settings->grows ? "    if (buffer)\n"
                                         "        memset(buffer, 'x', BUFFER_BYTES);\n"
                                       : "    memset(buffer, 'x', BUFFER_BYTES);\n",
              to);
    for (uint32_t i = 1; i <= writing->unused; i++)
        fprintf(to, "    unused_%u = calloc(1, 1 << 16);\n", (unsigned)i);
    fth_proxy_put_program_begin(writing, to);
    if (!writing->rank_count)
        fth_proxy_put_parameters_check(writing, to);
    fputs(writing->main.text, to);
    fth_proxy_put_program_end(writing, to);
    fputs("    return 0;\n}\n", to);
}

static void put_left_out(const struct fth_proxy_summary *summary, FILE *to)
{
    for (size_t i = 0; i < summary->left_out_count; i++) {
        const struct fth_proxy_left_out *left = &summary->left_out[i];
        fprintf(to, "/* Left out: %" PRIu64 " %s of %s: %s. */\n", left->calls,
                left->calls == 1 ? "call" : "calls", left->function->name, left->why);
    }
}

static void put_ranks(const struct fth_writing *writing, FILE *to)
{
    if (!writing->rank_count)
        return;
    char *range = fth_proxy_ranks_text(writing);
    fprintf(to, "/* The run had %" PRId64 " %s; it can be started with %s%s%s. */\n",
            writing->rank_count, writing->rank_count == 1 ? "rank" : "ranks", range,
            writing->why_ranks ? ", because " : "", writing->why_ranks ? writing->why_ranks : "");
    free(range);
}

/* What is behind the main loop was made with the steps of the run. */
static void put_steps(const struct fth_writing *writing, FILE *to)
{
    if (writing->needs & FTH_NEEDS_STEPS)
        fprintf(
            to,
            "/* Its steps are a parameter: the run had %u. Names and numbers outside of the loop\n"
            " * of the steps are those of the run, also where they depend on how many there are:\n"
            " * with fewer steps a call behind the loop may miss what a step would have made. */\n",
            (unsigned)writing->steps);
}

static char *write_source(struct fth_writing *writing, const struct fth_proxy_summary *summary)
{
    struct fth_growing_text source;
    fth_growing_text_open(&source);
    fprintf(source.file, about,
            !summary->prepares ? ""
            : summary->foreign ? "; prepare.sh makes or names the files that have to be there"
                               : "; prepare.sh makes the files that have to be there");
    put_ranks(writing, source.file);
    put_steps(writing, source.file);
    put_left_out(summary, source.file);
    put_headers(writing, source.file);
    if (*writing->tables.text)
        fputs("#include \"tables.h\"\n", source.file);
    if (*writing->declarations.text)
        fprintf(source.file, "\n%s", writing->declarations.text);
    put_variables(writing, source.file);
    put_helpers(writing, source.file);
    fputs(writing->functions.text, source.file);
    put_main(writing, source.file);
    fth_growing_text_end(&source);
    return source.text;
}

static char *write_tables(const struct fth_writing *writing)
{
    if (!*writing->tables.text)
        return NULL;
    struct fth_growing_text tables;
    fth_growing_text_open(&tables);
    fputs("/* Numbers of the program that follow no rule. Runs are start, stride, count. */\n",
          tables.file);
    if (writing->needs & FTH_NEEDS_NEXT)
        fputs(run, tables.file);
    if (writing->needs & FTH_NEEDS_DRAW)
        fputs("\nstruct share {\n    long least, most, count;\n};\n", tables.file);
    fprintf(tables.file, "\n%s", writing->tables.text);
    fth_growing_text_end(&tables);
    return tables.text;
}

static char *write_cmake(const struct fth_writing *writing)
{
    struct fth_growing_text cmake;
    fth_growing_text_open(&cmake);
    fputs("cmake_minimum_required(VERSION 3.16)\n"
          "project(proxy C)\n"
          "set(CMAKE_C_STANDARD 11)\n"
          "add_executable(proxy proxy.c)\n"
          "target_compile_options(proxy PRIVATE -Wall -Wextra)\n",
          cmake.file);
    if (writing->needs & FTH_NEEDS_BLOCKS)
        fputs("target_link_libraries(proxy PRIVATE rt)\n", cmake.file);
    if (writing->threads)
        fputs("find_package(Threads REQUIRED)\n"
              "target_link_libraries(proxy PRIVATE Threads::Threads)\n",
              cmake.file);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *way = libraries[i].cmake, *choice = strstr(way, "%s");
        if (!uses_library(writing, &libraries[i]))
            continue;
        if (choice)
            fprintf(cmake.file, "%.*s%s%s", (int)(choice - way), way,
                    writing->rank_count > 0 ? "ON" : "OFF", choice + 2);
        else
            fputs(way, cmake.file);
    }
    fth_growing_text_end(&cmake);
    return cmake.text;
}

void fth_proxy_write_files(struct fth_writing *writing, const struct fth_repeat_places *places,
                           const char *directory, const struct fth_proxy_summary *summary,
                           struct fth_program_files *files)
{
    struct fth_proxy_summary known = *summary;
    files->prepare = fth_proxy_write_prepare(writing, places, directory, &files->foreign);
    known.prepares = files->prepare != NULL;
    known.foreign = files->foreign;
    files->source = write_source(writing, &known);
    files->tables = write_tables(writing);
    files->cmake = write_cmake(writing);
}
