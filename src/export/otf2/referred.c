/* Definitions are kept until the events are written, since an OTF2 archive has them in an order:
 * how many events a location has stands before what handles there are. */
#ifdef FATHOM_OTF2
#include "export/otf2/referred.h"

#include "base/memory.h"
#include "export/shared/valid_text.h"

#include <fathom/files.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

enum { MACHINE, FIRST_NODE }; /* numbers of system tree nodes */

struct file_key {
    uint32_t scope;
    bool is_directory;
};

static OTF2_StringRef text_number(struct fth_otf2_definitions *definitions, const char *text)
{
    return fth_intern_valid(&definitions->texts, text ? text : "");
}

/* ---- what is known from the beginning ---- */

/* Those that are exported, and all ranks: they are members of communicators. */
static void number_processes(struct fth_otf2_definitions *definitions)
{
    const struct fth_exported *of = definitions->of;
    size_t count = fth_trace_process_count(of->trace), next = 0;
    uint32_t groups = 0;
    definitions->group = fth_new(count + 1, sizeof *definitions->group);
    for (size_t proc = 0; proc < count; proc++) {
        bool is_exported = next < of->process_count && of->processes[next] == proc;
        bool is_rank = fth_trace_process(of->trace, proc)->world != FTH_NO_WORLD;
        definitions->group[proc] = is_exported || is_rank ? groups++ : UINT32_MAX;
        next += is_exported;
    }
}

static void place_processes(struct fth_otf2_definitions *definitions)
{
    const struct fth_trace *trace = definitions->of->trace;
    size_t count = fth_trace_process_count(trace);
    number_processes(definitions);
    definitions->host = fth_new(count + 1, sizeof *definitions->host);
    definitions->first_location = fth_new(count + 1, sizeof *definitions->first_location);
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_exported_process(definitions->of, proc);
        const char *host = process->host ? process->host : "?";
        definitions->host[proc] = fth_intern(&definitions->hosts, host, strlen(host));
        definitions->first_location[proc + 1] =
            definitions->first_location[proc] + (definitions->group[proc] == UINT32_MAX ? 0
                                                 : process->thread_count ? process->thread_count
                                                                         : 1);
    }
    definitions->events =
        fth_new(definitions->first_location[count] + 1, sizeof *definitions->events);
}

int fth_otf2_definitions_begin(struct fth_otf2_definitions *definitions,
                               struct fth_exported *exported, struct fth_error **error)
{
    *definitions = (struct fth_otf2_definitions){.of = exported};
    pthread_mutex_init(&definitions->lock, NULL);
    fth_function_numbers_begin(&definitions->functions, exported->trace);
    definitions->region =
        fth_new(fth_trace_function_count(exported->trace) + 1, sizeof *definitions->region);
    place_processes(definitions);
    return fth_exported_communicators_begin(&definitions->communicators, exported->trace, error);
}

void fth_otf2_definitions_end(struct fth_otf2_definitions *definitions)
{
    fth_exported_communicators_end(&definitions->communicators);
    fth_function_numbers_end(&definitions->functions);
    fth_intern_free(&definitions->texts);
    fth_intern_free(&definitions->files);
    fth_intern_free(&definitions->layers);
    fth_intern_free(&definitions->regions);
    fth_intern_free(&definitions->hosts);
    free(definitions->handles);
    free(definitions->region);
    free(definitions->host);
    free(definitions->group);
    free(definitions->first_location);
    free(definitions->events);
    pthread_mutex_destroy(&definitions->lock);
}

/* ---- numbers ---- */

static OTF2_RegionRef region_number(struct fth_otf2_definitions *definitions, uint32_t function,
                                    const char *name)
{
    struct fth_bytes key = {0};
    fth_bytes_put(&key, &function, sizeof function);
    fth_bytes_put(&key, name, strlen(name));
    pthread_mutex_lock(&definitions->lock);
    uint32_t number = fth_intern(&definitions->regions, key.data, key.length);
    pthread_mutex_unlock(&definitions->lock);
    fth_bytes_free(&key);
    return number;
}

/* A region that the program marks is called what the program calls it. */
OTF2_RegionRef fth_otf2_region(struct fth_otf2_definitions *definitions,
                               const struct fth_call *call)
{
    uint32_t function = fth_function_number(&definitions->functions, call->function);
    bool is_mark = call->function->parameter_count &&
                   !strcmp(call->function->layer, "application") &&
                   call->arguments[0].type == FTH_VALUE_TEXT;
    if (is_mark)
        return region_number(definitions, function, call->arguments[0].text);
    uint32_t known = atomic_load_explicit(&definitions->region[function], memory_order_relaxed);
    if (!known) {
        known = region_number(definitions, function, "") + 1;
        atomic_store_explicit(&definitions->region[function], known, memory_order_relaxed);
    }
    return known - 1;
}

static OTF2_IoFileRef file_number(struct fth_otf2_definitions *definitions, size_t proc,
                                  const char *path, bool is_directory)
{
    struct fth_bytes key = {0};
    struct fth_file place;
    bool is_shared = fth_trace_file(definitions->of->trace, proc, path, &place) &&
                     place.system->scope == FTH_SCOPE_SHARED;
    uint32_t scope = is_shared ? MACHINE : FIRST_NODE + definitions->host[proc];
    uint32_t words[2] = {scope, is_directory};
    char *name = fth_pseudonym(definitions->of->names, path);
    fth_bytes_put(&key, words, sizeof words);
    fth_bytes_put(&key, name, strlen(name));
    free(name);
    uint32_t number = fth_intern(&definitions->files, key.data, key.length);
    fth_bytes_free(&key);
    return number;
}

OTF2_IoFileRef fth_otf2_file(struct fth_otf2_definitions *definitions, size_t proc,
                             const char *path, bool is_directory)
{
    pthread_mutex_lock(&definitions->lock);
    OTF2_IoFileRef number = file_number(definitions, proc, path, is_directory);
    pthread_mutex_unlock(&definitions->lock);
    return number;
}

OTF2_IoParadigmRef fth_otf2_paradigm(struct fth_otf2_definitions *definitions, const char *layer)
{
    pthread_mutex_lock(&definitions->lock);
    uint32_t number = fth_intern(&definitions->layers, layer, strlen(layer));
    pthread_mutex_unlock(&definitions->lock);
    return (OTF2_IoParadigmRef)number;
}

OTF2_IoAccessMode fth_otf2_access_mode(const struct fth_handle *handle)
{
    static const OTF2_IoAccessMode modes[] = {
        [0] = OTF2_IO_ACCESS_MODE_READ_WRITE, /* not known */
        [FTH_ACCESS_READ] = OTF2_IO_ACCESS_MODE_READ_ONLY,
        [FTH_ACCESS_WRITE] = OTF2_IO_ACCESS_MODE_WRITE_ONLY,
        [FTH_ACCESS_READ | FTH_ACCESS_WRITE] = OTF2_IO_ACCESS_MODE_READ_WRITE,
    };
    if (handle->type && !strcmp(handle->type, "directory"))
        return OTF2_IO_ACCESS_MODE_READ_ONLY;
    return modes[handle->access & (FTH_ACCESS_READ | FTH_ACCESS_WRITE)];
}

OTF2_IoHandleRef fth_otf2_define_handle(struct fth_otf2_definitions *definitions,
                                        const struct fth_handle *handle, bool created,
                                        OTF2_IoHandleRef parent)
{
    OTF2_IoParadigmRef paradigm = fth_otf2_paradigm(definitions, handle->layer);
    bool is_directory = handle->type && !strcmp(handle->type, "directory");
    char *name = fth_pseudonym(definitions->of->names, handle->path);
    pthread_mutex_lock(&definitions->lock);
    FTH_GROW(definitions->handles, definitions->handle_count);
    definitions->handles[definitions->handle_count] = (struct fth_otf2_handle){
        .name = text_number(definitions, name ? name : handle->type),
        .file = handle->path ? file_number(definitions, handle->proc, handle->path, is_directory)
                             : OTF2_UNDEFINED_IO_FILE,
        .parent = parent,
        .comm = fth_exported_communicators_find(&definitions->communicators, handle->group),
        .paradigm = paradigm,
        .flags = created ? OTF2_IO_HANDLE_FLAG_NONE : OTF2_IO_HANDLE_FLAG_PRE_CREATED,
        .mode = fth_otf2_access_mode(handle),
        .status = fth_otf2_status(handle),
    };
    OTF2_IoHandleRef number = (OTF2_IoHandleRef)definitions->handle_count++;
    pthread_mutex_unlock(&definitions->lock);
    free(name);
    return number;
}
#endif
