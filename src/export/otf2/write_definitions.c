/* The global definitions of an archive, in the order in which readers expect them: clock, texts,
 * system tree, functions, groups and communicators, files and their handles. */
#ifdef FATHOM_OTF2
#include "export/otf2/write_definitions.h"

#include "base/memory.h"
#include "export/shared/valid_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MACHINE, FIRST_NODE };    /* system tree nodes */
enum { ALL_RANKS, FIRST_GROUP }; /* groups */

struct writer {
    const struct fth_otf2_definitions *of;
    OTF2_GlobalDefWriter *to;
    struct fth_intern texts; /* numbers of those that were asked for before come first */
    OTF2_Archive *archive;
    /* what is freed if the library is left */
    char *own, *valid;
    uint64_t *place, *members;
};

/* The number of a text, which is written before it is first used. */
static OTF2_StringRef text(struct writer *writer, const char *text)
{
    uint32_t before = writer->texts.count;
    uint32_t number = fth_intern_valid(&writer->texts, text);
    size_t length;
    if (number == before) {
        const uint8_t *start = fth_interned(&writer->texts, number, &length);
        char *old = writer->valid;
        writer->valid = fth_text_part((const char *)start, length);
        free(old);
        OTF2_GlobalDefWriter_WriteString(writer->to, number, writer->valid);
    }
    return number;
}

/* The same of `length` bytes. */
static OTF2_StringRef part(struct writer *writer, const void *start, size_t length)
{
    writer->own = fth_text_part(start, length);
    OTF2_StringRef number = text(writer, writer->own);
    free(writer->own);
    writer->own = NULL;
    return number;
}

/* ---- functions ---- */

struct word_number {
    const char *word;
    int number;
};

static const struct word_number paradigms[] = {
    {"mpi", OTF2_PARADIGM_MPI},          {"mpiio", OTF2_PARADIGM_MPI},
    {"pthread", OTF2_PARADIGM_PTHREAD},  {"cuda", OTF2_PARADIGM_CUDA},
    {"application", OTF2_PARADIGM_USER}, {NULL, OTF2_PARADIGM_UNKNOWN},
};

/* By kind of the catalogue. */
static const struct word_number roles[] = {
    {"read", OTF2_REGION_ROLE_FILE_IO},
    {"write", OTF2_REGION_ROLE_FILE_IO},
    {"sync", OTF2_REGION_ROLE_FILE_IO},
    {"open", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"close", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"dup", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"seek", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"truncate", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"lock", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"control", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"stat", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"name", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"delete", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"permission", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"list", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"view", OTF2_REGION_ROLE_FILE_IO_METADATA},
    {"send", OTF2_REGION_ROLE_POINT2POINT},
    {"recv", OTF2_REGION_ROLE_POINT2POINT},
    {"exchange", OTF2_REGION_ROLE_POINT2POINT},
    {"rma", OTF2_REGION_ROLE_RMA},
    {"copy", OTF2_REGION_ROLE_DATA_TRANSFER},
    {NULL, OTF2_REGION_ROLE_FUNCTION},
};

/* Of collective calls, by how they order those that take part. */
static const struct word_number collective_roles[] = {
    {"barrier", OTF2_REGION_ROLE_BARRIER},      {"from_root", OTF2_REGION_ROLE_COLL_ONE2ALL},
    {"to_root", OTF2_REGION_ROLE_COLL_ALL2ONE}, {"all", OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"each", OTF2_REGION_ROLE_COLL_ALL2ALL},    {NULL, OTF2_REGION_ROLE_COLL_OTHER},
};

static int find(const struct word_number *numbers, const char *word)
{
    while (numbers->word && (!word || strcmp(numbers->word, word) != 0))
        numbers++;
    return numbers->number;
}

static void put_region(struct writer *writer, OTF2_RegionRef number, OTF2_StringRef name,
                       const char *about, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    OTF2_StringRef description = text(writer, about), none = text(writer, "");
    OTF2_GlobalDefWriter_WriteRegion(writer->to, number, name, name, description, role, paradigm,
                                     OTF2_REGION_FLAG_NONE, none, 0, 0);
}

static void put_function(struct writer *writer, OTF2_RegionRef number,
                         const struct fth_function *function)
{
    bool is_collective = !strcmp(function->kind, "collective");
    int role =
        is_collective ? find(collective_roles, function->orders) : find(roles, function->kind);
    put_region(writer, number, text(writer, function->name), function->layer, (OTF2_RegionRole)role,
               (OTF2_Paradigm)find(paradigms, function->layer));
}

static void put_regions(struct writer *writer)
{
    const struct fth_otf2_definitions *of = writer->of;
    for (uint32_t i = 0; i < of->regions.count; i++) {
        uint32_t function;
        size_t length;
        const char *start = (const char *)fth_interned(&of->regions, i, &length);
        memcpy(&function, start, sizeof function);
        if (length > sizeof function)
            put_region(writer, i, part(writer, start + sizeof function, length - sizeof function),
                       "region of the program", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER);
        else
            put_function(writer, i, fth_trace_function(of->of->trace, function));
    }
}

/* ---- system tree ---- */

static void put_nodes(struct writer *writer)
{
    const struct fth_otf2_definitions *of = writer->of;
    OTF2_StringRef machine = text(writer, "machine");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->to, MACHINE, machine, machine,
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer->to, MACHINE,
                                                   OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (uint32_t i = 0; i < of->hosts.count; i++) {
        size_t length;
        const uint8_t *start = fth_interned(&of->hosts, i, &length);
        OTF2_StringRef name = part(writer, start, length), class = text(writer, "node");
        OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->to, FIRST_NODE + i, name, class, MACHINE);
        OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer->to, FIRST_NODE + i,
                                                       OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
}

static void put_process(struct writer *writer, size_t proc)
{
    const struct fth_otf2_definitions *of = writer->of;
    const struct fth_process *process = fth_exported_process(of->of, proc);
    const char *slash = process->executable ? strrchr(process->executable, '/') : NULL;
    const char *program = slash ? slash + 1 : process->executable ? process->executable : "?";
    char name[256];
    if (process->rank >= 0)
        snprintf(name, sizeof name, "rank %" PRId64 ": %s", process->rank, program);
    else
        snprintf(name, sizeof name, "process %zu: %s", proc, program);
    OTF2_GlobalDefWriter_WriteLocationGroup(
        writer->to, of->group[proc], text(writer, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
        FIRST_NODE + of->host[proc], OTF2_UNDEFINED_LOCATION_GROUP);
}

static void put_threads(struct writer *writer, size_t proc)
{
    const struct fth_otf2_definitions *of = writer->of;
    uint64_t first = of->first_location[proc];
    char name[32];
    for (uint64_t i = first; i < of->first_location[proc + 1]; i++) {
        snprintf(name, sizeof name, "thread %" PRIu64, i - first);
        OTF2_GlobalDefWriter_WriteLocation(writer->to, i, text(writer, name),
                                           OTF2_LOCATION_TYPE_CPU_THREAD, of->events[i],
                                           of->group[proc]);
    }
}

static void put_processes(struct writer *writer)
{
    const struct fth_otf2_definitions *of = writer->of;
    size_t count = fth_trace_process_count(of->of->trace);
    for (size_t proc = 0; proc < count; proc++)
        if (of->group[proc] != UINT32_MAX)
            put_process(writer, proc);
    for (size_t proc = 0; proc < count; proc++)
        put_threads(writer, proc);
}

/* ---- communicators ---- */

/* Locations of all ranks; a group has places in this list. */
static void put_ranks(struct writer *writer)
{
    const struct fth_otf2_definitions *of = writer->of;
    const struct fth_trace *trace = of->of->trace;
    uint32_t ranks = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (fth_trace_process(trace, proc)->world != FTH_NO_WORLD) {
            writer->place[proc] = ranks;
            writer->members[ranks++] = of->first_location[proc];
        }
    OTF2_GlobalDefWriter_WriteGroup(writer->to, ALL_RANKS, text(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks, writer->members);
}

static void put_group(struct writer *writer, OTF2_GroupRef number,
                      const struct fth_exported_communicator *communicator)
{
    for (uint32_t rank = 0; rank < communicator->size; rank++)
        writer->members[rank] = writer->place[communicator->procs[rank]];
    OTF2_GlobalDefWriter_WriteGroup(writer->to, number, text(writer, ""),
                                    OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, communicator->size, writer->members);
}

static OTF2_StringRef name_of(struct writer *writer,
                              const struct fth_exported_communicator *communicator)
{
    const struct fth_pseudonyms *names = writer->of->of->names;
    writer->own = fth_pseudonym_of_object(names, communicator->name ? communicator->name : "");
    OTF2_StringRef number = text(writer, writer->own);
    free(writer->own);
    writer->own = NULL;
    return number;
}

static void put_communicators(struct writer *writer)
{
    const struct fth_exported_communicators *all = &writer->of->communicators;
    size_t processes = fth_trace_process_count(writer->of->of->trace);
    if (!all->count)
        return;
    writer->place = fth_new(processes, sizeof *writer->place);
    writer->members = fth_new(processes, sizeof *writer->members);
    put_ranks(writer);
    for (uint32_t i = 0; i < all->count; i++)
        put_group(writer, FIRST_GROUP + i, &all->list[i]);
    for (uint32_t i = 0; i < all->count; i++) {
        OTF2_StringRef name = name_of(writer, &all->list[i]);
        OTF2_GlobalDefWriter_WriteComm(writer->to, i, name, FIRST_GROUP + i, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
    }
}

/* ---- files ---- */

/* The well-known ones of OTF2, and how others are called. */
static const struct io_paradigm {
    const char *layer, *identification, *name;
    OTF2_IoParadigmClass class;
    OTF2_IoParadigmFlag flags;
} io_paradigms[] = {
    {"posix", "POSIX", "POSIX I/O", OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS},
    {"stdio", "ISOC", "ISO C I/O", OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE},
    {"mpiio", "MPI-IO", "MPI I/O", OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE},
    {"hdf5", "HDF5", "HDF5", OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE},
    {"netcdf", "NetCDF", "NetCDF", OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE},
    {"pnetcdf", "PnetCDF", "PnetCDF", OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE},
};
enum { IO_PARADIGMS = sizeof io_paradigms / sizeof *io_paradigms };

static void put_io_paradigm(struct writer *writer, uint32_t number, const char *layer,
                            size_t length)
{
    const struct io_paradigm other = {.class = OTF2_IO_PARADIGM_CLASS_SERIAL}, *found = &other;
    OTF2_StringRef identification, name;
    for (int i = 0; i < IO_PARADIGMS; i++)
        if (strlen(io_paradigms[i].layer) == length &&
            !memcmp(io_paradigms[i].layer, layer, length))
            found = &io_paradigms[i];
    if (found == &other)
        identification = name = part(writer, layer, length);
    else {
        identification = text(writer, found->identification);
        name = text(writer, found->name);
    }
    OTF2_GlobalDefWriter_WriteIoParadigm(writer->to, (OTF2_IoParadigmRef)number, identification,
                                         name, found->class, found->flags, 0, NULL, NULL, NULL);
}

static void put_io_paradigms(struct writer *writer)
{
    const struct fth_intern *layers = &writer->of->layers;
    for (uint32_t i = 0; i < layers->count; i++) {
        size_t length;
        const char *start = (const char *)fth_interned(layers, i, &length);
        put_io_paradigm(writer, i, start, length);
    }
}

static void put_files(struct writer *writer)
{
    const struct fth_intern *files = &writer->of->files;
    for (uint32_t i = 0; i < files->count; i++) {
        uint32_t words[2];
        size_t length;
        const uint8_t *start = fth_interned(files, i, &length);
        memcpy(words, start, sizeof words);
        OTF2_StringRef name = part(writer, start + sizeof words, length - sizeof words);
        if (words[1])
            OTF2_GlobalDefWriter_WriteIoDirectory(writer->to, i, name, words[0]);
        else
            OTF2_GlobalDefWriter_WriteIoRegularFile(writer->to, i, name, words[0]);
    }
}

static void put_handles(struct writer *writer)
{
    const struct fth_otf2_definitions *of = writer->of;
    for (size_t i = 0; i < of->handle_count; i++) {
        const struct fth_otf2_handle *handle = &of->handles[i];
        OTF2_GlobalDefWriter_WriteIoHandle(writer->to, (OTF2_IoHandleRef)i, handle->name,
                                           handle->file, handle->paradigm, handle->flags,
                                           handle->comm, handle->parent);
        if (handle->flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED)
            OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(writer->to, (OTF2_IoHandleRef)i,
                                                              handle->mode, handle->status);
    }
}

/* ---- the whole ---- */

/* Names of handles got their numbers before. */
static void put_texts(struct writer *writer)
{
    const struct fth_intern *texts = &writer->of->texts;
    for (uint32_t i = 0; i < texts->count; i++) {
        size_t length;
        const uint8_t *start = fth_interned(texts, i, &length);
        part(writer, start, length);
    }
}

static void put_all(void *argument)
{
    struct writer *writer = argument;
    const struct fth_trace_info *info = fth_trace_info(writer->of->of->trace);
    writer->to = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    OTF2_GlobalDefWriter_WriteClockProperties(writer->to, 1000000000, 0, (uint64_t)info->end + 1,
                                              (uint64_t)info->start_realtime);
    put_texts(writer);
    put_nodes(writer);
    put_processes(writer);
    put_regions(writer);
    put_communicators(writer);
    put_io_paradigms(writer);
    put_files(writer);
    put_handles(writer);
    OTF2_Archive_CloseGlobalDefWriter(writer->archive, writer->to);
}

int fth_otf2_write_definitions(const struct fth_otf2_definitions *definitions,
                               struct fth_otf2_library *library, struct fth_error **error)
{
    struct writer writer = {.of = definitions, .archive = library->archive};
    int result = fth_otf2_use(library, put_all, &writer, error);
    fth_intern_free(&writer.texts);
    free(writer.own);
    free(writer.valid);
    free(writer.place);
    free(writer.members);
    return result;
}
#endif
