/* A trace in memory: what <fathom/trace.h> hands out, and what stands behind it. Inner header of
 * the model room. */
#ifndef FTH_MODEL_READING_MODEL_H
#define FTH_MODEL_READING_MODEL_H

#include "base/bytes.h"
#include "base/error.h"
#include "fathom/trace.h"
#include "model/reading/matched_communicators.h"
#include "model/reading/constants.h"
#include "model/reading/trace_mounts.h"
#include "model/reading/trace_samples.h"
#include "trace/file/blind_spots.h"
#include "trace/record/format.h"
#include "trace/file/line_section.h"
#include "trace/file/part.h"
#include "trace/state/state.h"
#include "trace/file/unkept_section.h"
#include "trace/file/watched_section.h"

#include <pthread.h>

/* One process of the file: several of them, from several parts, may be one process image. */
struct fth_model_share {
    const struct fth_stored_part *part;
    uint32_t index;   /* in its part */
    uint64_t quantum; /* ticks of a unit of its times */
};

struct fth_model_process {
    struct fth_process facts;
    struct fth_facts stored;                   /* of its last share */
    const struct fth_mpi_constants *constants; /* of its MPI library; or NULL */
    struct fth_model_share *shares;
    size_t share_count;
    uint64_t image;
    /* numbers of its threads in the file, ascending: what is shown of a thread is its place here */
    uint64_t *threads;
    int64_t start_ns;              /* of the process since the start of the run */
    unsigned __int128 ns_per_tick; /* 64.64 fixed point */
    struct fth_function_sum *sums;
    size_t sum_count;
    struct fth_file_sum *files;
    size_t file_count;
    bool summed; /* under the trace's lock */
};

struct fth_trace {
    char *path;
    const uint8_t *bytes; /* mapped */
    size_t length;
    /* rows at the place of their number; name NULL where there is none */
    struct fth_catalog catalog;
    struct fth_function *functions; /* one per row */
    struct fth_function **listed;   /* those that exist */
    size_t listed_count;
    struct fth_stored_part *parts;
    uint8_t **shapes; /* SHAP of each part, decompressed */
    struct fth_unpacked {
        struct fth_bytes *facts;
        uint32_t count;
    } * unpacked; /* facts of each PRCS */
    size_t unpacked_count;
    size_t part_count;
    struct fth_code_lines lines;
    struct fth_meaning *meanings;
    int descriptors; /* their class, or -1 */
    struct fth_model_process *processes;
    size_t process_count;
    struct fth_model_samples samples;
    struct fth_model_files files;
    struct fth_communicators communicators;
    struct fth_trace_info info;
    struct fth_unkept_list unkept, summed;
    struct fth_watched_list watched;
    struct fth_phase **phases; /* of these, in their order */
    struct fth_model_counted {
        struct fth_counted_calls *items;
        size_t count;
    } * counted; /* the same */
    struct fth_blind_spots spots;
    const char **sentences; /* theirs */
    struct fth_unseen *unseen;
    char *meta_json;
    int64_t end_realtime;
    pthread_mutex_t lock; /* sums are added up when they are asked for */
};

/* Times beyond 36 years are damage; kept below that, their differences stay numbers. */
#define FTH_MOST_NS ((int64_t)1 << 60)
#define FTH_MOST_NS_SINCE_1970 ((int64_t)1 << 62) /* the year 2116 */
/* Between two moments given in ns since 1970. */
static inline int64_t fth_model_ns_between(int64_t from, int64_t to)
{
    int64_t ns = (int64_t)((uint64_t)to - (uint64_t)from);
    return ns > FTH_MOST_NS ? FTH_MOST_NS : ns < -FTH_MOST_NS ? -FTH_MOST_NS : ns;
}

/* Ticks of a process as ns since the start of the run. (Units become ticks with the quantum of the
 * share that they come from.) */
static inline int64_t fth_model_duration(const struct fth_model_process *process, uint64_t ticks)
{
    unsigned __int128 ns = (unsigned __int128)ticks * (uint64_t)process->ns_per_tick >> 64;
    if (process->ns_per_tick >> 64)
        ns += (unsigned __int128)ticks * (uint64_t)(process->ns_per_tick >> 64);
    return ns < (uint64_t)FTH_MOST_NS ? (int64_t)ns : FTH_MOST_NS;
}
static inline int64_t fth_model_time(const struct fth_model_process *process, uint64_t ticks)
{
    uint64_t start = process->stored.start_ticks;
    return ticks >= start ? process->start_ns + fth_model_duration(process, ticks - start)
                          : process->start_ns - fth_model_duration(process, start - ticks);
}

/* The catalogue of a trace, as its CATL section has it, and the functions that it lists. */
int fth_model_read_catalog(struct fth_trace *trace, const uint8_t *bytes, size_t length,
                           struct fth_error **error);
/* Finds frames and facts of each process in the sections. */
struct fth_sections;
int fth_model_place_processes(struct fth_trace *trace, const struct fth_sections *sections,
                              struct fth_error **error);
/* Reads every process once, so that damage is found when the trace is opened; makes
 * trace->processes. */
int fth_model_read_processes(struct fth_trace *trace, struct fth_error **error);
void fth_model_free_facts(struct fth_facts *facts);
/* From the facts of trace->processes all that is public of them; sorts them. */
void fth_model_make_processes(struct fth_trace *trace);
/* The place of the thread that has this number in the file among those of its process. Whatever it
 * is there, threads are counted from 0 without gaps, so that what follows threads may have arrays
 * of them. */
uint32_t fth_model_thread(const struct fth_model_process *process, uint64_t number);

/* All of trace->path but its calls. */
int fth_model_read(struct fth_trace *trace, struct fth_error **error);

/* Phases of processes (phases.c), behind the start of the run. */
void fth_model_make_phases(struct fth_trace *trace);
void fth_model_free_phases(struct fth_trace *trace);

#endif
