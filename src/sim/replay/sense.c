/* From rows of the catalogue to commands of the simulator: see the header. */
#include "sim/replay/sense.h"

#include "base/memory.h"

#include <string.h>

static bool is_kind(const struct fth_function *function, const char *kind)
{
    return !strcmp(function->kind, kind);
}

static bool begins_with(const char *role, const char *word)
{
    return !strncmp(role, word, strlen(word));
}

static void note_parameter(struct fth_sim_sense *sense, int number,
                           const struct fth_parameter *parameter, bool *reduces, int *counts)
{
    const char *role = parameter->role;
    if (!strcmp(role, "count"))
        sense->last_count = number;
    else if (!strcmp(role, "use datatype"))
        sense->last_datatype = number;
    else if (!strcmp(parameter->name, "recvcounts") && begins_with(role, "in["))
        sense->received = number;
    else if (!strcmp(parameter->name, "partitions"))
        sense->partitions = number;
    else if (begins_with(role, "close message"))
        sense->message = number;
    else if (!strcmp(role, "new message"))
        sense->new_message = number;
    else if (!strcmp(role, "new win"))
        sense->makes_window = true;
    if (!strcmp(role, "peer"))
        sense->peers[sense->peers[0] >= 0] = number;
    else if (!strcmp(role, "tag"))
        sense->tags[sense->tags[0] >= 0] = number;
    else if (!strcmp(role, "root"))
        sense->root = number;
    else if (!strcmp(role, "count") && !(*counts)++)
        sense->count = number;
    else if (!strcmp(role, "use op"))
        *reduces = true;
    else if (!strcmp(role, "new request"))
        sense->made = number;
    else if (begins_with(role, "close request") || begins_with(role, "use request"))
        sense->requests = number;
    else if (!strcmp(role, "out"))
        sense->outs[sense->outs[0] >= 0] = number;
    else if (begins_with(role, "out["))
        sense->indices = number;
}

/* Whether a member gets a part of what is reduced: the standard calls its count that of what is
 * received. */
static bool gets_a_part(const struct fth_sim_sense *sense)
{
    return sense->received >= 0 ||
           (sense->count >= 0 &&
            !strcmp(sense->function->parameters[sense->count].name, "recvcount"));
}

/* Collective calls are told apart by who waits for whom, and by what they carry. */
static enum fth_sim_verb verb_of_all(const struct fth_sim_sense *sense, bool reduces, int counts)
{
    const char *orders = sense->function->orders;
    if (!strcmp(orders, "barrier"))
        return FTH_SIM_BARRIER;
    if (!strcmp(orders,
                "from_root")) /* of scatterv only one count is kept, that of what is received */
        return counts > 1 || gets_a_part(sense) ? FTH_SIM_SCATTER : FTH_SIM_BCAST;
    if (!strcmp(orders, "to_root"))
        return reduces ? FTH_SIM_REDUCE : FTH_SIM_GATHER;
    if (!strcmp(orders, "upwards"))
        return FTH_SIM_SCAN;
    if (!strcmp(orders, "each"))
        return sense->received >= 0 ? FTH_SIM_ALLTOALLV : FTH_SIM_ALLTOALL;
    if (sense->is_neighbours) /* what is sent is told where it is the same for all */
        return sense->count < 0 ? FTH_SIM_ALLTOALLV : FTH_SIM_NEIGHBOURS;
    if (reduces)
        return gets_a_part(sense) ? FTH_SIM_REDUCE_SCATTER : FTH_SIM_ALLREDUCE;
    return FTH_SIM_ALLGATHER;
}

/* Epochs that not all members of a window take part in, and locks. */
static bool note_epoch(struct fth_sim_sense *sense, const char *orders)
{
    static const struct {
        const char *orders;
        enum fth_sim_what what;
    } epochs[] = {{"start", FTH_SIM_IS_START},
                  {"complete", FTH_SIM_IS_COMPLETE},
                  {"post", FTH_SIM_IS_POST},
                  {"wait", FTH_SIM_IS_AWAIT},
                  {"lock", FTH_SIM_IS_LOCK}};
    for (size_t i = 0; i < sizeof epochs / sizeof *epochs; i++)
        if (!strcmp(orders, epochs[i].orders))
            sense->what = epochs[i].what;
    return sense->what != FTH_SIM_IS_NOTHING;
}

/* One-sided communication. */
static void note_window(struct fth_sim_sense *sense)
{
    const struct fth_function *function = sense->function;
    const char *orders = function->orders ? function->orders : "";
    if (function->nonblocking) {
        bool gives = function->parameter_count && begins_with(function->parameters->type, "const");
        sense->what = FTH_SIM_IS_VISIT;
        sense->verb = gives ? FTH_SIM_PUT : FTH_SIM_GET;
    } else if (sense->makes_window) {
        sense->what = FTH_SIM_IS_WINDOW;
    } else if (!note_epoch(sense, orders)) {
        sense->what = FTH_SIM_IS_EPOCH;
        sense->verb = !strcmp(orders, "fence") ? FTH_SIM_BARRIER : FTH_SIM_WAIT;
    }
}

/* Of parts of messages only the whole is sent, when that is started. */
static bool is_about_parts(const struct fth_function *function)
{
    return (is_kind(function, "start") || is_kind(function, "test")) && function->orders &&
           !strcmp(function->orders, "parts");
}

static void note_mpi(struct fth_sim_sense *sense, bool reduces, int counts)
{
    const struct fth_function *function = sense->function;
    if (is_about_parts(function))
        return;
    if (is_kind(function, "rma")) {
        note_window(sense);
    } else if (is_kind(function, "probe")) {
        sense->what = FTH_SIM_IS_PROBE;
    } else if (is_kind(function, "send") || is_kind(function, "recv") ||
               is_kind(function, "exchange")) {
        sense->what = FTH_SIM_IS_MESSAGE;
        sense->verb = is_kind(function, "send")   ? FTH_SIM_SEND
                      : is_kind(function, "recv") ? FTH_SIM_RECV
                                                  : FTH_SIM_SENDRECV;
    } else if (is_kind(function, "collective") && function->orders) {
        sense->what = FTH_SIM_IS_TOGETHER;
        sense->is_neighbours = !strcmp(function->orders, "neighbours");
        sense->verb = verb_of_all(sense, reduces, counts);
    } else if (is_kind(function, "init") || is_kind(function, "finalize")) {
        sense->what = FTH_SIM_IS_ALL_OF_WORLD;
    } else if (is_kind(function, "start")) {
        sense->what = FTH_SIM_IS_START_OF_REQUESTS;
    } else if (is_kind(function, "wait") || is_kind(function, "test")) {
        sense->what = FTH_SIM_IS_WAIT;
        sense->is_test = is_kind(function, "test");
    }
}

/* What is done with a name. What is about something in a file, or about a descriptor, is none of
 * it. */
static void note_name(struct fth_sim_sense *sense)
{
    const struct fth_function *function = sense->function;
    size_t paths = 0;
    for (size_t i = 0; i < function->parameter_count; i++)
        paths += begins_with(function->parameters[i].role, "path");
    bool is_name = is_kind(function, "name"), is_stat = is_kind(function, "stat");
    bool is_of_system = !strcmp(function->layer, "posix") || sense->is_mpiio;
    if (!paths || !is_of_system || function->inside_file ||
        (!is_name && !is_stat && !is_kind(function, "delete")))
        return;
    sense->what = FTH_SIM_IS_FILE;
    sense->verb = FTH_SIM_FILE_LOOKUP;
    sense->name = is_stat                              ? FTH_SIM_NAME_STAT
                  : !is_name                           ? FTH_SIM_NAME_DELETE
                  : paths > 1 && !function->links_name ? FTH_SIM_NAME_RENAME
                                                       : FTH_SIM_NAME_SOMEHOW;
}

static void note_file(struct fth_sim_sense *sense)
{
    static const struct {
        const char *kind;
        enum fth_sim_verb verb;
    } kinds[] = {
        {"open", FTH_SIM_FILE_OPEN}, {"close", FTH_SIM_FILE_CLOSE}, {"sync", FTH_SIM_FILE_SYNC}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_kind(sense->function, kinds[i].kind)) {
            sense->what = FTH_SIM_IS_FILE;
            sense->verb = kinds[i].verb;
        }
    if (is_kind(sense->function, "read") || is_kind(sense->function, "write"))
        sense->what = FTH_SIM_IS_DATA;
    if (sense->what == FTH_SIM_IS_NOTHING)
        note_name(sense);
}

static struct fth_sim_sense sense_of(const struct fth_function *function)
{
    struct fth_sim_sense sense = {.function = function,
                                  .peers = {-1, -1},
                                  .tags = {-1, -1},
                                  .count = -1,
                                  .last_count = -1,
                                  .last_datatype = -1,
                                  .received = -1,
                                  .partitions = -1,
                                  .message = -1,
                                  .new_message = -1,
                                  .root = -1,
                                  .made = -1,
                                  .requests = -1,
                                  .outs = {-1, -1},
                                  .indices = -1};
    bool reduces = false;
    int counts = 0;
    for (size_t i = 0; i < function->parameter_count; i++)
        note_parameter(&sense, (int)i, &function->parameters[i], &reduces, &counts);
    sense.is_mpi = !strcmp(function->layer, "mpi");
    sense.is_mpiio = !strcmp(function->layer, "mpiio");
    if (sense.is_mpi)
        note_mpi(&sense, reduces, counts);
    else if (!function->buffered)
        note_file(&sense);
    return sense;
}

static int by_function(const void *one, const void *other)
{
    const struct fth_sim_sense *a = one, *b = other;
    return (a->function > b->function) - (a->function < b->function);
}

struct fth_sim_sense *fth_sim_senses(const struct fth_trace *trace, size_t *count)
{
    *count = fth_trace_function_count(trace);
    struct fth_sim_sense *senses = fth_new(*count + 1, sizeof *senses);
    for (size_t i = 0; i < *count; i++)
        senses[i] = sense_of(fth_trace_function(trace, i));
    qsort(senses, *count, sizeof *senses, by_function);
    return senses;
}

const struct fth_sim_sense *fth_sim_sense_of(const struct fth_sim_sense *senses, size_t count,
                                             const struct fth_function *function)
{
    const struct fth_sim_sense wanted = {.function = function};
    return bsearch(&wanted, senses, count, sizeof *senses, by_function);
}
