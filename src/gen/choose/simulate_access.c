/* An access of all processes as a program of the simulator: they open a file, access their runs,
 * and close it. */
#include "gen/choose/simulate_access.h"

#include "base/memory.h"

#include <fathom/sim.h>

#include <string.h>

enum { MOST_RUNS = 1 << 18 };

int fth_gen_clusters_open(struct fth_gen_clusters *clusters, const char *path,
                          struct fth_error **error)
{
    static const char *const settings[FTH_GEN_WAYS][5] = {
        {"mpi.write=EachRange", "mpi.read=EachRange", NULL},
        {"mpi.write=DataSieving", "mpi.read=DataSieving", NULL},
        {"mpi.write_all=TwoPhaseAlways", "mpi.read_all=TwoPhaseAlways", NULL}};
    clusters->path = path;
    for (int i = 0; i < FTH_GEN_WAYS; i++) {
        clusters->ways[i] = fth_cluster_open(path, settings[i], error);
        if (!clusters->ways[i])
            return -1;
    }
    return 0;
}

void fth_gen_clusters_close(struct fth_gen_clusters *clusters)
{
    for (int i = 0; i < FTH_GEN_WAYS; i++)
        fth_cluster_free(clusters->ways[i]);
    *clusters = (struct fth_gen_clusters){0};
}

/* ---- the runs of a box ---- */

struct runs {
    struct fth_command_range *list;
    size_t count;
    uint64_t end; /* of all of them in the file */
};

/* false: a length is not known, or there are too many runs. */
static bool add_runs(const struct fth_gen_box *box, const int64_t *lengths, uint32_t count,
                     uint64_t item, struct runs *runs)
{
    uint64_t step[FTH_GEN_MOST_DIMENSIONS], run = item, number = 1;
    uint32_t inner = count; /* dimensions from here on are one run */
    bool whole = true;
    for (uint32_t i = count; i-- > 0;) {
        step[i] = i + 1 < count ? step[i + 1] * (uint64_t)lengths[i + 1] : item;
        if (whole)
            inner = i;
        if (whole)
            run *= (uint64_t)box->count[i];
        else if (__builtin_mul_overflow(number, (uint64_t)box->count[i], &number))
            return false;
        whole &= box->count[i] == lengths[i];
    }
    if (number + runs->count > MOST_RUNS || run > (uint64_t)1 << 50)
        return false;
    runs->list = fth_resize(runs->list, runs->count + number, sizeof *runs->list);
    for (uint64_t i = 0; i < number; i++) {
        uint64_t rest = i, at = 0;
        for (uint32_t j = count; j-- > 0;) {
            uint64_t index = (uint64_t)box->start[j];
            if (j < inner) {
                index += rest % (uint64_t)box->count[j];
                rest /= (uint64_t)box->count[j];
            }
            at += index * step[j];
        }
        runs->list[runs->count++] = (struct fth_command_range){at, run};
        runs->end = at + run > runs->end ? at + run : runs->end;
    }
    return true;
}

static enum fth_verb verb_of(const struct fth_gen_access *access, int way)
{
    if (way == FTH_GEN_TWO_PHASES)
        return access->writes ? FTH_VERB_FILE_WRITE_ALL : FTH_VERB_FILE_READ_ALL;
    return access->writes ? FTH_VERB_FILE_WRITE : FTH_VERB_FILE_READ;
}

/* Each process accesses what it has; without anything it takes part in what is collective. */
static int add_accesses(struct fth_program *program, const struct runs *runs, int64_t processes,
                        enum fth_verb verb, uint32_t file, struct fth_error **error)
{
    for (int64_t rank = 0; rank < processes; rank++) {
        struct fth_command command = {
            .verb = verb, .file = file, .count = runs[rank].count, .ranges = runs[rank].list};
        bool together = verb == FTH_VERB_FILE_WRITE_ALL || verb == FTH_VERB_FILE_READ_ALL;
        if (!runs[rank].count) {
            command.ranges = NULL;
            command.count = 1;
        }
        if ((runs[rank].count || together) &&
            fth_program_add(program, (uint32_t)rank, &command, error))
            return -1;
    }
    return 0;
}

static int simulate(const struct fth_cluster *cluster, const struct runs *runs, int64_t processes,
                    enum fth_verb verb, uint64_t size, int64_t *end, struct fth_error **error)
{
    struct fth_program *program = fth_program_new((uint32_t)processes, error);
    const struct fth_program_file file = {.name = "file", .size = size};
    int64_t number = program ? fth_program_file(program, &file, error) : -1;
    struct fth_command open = {.verb = FTH_VERB_FILE_OPEN_ALL, .file = (uint32_t)number};
    struct fth_command close = {.verb = FTH_VERB_FILE_CLOSE_ALL, .file = (uint32_t)number};
    int result = number < 0 || fth_program_add(program, FTH_EACH_RANK, &open, error) ||
                         add_accesses(program, runs, processes, verb, (uint32_t)number, error) ||
                         fth_program_add(program, FTH_EACH_RANK, &close, error)
                     ? -1
                     : 0;
    struct fth_simulation *simulation = result ? NULL : fth_simulate(cluster, program, NULL, error);
    if (simulation)
        *end = fth_simulation_sums(simulation)->end;
    fth_simulation_free(simulation);
    fth_program_free(program);
    return simulation ? 0 : -1;
}

static bool all_runs(struct fth_gen_model *model, const struct fth_gen_access *access,
                     int64_t processes, struct runs *runs, uint64_t *size)
{
    const struct fth_gen_variable *variable = &model->variables[access->variable];
    struct fth_gen_box *boxes = NULL;
    size_t count = 0;
    const char *unknown;
    int64_t lengths[FTH_GEN_MOST_DIMENSIONS] = {0};
    for (uint32_t i = 0; i < variable->dimension_count; i++)
        lengths[i] = model->dimensions[fth_gen_dimension_at(model, variable, i)].value;
    bool known = fth_gen_boxes(model, access, processes, &boxes, &count, &unknown);
    for (size_t i = 0; i < count && known; i++) {
        struct runs *own = &runs[boxes[i].rank];
        known = !own->count && add_runs(&boxes[i], lengths, variable->dimension_count,
                                        fth_gen_bytes_of(variable), own);
        *size = own->end > *size ? own->end : *size;
    }
    free(boxes);
    return known;
}

int fth_gen_simulate_access(const struct fth_gen_clusters *clusters, struct fth_gen_model *model,
                            const struct fth_gen_access *access, int64_t processes,
                            int64_t ends[static FTH_GEN_WAYS], struct fth_error **error)
{
    struct runs *runs = fth_new((size_t)processes, sizeof *runs);
    uint64_t size = 0;
    int result = all_runs(model, access, processes, runs, &size);
    for (int i = 0; i < FTH_GEN_WAYS && result > 0; i++)
        if (simulate(clusters->ways[i], runs, processes, verb_of(access, i),
                     access->writes ? 0 : size, &ends[i], error))
            result = fth_fail_in(error, "cannot simulate the access on '%s'", clusters->path);
    for (int64_t i = 0; i < processes; i++)
        free(runs[i].list);
    free(runs);
    return result;
}
