/* From rows of the catalogue to commands of the simulator: see the header. */
#include "sim/replay/replay_semantics.h"

#include "base/memory.h"
#include "model/calls/meets_others.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool is_kind(const struct fth_function *function, const char *kind)
{
    return !strcmp(function->kind, kind);
}

static bool begins_with(const char *role, const char *word)
{
    return !strncmp(role, word, strlen(word));
}

static void note_parameter(struct fth_sim_semantics *semantics, int number,
                           const struct fth_parameter *parameter, bool *reduces, int *counts)
{
    const char *role = parameter->role;
    if (!strcmp(role, "count"))
        semantics->last_count = number;
    else if (!strcmp(role, "use datatype"))
        semantics->last_datatype = number;
    else if (!strcmp(parameter->name, "recvcounts") && begins_with(role, "in["))
        semantics->received = number;
    else if (!strcmp(parameter->name, "partitions"))
        semantics->partitions = number;
    else if (begins_with(role, "close message"))
        semantics->message = number;
    else if (!strcmp(role, "new message"))
        semantics->new_message = number;
    else if (!strcmp(role, "new win"))
        semantics->makes_window = true;
    if (!strcmp(role, "peer"))
        semantics->peers[semantics->peers[0] >= 0] = number;
    else if (!strcmp(role, "tag"))
        semantics->tags[semantics->tags[0] >= 0] = number;
    else if (!strcmp(role, "root"))
        semantics->root = number;
    else if (!strcmp(role, "count") && !(*counts)++)
        semantics->count = number;
    else if (!strcmp(role, "use op"))
        *reduces = true;
    else if (!strcmp(role, "new request"))
        semantics->made = number;
    else if (begins_with(role, "close request") || begins_with(role, "use request"))
        semantics->requests = number;
    else if (!strcmp(role, "out"))
        semantics->outs[semantics->outs[0] >= 0] = number;
    else if (begins_with(role, "out["))
        semantics->indices = number;
}

/* Whether a member gets a part of what is reduced: the standard calls its count that of what is
 * received. */
static bool gets_a_part(const struct fth_sim_semantics *semantics)
{
    return semantics->received >= 0 ||
           (semantics->count >= 0 &&
            !strcmp(semantics->function->parameters[semantics->count].name, "recvcount"));
}

/* Collective calls are distinguished by who waits for whom, and by what they carry. */
static enum fth_sim_verb verb_of_all(const struct fth_sim_semantics *semantics, bool reduces,
                                     int counts)
{
    const char *orders = semantics->function->orders;
    if (!strcmp(orders, "barrier"))
        return FTH_SIM_BARRIER;
    if (!strcmp(orders,
                "from_root")) /* of scatterv only one count is kept, that of what is received */
        return counts > 1 || gets_a_part(semantics) ? FTH_SIM_SCATTER : FTH_SIM_BCAST;
    if (!strcmp(orders, "to_root"))
        return reduces ? FTH_SIM_REDUCE : FTH_SIM_GATHER;
    if (!strcmp(orders, "upwards"))
        return FTH_SIM_SCAN;
    if (!strcmp(orders, "each"))
        return semantics->received >= 0 ? FTH_SIM_ALLTOALLV : FTH_SIM_ALLTOALL;
    if (semantics->is_neighbours) /* what is sent is given where it is the same for all */
        return semantics->count < 0 ? FTH_SIM_ALLTOALLV : FTH_SIM_NEIGHBOURS;
    if (reduces)
        return gets_a_part(semantics) ? FTH_SIM_REDUCE_SCATTER : FTH_SIM_ALLREDUCE;
    return FTH_SIM_ALLGATHER;
}

/* Epochs that not all members of a window take part in, and locks. */
static bool note_epoch(struct fth_sim_semantics *semantics, const char *orders)
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
            semantics->what = epochs[i].what;
    return semantics->what != FTH_SIM_IS_NOTHING;
}

/* One-sided communication. */
static void note_window(struct fth_sim_semantics *semantics)
{
    const struct fth_function *function = semantics->function;
    const char *orders = function->orders ? function->orders : "";
    if (function->nonblocking) {
        bool gives = function->parameter_count && begins_with(function->parameters->type, "const");
        semantics->what = FTH_SIM_IS_VISIT;
        semantics->verb = gives ? FTH_SIM_PUT : FTH_SIM_GET;
    } else if (semantics->makes_window) {
        semantics->what = FTH_SIM_IS_WINDOW;
    } else if (!note_epoch(semantics, orders)) {
        semantics->what = FTH_SIM_IS_EPOCH;
        semantics->verb = !strcmp(orders, "fence") ? FTH_SIM_BARRIER : FTH_SIM_WAIT;
    }
}

/* Of parts of messages only the whole is sent, when that is started. */
static bool is_about_parts(const struct fth_function *function)
{
    return (is_kind(function, "start") || is_kind(function, "test")) && function->orders &&
           !strcmp(function->orders, "parts");
}

static void note_mpi(struct fth_sim_semantics *semantics, bool reduces, int counts)
{
    const struct fth_function *function = semantics->function;
    if (is_about_parts(function))
        return;
    if (is_kind(function, "rma")) {
        note_window(semantics);
    } else if (is_kind(function, "probe")) {
        semantics->what = FTH_SIM_IS_PROBE;
    } else if (is_kind(function, "send") || is_kind(function, "recv") ||
               is_kind(function, "exchange")) {
        semantics->what = FTH_SIM_IS_MESSAGE;
        semantics->verb = is_kind(function, "send")   ? FTH_SIM_SEND
                          : is_kind(function, "recv") ? FTH_SIM_RECV
                                                      : FTH_SIM_SENDRECV;
    } else if (is_kind(function, "collective") && function->orders) {
        semantics->what = FTH_SIM_IS_TOGETHER;
        semantics->is_neighbours = !strcmp(function->orders, "neighbours");
        semantics->verb = verb_of_all(semantics, reduces, counts);
    } else if (is_kind(function, "init") || is_kind(function, "finalize")) {
        semantics->what = FTH_SIM_IS_ALL_OF_WORLD;
    } else if (is_kind(function, "start")) {
        semantics->what = FTH_SIM_IS_START_OF_REQUESTS;
    } else if (is_kind(function, "wait") || is_kind(function, "test")) {
        semantics->what = FTH_SIM_IS_WAIT;
        semantics->is_test = is_kind(function, "test");
    }
}

/* What is done with a name. What is about something in a file, or about a descriptor, is none of
 * it. */
static void note_name(struct fth_sim_semantics *semantics)
{
    const struct fth_function *function = semantics->function;
    size_t paths = 0;
    for (size_t i = 0; i < function->parameter_count; i++)
        paths += begins_with(function->parameters[i].role, "path");
    bool is_name = is_kind(function, "name"), is_stat = is_kind(function, "stat");
    bool is_of_system = fth_layer_is(function->layer, FTH_LAYER_SYSTEM) || semantics->is_mpiio;
    if (!paths || !is_of_system || function->inside_file ||
        (!is_name && !is_stat && !is_kind(function, "delete")))
        return;
    semantics->what = FTH_SIM_IS_FILE;
    semantics->verb = FTH_SIM_FILE_LOOKUP;
    semantics->name = is_stat                              ? FTH_SIM_NAME_STAT
                      : !is_name                           ? FTH_SIM_NAME_DELETE
                      : paths > 1 && !function->links_name ? FTH_SIM_NAME_RENAME
                                                           : FTH_SIM_NAME_SOMEHOW;
}

static void note_file(struct fth_sim_semantics *semantics)
{
    static const struct {
        const char *kind;
        enum fth_sim_verb verb;
    } kinds[] = {
        {"open", FTH_SIM_FILE_OPEN}, {"close", FTH_SIM_FILE_CLOSE}, {"sync", FTH_SIM_FILE_SYNC}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_kind(semantics->function, kinds[i].kind)) {
            semantics->what = FTH_SIM_IS_FILE;
            semantics->verb = kinds[i].verb;
        }
    if (is_kind(semantics->function, "read") || is_kind(semantics->function, "write"))
        semantics->what = FTH_SIM_IS_DATA;
    if (semantics->what == FTH_SIM_IS_NOTHING)
        note_name(semantics);
}

/* What waits takes no processor. */
static void note_waits(struct fth_sim_semantics *semantics)
{
    const struct fth_function *function = semantics->function;
    if (semantics->is_mpi || semantics->is_mpiio || function->buffered)
        return;
    semantics->waits = is_kind(function, "poll") || fth_function_waits_for_others(function);
    semantics->meets_others = is_kind(function, "read") || is_kind(function, "write") ||
                              (is_kind(function, "open") && fth_function_accepts(function));
    semantics->locks = is_kind(function, "lock") || is_kind(function, "control");
}

static struct fth_sim_semantics semantics_of(const struct fth_function *function)
{
    struct fth_sim_semantics semantics = {.function = function,
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
        note_parameter(&semantics, (int)i, &function->parameters[i], &reduces, &counts);
    semantics.is_mpi = fth_layer_is(function->layer, FTH_LAYER_MESSAGES);
    semantics.is_mpiio = fth_layer_is(function->layer, FTH_LAYER_TOGETHER);
    if (semantics.is_mpi)
        note_mpi(&semantics, reduces, counts);
    else if (!function->buffered)
        note_file(&semantics);
    note_waits(&semantics);
    return semantics;
}

static int by_function(const void *one, const void *other)
{
    const struct fth_sim_semantics *a = one, *b = other;
    return (a->function > b->function) - (a->function < b->function);
}

struct fth_sim_semantics *fth_sim_all_semantics(const struct fth_trace *trace, size_t *count)
{
    *count = fth_trace_function_count(trace);
    struct fth_sim_semantics *semantics_table = fth_new(*count + 1, sizeof *semantics_table);
    for (size_t i = 0; i < *count; i++)
        semantics_table[i] = semantics_of(fth_trace_function(trace, i));
    qsort(semantics_table, *count, sizeof *semantics_table, by_function);
    return semantics_table;
}

const struct fth_sim_semantics *
fth_sim_semantics_of(const struct fth_sim_semantics *semantics_table, size_t count,
                     const struct fth_function *function)
{
    const struct fth_sim_semantics wanted = {.function = function};
    return bsearch(&wanted, semantics_table, count, sizeof *semantics_table, by_function);
}
