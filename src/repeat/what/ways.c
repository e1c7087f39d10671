/* From rows to ways: see the header. */
#include "repeat/what/ways.h"

#include "base/memory.h"
#include "model/reading/given_hints.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/ways_of_hdf5.h"
#include "trace/record/builtin.h"

#include <string.h>

struct fth_repeat_ways {
    size_t count;
    struct fth_repeat_way *ways; /* by function */
};

static const char of_system[] = "a socket, a pipe or another object of the system, no file";
static const char not_recorded[] = "what it is given is not in the trace";
static const char of_tuner[] =
    "the file is opened without the hints of `fathom tune --live`, with the program's own";
static const char several[] = "it begins several asynchronous operations at once";

/* What a row tells about its parameters. */
struct facts {
    unsigned uses, opens, closes, paths, outs, texts;
    unsigned unkept_arrays, member_lists; /* lists with a number for each member */
    bool bytes, items, vector, aio, aio_list, distance, new_first_path, handle_pointer;
    bool text_buffer, callback, flags_first;
    bool unknown; /* something behind a pointer */
};

static bool begins_with(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

static bool is_pointer(const char *type)
{
    return strchr(type, '*') || strchr(type, '[');
}

static void note_parameter(struct facts *facts, const struct fth_parameter *parameter)
{
    const char *role = parameter->role, *type = parameter->type;
    facts->uses += begins_with(role, "use ");
    facts->opens += begins_with(role, "new ");
    facts->closes += begins_with(role, "close ");
    facts->outs += begins_with(role, "out");
    facts->texts += !strcmp(role, "string");
    facts->bytes |= !strcmp(role, "bytes");
    facts->items |= !strcmp(role, "items");
    facts->vector |= begins_with(role, "iov");
    facts->aio |= !strcmp(role, "aio");
    facts->aio_list |= begins_with(role, "aio[");
    facts->distance |= !strcmp(role, "distance");
    facts->handle_pointer |=
        is_pointer(type) && (begins_with(role, "use ") || begins_with(role, "close "));
    bool keeps_nothing = !*role;
    /* an array has the type of its elements, and no parameter by value is constant */
    bool is_array = strchr(type, '[') || (begins_with(type, "const ") && !strchr(type, '*'));
    facts->unkept_arrays += keeps_nothing && is_array;
    facts->member_lists += begins_with(role, "in[mpi_");
    facts->text_buffer |= keeps_nothing && begins_with(type, "char");
    facts->unknown |= !strcmp(type, "void *");
    facts->callback |= strstr(type, "_function") != NULL;
    if (begins_with(role, "path")) {
        facts->new_first_path |= !facts->paths && !begins_with(type, "const");
        facts->paths++;
    }
}

static struct facts facts_of(const struct fth_function *function)
{
    struct facts facts = {0};
    for (size_t i = 0; i < function->parameter_count; i++)
        note_parameter(&facts, &function->parameters[i]);
    facts.flags_first =
        function->parameter_count && begins_with(function->parameters->role, "flags");
    return facts;
}

static bool is_kind(const struct fth_function *function, const char *kind)
{
    return !strcmp(function->kind, kind);
}

static bool orders(const struct fth_function *function, const char *word)
{
    return function->orders && !strcmp(function->orders, word);
}

static struct fth_repeat_way left_out(const char *why)
{
    return (struct fth_repeat_way){.how = FTH_REPEAT_LEFT_OUT, .why = why};
}

static struct fth_repeat_way by(enum fth_repeat_how how)
{
    return (struct fth_repeat_way){.how = how};
}

/* ---- files and streams ---- */

static struct fth_repeat_way way_of_data(const struct fth_function *function,
                                         const struct facts *facts)
{
    if (function->copies || facts->bytes || facts->items || facts->vector)
        return facts->uses ? by(FTH_REPEAT_CALL) : left_out(not_recorded);
    return by(FTH_REPEAT_MOVE);
}

static struct fth_repeat_way way_of_open(const struct facts *facts)
{
    if (facts->new_first_path)
        return by(FTH_REPEAT_UNIQUE);
    if (facts->paths || (facts->uses && facts->texts) || (facts->uses == 1 && !facts->opens))
        return by(FTH_REPEAT_CALL);
    return left_out(of_system);
}

static struct fth_repeat_way way_of_name(const struct fth_function *function,
                                         const struct facts *facts)
{
    if (facts->callback)
        return left_out("it gives the library a function of the program");
    if (facts->unknown)
        return left_out(is_kind(function, "stat")
                            ? "it asks for a value that files of a replay do not have"
                            : "what its pointer leads to is not in the trace");
    if (facts->new_first_path)
        return is_kind(function, "name") ? by(FTH_REPEAT_UNIQUE) : by(FTH_REPEAT_NOTHING);
    return facts->paths || facts->uses ? by(FTH_REPEAT_CALL) : by(FTH_REPEAT_NOTHING);
}

/* Whether it only turns a stream into its descriptor. */
static bool asks_for_descriptor(const struct fth_function *function)
{
    const struct fth_parameter *first = function->parameters;
    return is_kind(function, "control") && function->parameter_count == 1 &&
           (!strcmp(first->role, "use stream") || !strcmp(first->role, "use dir")) &&
           !strcmp(function->result_type, "int");
}

static struct fth_repeat_way way_of_control(const struct fth_function *function,
                                            const struct facts *facts)
{
    if (asks_for_descriptor(function))
        return by(FTH_REPEAT_DESCRIPTOR);
    if (!facts->uses)
        return by(FTH_REPEAT_NOTHING);
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        if (!strcmp(parameter->type, "void *") && !*parameter->role)
            return left_out(not_recorded);
    }
    return by(FTH_REPEAT_CALL);
}

/* Whoever asks or waits in between changes nothing: the result is waited for. */
static struct fth_repeat_way way_of_asynchronous(const struct fth_function *function,
                                                 const struct facts *facts)
{
    if (is_kind(function, "test") || is_kind(function, "cancel"))
        return by(FTH_REPEAT_NOTHING);
    if (is_kind(function, "wait"))
        return by(facts->aio ? FTH_REPEAT_END : FTH_REPEAT_NOTHING);
    return facts->aio ? by(FTH_REPEAT_BEGIN) : left_out(several);
}

static struct fth_repeat_way way_of_file(const struct fth_function *function,
                                         const struct facts *facts)
{
    static const char *const names[] = {"stat", "name", "delete", "permission", "list"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_kind(function, names[i]))
            return way_of_name(function, facts);
    if (facts->aio || facts->aio_list)
        return way_of_asynchronous(function, facts);
    if (is_kind(function, "read") || is_kind(function, "write"))
        return way_of_data(function, facts);
    if (is_kind(function, "open"))
        return way_of_open(facts);
    if (is_kind(function, "close"))
        return facts->closes ? by(FTH_REPEAT_CALL) : left_out("it closes what it does not name");
    if (is_kind(function, "dup"))
        return by(FTH_REPEAT_DUPLICATE);
    if (is_kind(function, "seek"))
        return facts->distance || function->parameter_count == 1 ? by(FTH_REPEAT_CALL)
                                                                 : left_out(not_recorded);
    if (is_kind(function, "sync") || is_kind(function, "truncate"))
        return facts->uses || facts->paths ? by(FTH_REPEAT_CALL) : by(FTH_REPEAT_NOTHING);
    if (is_kind(function, "control") || is_kind(function, "lock"))
        return way_of_control(function, facts);
    if (is_kind(function, "map"))
        return left_out("accesses to mapped memory are not recorded");
    if (is_kind(function, "pipe")) /* sockets are made in a domain */
        return facts->flags_first ? left_out(of_system) : by(FTH_REPEAT_CALL);
    return is_kind(function, "poll") || facts->paths ? by(FTH_REPEAT_NOTHING) : left_out(of_system);
}

/* ---- MPI ---- */

/* Makes a communicator with processes that the run does not begin with. */
static bool reaches_others(const struct fth_function *function)
{
    static const char *const words[] = {"spawn", "parent", "accept", "connect", "join"};
    for (size_t i = 0; function->builds && i < sizeof words / sizeof *words; i++)
        if (!strcmp(function->builds, words[i]))
            return true;
    return false;
}

/* Counts that are not in the trace; displacements are chosen where the counts before them are known
 * (MPI_Allgatherv). How many neighbours a process has is not known here. */
static bool lacks_counts(const struct fth_function *function, const struct facts *facts)
{
    return orders(function, "neighbours") || facts->unkept_arrays > facts->member_lists;
}

/* Windows have memory of the replay's own, as large as it was. */
static struct fth_repeat_way way_of_window(const struct fth_function *function,
                                           const struct facts *facts)
{
    bool makes_window = facts->opens && function->collective;
    if (makes_window && !facts->unknown)
        return left_out("what is attached to its window lies at addresses of the run");
    if (facts->outs)
        return by(orders(function, "wait") ? FTH_REPEAT_PROBE : FTH_REPEAT_NOTHING);
    return by(FTH_REPEAT_CALL);
}

static struct fth_repeat_way way_of_messages(const struct fth_function *function,
                                             const struct facts *facts)
{
    if (is_kind(function, "init") || is_kind(function, "finalize"))
        return by(FTH_REPEAT_CALL);
    if (orders(function, "parts"))
        return left_out("communication in parts");
    if (is_kind(function, "send") || is_kind(function, "recv") || is_kind(function, "exchange") ||
        is_kind(function, "start"))
        return by(FTH_REPEAT_CALL);
    if (is_kind(function, "wait") || is_kind(function, "test"))
        return by(FTH_REPEAT_COMPLETE);
    if (is_kind(function, "probe"))
        return by(FTH_REPEAT_PROBE);
    if (reaches_others(function))
        return left_out("it reaches processes of another MPI_COMM_WORLD");
    if (is_kind(function, "collective"))
        return by(lacks_counts(function, facts) ? FTH_REPEAT_MEET : FTH_REPEAT_CALL);
    if (is_kind(function, "rma"))
        return way_of_window(function, facts);
    if (is_kind(function, "comm") || is_kind(function, "group") || is_kind(function, "topology")) {
        if (!facts->opens && !facts->closes)
            return by(FTH_REPEAT_NOTHING);
        return facts->unkept_arrays || facts->member_lists || facts->callback || facts->unknown
                   ? left_out(not_recorded)
                   : by(FTH_REPEAT_CALL);
    }
    if (is_kind(function, "type"))
        return function->builds || facts->opens || facts->handle_pointer ? by(FTH_REPEAT_CALL)
                                                                         : by(FTH_REPEAT_NOTHING);
    if (is_kind(function, "info"))
        return facts->outs || facts->text_buffer ? by(FTH_REPEAT_NOTHING) : by(FTH_REPEAT_CALL);
    return by(FTH_REPEAT_NOTHING);
}

static struct fth_repeat_way way_of_mpiio(const struct fth_function *function,
                                          const struct facts *facts)
{
    bool makes_file = is_kind(function, "open");
    if (fth_given_hint_by_tuner(function))
        return (struct fth_repeat_way){
            .how = FTH_REPEAT_LEFT_OUT, .why = of_tuner, .is_missed_inside = true};
    if (is_kind(function, "error") || (facts->opens && !makes_file && !function->nonblocking))
        return by(FTH_REPEAT_NOTHING);
    if (facts->outs && !is_kind(function, "read") && !is_kind(function, "write") &&
        !is_kind(function, "stat") && !is_kind(function, "seek"))
        return by(FTH_REPEAT_NOTHING);
    return by(FTH_REPEAT_CALL);
}

/* ---- all ---- */

static struct fth_repeat_way way_of_process(const struct fth_function *function)
{
    if (orders(function, "fork") || orders(function, "child"))
        return by(FTH_REPEAT_FORK);
    return by(orders(function, "reap") ? FTH_REPEAT_REAP : FTH_REPEAT_NOTHING);
}

static struct fth_repeat_way way_of_library(const struct fth_trace *trace,
                                            const struct fth_function *function)
{
    const struct fth_layer *layer = fth_trace_layer(trace, function->layer);
    return by(layer && layer->accesses_files ? FTH_REPEAT_CALL : FTH_REPEAT_THROUGH);
}

static struct fth_repeat_way way_of(const struct fth_trace *trace,
                                    const struct fth_function *function,
                                    enum fth_repeat_layers layers)
{
    const struct facts facts = facts_of(function);
    const char *layer = function->layer;
    if (is_kind(function, "process") || fth_layer_is(layer, FTH_LAYER_PROCESSES))
        return way_of_process(function);
    if (fth_layer_is(layer, FTH_LAYER_MESSAGES))
        return way_of_messages(function, &facts);
    if (fth_layer_is(layer, FTH_LAYER_TOGETHER))
        return layers == FTH_REPEAT_POSIX ? by(FTH_REPEAT_THROUGH) : way_of_mpiio(function, &facts);
    if (fth_layer_is(layer, FTH_LAYER_SYSTEM) || fth_layer_is(layer, FTH_LAYER_STREAMS))
        return way_of_file(function, &facts);
    if (layers == FTH_REPEAT_HDF5 && fth_layer_is(layer, FTH_LAYER_HDF5))
        return fth_repeat_way_of_hdf5(trace, function);
    return layers == FTH_REPEAT_LIBRARIES ? way_of_library(trace, function)
                                          : by(FTH_REPEAT_THROUGH);
}

static int by_function(const void *one, const void *other)
{
    const struct fth_repeat_way *a = one, *b = other;
    return (a->function > b->function) - (a->function < b->function);
}

struct fth_repeat_ways *fth_repeat_ways_open(const struct fth_trace *trace,
                                             enum fth_repeat_layers layers)
{
    struct fth_repeat_ways *ways = fth_new(1, sizeof *ways);
    ways->count = fth_trace_function_count(trace);
    ways->ways = fth_new(ways->count + 1, sizeof *ways->ways);
    for (size_t i = 0; i < ways->count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        ways->ways[i] = way_of(trace, function, layers);
        ways->ways[i].function = function;
    }
    qsort(ways->ways, ways->count, sizeof *ways->ways, by_function);
    return ways;
}

const struct fth_repeat_way *fth_repeat_way_of(const struct fth_repeat_ways *ways,
                                               const struct fth_function *function)
{
    static const struct fth_repeat_way unknown = {
        .how = FTH_REPEAT_LEFT_OUT, .why = "the trace does not describe its function"};
    const struct fth_repeat_way wanted = {.function = function};
    const struct fth_repeat_way *way =
        bsearch(&wanted, ways->ways, ways->count, sizeof *ways->ways, by_function);
    return way ? way : &unknown;
}

void fth_repeat_ways_close(struct fth_repeat_ways *ways)
{
    if (ways)
        free(ways->ways);
    free(ways);
}

/* ---- the outermost calls ---- */

const struct fth_repeat_way *fth_repeat_outermost(struct fth_repeat_outer *outer,
                                                  const struct fth_repeat_ways *ways,
                                                  const struct fth_call *call)
{
    outer->inside = fth_reach(outer->inside, &outer->limit, call->thread, sizeof *outer->inside);
    uint32_t *inside = &outer->inside[call->thread];
    /* a library's own threads work for the call that started them */
    if (call->starter && fth_repeat_way_of(ways, call->starter)->how != FTH_REPEAT_THROUGH)
        return NULL;
    const struct fth_repeat_way *way = fth_repeat_way_of(ways, call->function);
    if (*inside && call->depth >= *inside)
        return way->is_missed_inside ? way : NULL;
    *inside = way->how == FTH_REPEAT_THROUGH ? 0 : call->depth + 1;
    return way->how == FTH_REPEAT_THROUGH ? NULL : way;
}

void fth_repeat_outer_free(struct fth_repeat_outer *outer)
{
    free(outer->inside);
    *outer = (struct fth_repeat_outer){0};
}
