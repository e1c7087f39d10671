/* One reading of the calls of each rank. The outermost calls of libraries and of MPI-IO count, and
 * those of the system that are in none of them: what a library does inside of its calls it would do
 * again. Streams of libc are looked through, as only the calls below them have places. */
#include "gen/infer/recorded.h"

#include "analysis/select/noise.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { MOST_FILES = 1 << 20 /* of all ranks together */, MOST_RANKS = 1 << 16 };
/* No file or array is longer: products of places stay below 2^63. */
#define MOST_BYTES (INT64_C(1) << 60)

/* What a rank has last done to a file. */
struct last {
    uint64_t meetings, own; /* of the rank; openings, closings and syncs of this file */
    uint64_t tag_meetings, tag_own;
    bool open; /* there is a round */
};

/* A round whose arrays are not runs yet. */
struct pending {
    struct fth_gen_slabs slabs;
    int64_t rank;
};

struct walk {
    struct fth_trace *trace;
    struct fth_gen_recorded *recorded;
    struct fth_intern paths;
    int64_t rank;
    struct fth_accesses *accesses;
    struct fth_access access;
    uint32_t *inside; /* by thread: depth of the call that covers those below + 1 */
    uint32_t inside_limit;
    struct last *last; /* by file */
    uint32_t last_limit;
    uint64_t of_all;                          /* collective calls of all ranks */
    uint64_t meetings, gathered, gathered_at; /* at this meeting */
    int64_t gathering_size;
    struct pending *pending;
    size_t pending_count;
};

/* ---- files and their arrays ---- */

static void unknown(struct fth_gen_recorded_file *file, const char *why)
{
    if (!file->why)
        file->why = fth_text_copy(why);
}

/* NULL: it is nobody's, or there are too many. */
static struct fth_gen_recorded_file *file_of(struct walk *walk, uint32_t *number)
{
    const struct fth_call *call = &walk->access.call;
    struct fth_gen_recorded *recorded = walk->recorded;
    if (!call->file || fth_analysis_is_noise(call->file, false))
        return NULL;
    uint32_t count = walk->paths.count;
    if (count >= MOST_FILES / recorded->ranks &&
        !fth_interned_before(&walk->paths, call->file, strlen(call->file)))
        return NULL;
    *number = fth_intern(&walk->paths, call->file, strlen(call->file));
    if (*number == count) {
        FTH_GROW(recorded->files, recorded->file_count);
        recorded->files[recorded->file_count++] = (struct fth_gen_recorded_file){
            .path = fth_text_copy(call->file),
            .ranks = fth_new((size_t)recorded->ranks, sizeof(struct fth_gen_recorded_rank))};
    }
    return &recorded->files[*number];
}

/* ---- rounds ---- */

static struct fth_gen_round *round_of(struct walk *walk, struct fth_gen_recorded_file *file,
                                      uint32_t number)
{
    const struct fth_call *call = &walk->access.call;
    struct fth_gen_recorded_rank *rank = &file->ranks[walk->rank];
    struct fth_gen_round *before = rank->round_count ? &rank->rounds[rank->round_count - 1] : NULL;
    struct last *last = &walk->last[number];
    bool same = before && last->open && !before->collective && !call->collective &&
                before->writes == call->writes && last->tag_meetings == walk->meetings &&
                last->tag_own == last->own;
    if (!walk->recorded->with_mpi && file->process && file->process != call->proc + 1)
        unknown(file, "several processes without MPI access it");
    file->process = call->proc + 1;
    last->open = true;
    last->tag_meetings = walk->meetings;
    last->tag_own = last->own;
    file->writes |= call->writes;
    file->reads |= call->reads;
    file->layer = call->function->layer;
    if (same)
        return before;
    bool gathers = walk->gathered && walk->gathered_at == walk->meetings;
    FTH_GROW(rank->rounds, rank->round_count);
    struct fth_gen_round *round = &rank->rounds[rank->round_count++];
    *round = (struct fth_gen_round){.writes = call->writes,
                                    .collective = call->collective,
                                    .first = rank->run_count,
                                    .meetings = walk->of_all,
                                    .gathered = gathers ? walk->gathered : 0,
                                    .gathering_size = gathers ? walk->gathering_size : 0};
    return round;
}

static void note_bytes(struct walk *walk, struct fth_gen_recorded_file *file, uint32_t number)
{
    struct fth_range range;
    struct fth_gen_recorded *recorded = walk->recorded;
    const struct fth_gen_space_key key = {.number = -1};
    uint32_t space = fth_gen_space_of(recorded, file, &key, 0);
    struct fth_gen_recorded_rank *rank = &file->ranks[walk->rank];
    const struct fth_gen_type *type = fth_gen_type_of_mpi(walk->access.datatype);
    if (!walk->access.length)
        return;
    file->has_bytes = true;
    struct fth_gen_round *round = round_of(walk, file, number);
    while (fth_accesses_range(walk->accesses, &range)) {
        if (recorded->run_count == FTH_GEN_MOST_RECORDED || range.offset > MOST_BYTES ||
            range.length > MOST_BYTES) {
            unknown(file, "there are more pieces than can be looked at, or places beyond 1 EiB");
            return;
        }
        if (!range.length)
            continue;
        FTH_GROW(rank->runs, rank->run_count);
        rank->runs[rank->run_count++] =
            (struct fth_gen_run){space, type, range.offset, range.length};
        recorded->run_count++;
        round->count++;
        file->bytes += range.length;
    }
}

/* An array may have grown. */
static void take_extent(struct fth_gen_space *space, const int64_t *extent)
{
    for (unsigned d = 0; d < space->rank; d++)
        if (extent[d] > space->extent[d])
            space->extent[d] = extent[d];
    space->extent_known = true;
}

/* Are these numbers those of regular blocks in an array? Those of an array whose lengths are not
 * known make it as long. */
static bool fits(struct fth_gen_space *space, const struct fth_elements *elements)
{
    const unsigned rank = space->rank;
    for (size_t i = 0; i < elements->count; i++)
        for (unsigned d = 0; d < rank; d++) {
            const int64_t *of = elements->numbers + i * 4 * rank + d;
            int64_t start = of[0], stride = of[rank], count = of[2 * rank], block = of[3 * rank];
            int64_t end;
            if (start < 0 || count < 0 || block < 0 || (count > 1 && stride < block))
                return false;
            if (!count || !block)
                continue;
            if (__builtin_mul_overflow(count - 1, stride, &end) ||
                __builtin_add_overflow(end, start, &end) ||
                __builtin_add_overflow(end, block, &end) || end > MOST_BYTES)
                return false;
            if (end > space->extent[d] && space->extent_known)
                return false;
            if (end > space->extent[d])
                space->extent[d] = end;
        }
    return true;
}

static const char *why_not(struct fth_gen_space *space, const struct fth_elements *elements,
                           uint64_t item)
{
    if (elements->form == FTH_SELECTION_UNKNOWN)
        return elements->why ? elements->why : "its elements are not in the trace";
    if (elements->form == FTH_SELECTION_POINTS)
        return "single points of it are accessed";
    if (elements->form == FTH_SELECTION_ALL && !elements->extent)
        return "it is accessed as a whole, and its lengths are not in the trace";
    if (elements->total < 0 || !item || (space->item && space->item != item))
        return "the size of its elements is not known";
    if (elements->form == FTH_SELECTION_SLABS && elements->rank != space->rank)
        return "its number of dimensions changes";
    return NULL;
}

static void note_elements(struct walk *walk, struct fth_gen_recorded_file *file, uint32_t number,
                          const struct fth_selected *selected)
{
    const struct fth_elements *elements = &selected->file;
    const struct fth_gen_space_key key = fth_gen_space_key_of(file, &walk->access.call, selected);
    uint32_t at = fth_gen_space_of(walk->recorded, file, &key,
                                   elements->form == FTH_SELECTION_UNKNOWN ? 0 : elements->rank);
    uint64_t bytes = walk->access.call.bytes_known ? walk->access.call.bytes : 0;
    if (at == UINT32_MAX) {
        unknown(file, "there are more arrays than can be looked at");
        return;
    }
    if (elements->form == FTH_SELECTION_NOTHING || !elements->total || !bytes)
        return;
    struct fth_gen_space *space = &file->spaces[at];
    uint64_t item = space->item;
    if (space->defined)
        item = space->defined->bytes;
    else if (elements->total > 0 && walk->access.selected_count == 1)
        item = bytes / (uint64_t)elements->total;
    if (elements->extent && elements->rank == space->rank)
        take_extent(space, elements->extent);
    const char *why = why_not(space, elements, item);
    if (!why && elements->form == FTH_SELECTION_SLABS && !fits(space, elements))
        why = "elements outside of it are accessed, or their numbers are no blocks";
    if (why && !space->why)
        space->why = why;
    if (why)
        return;
    space->item = item;
    fth_gen_space_take_type(space, &walk->access);
    round_of(walk, file, number);
    file->has_elements = true;
    size_t numbers = elements->form == FTH_SELECTION_SLABS ? elements->count * 4 * space->rank : 0;
    int64_t *copy = fth_arena_take(&walk->recorded->arena, (numbers + 1) * sizeof *copy);
    if (numbers)
        memcpy(copy, elements->numbers, numbers * sizeof *copy);
    file->bytes += bytes;
    FTH_GROW(walk->pending, walk->pending_count);
    walk->pending[walk->pending_count++] = (struct pending){
        {number, at, file->ranks[walk->rank].round_count - 1, numbers ? elements->count : 0, copy},
        walk->rank};
}

/* ---- calls ---- */

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words))
            return true;
    return false;
}

/* What this process gathers from all others of a group. */
static void note_gathering(struct walk *walk)
{
    const struct fth_call *call = &walk->access.call;
    const struct fth_value *root = NULL, *count = NULL;
    if (!call->function->orders || strcmp(call->function->orders, "to_root") != 0 || !call->group)
        return;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        if (!strcmp(role, "root"))
            root = &call->arguments[i];
        else if (!strcmp(role, "count") && !count)
            count = &call->arguments[i];
    }
    uint64_t bytes;
    const struct fth_datatype *datatype = walk->access.datatype;
    if (!root || root->type != FTH_VALUE_INTEGER || root->integer != call->group->group_rank ||
        !count || count->type != FTH_VALUE_INTEGER || !datatype || datatype->size <= 0 ||
        count->integer <= 0 ||
        __builtin_mul_overflow((uint64_t)count->integer, (uint64_t)datatype->size, &bytes))
        return;
    walk->gathered = bytes;
    walk->gathered_at = walk->meetings;
    walk->gathering_size = call->group->group_size;
}

static void note_meeting(struct walk *walk)
{
    static const char *const meets[] = {"collective", "exchange", "recv", "send",  "start",
                                        "wait",       "test",     "rma",  "probe", NULL};
    if (!is_one_of(walk->access.call.function->kind, meets))
        return;
    walk->meetings++;
    note_gathering(walk);
}

static void note_call(struct walk *walk)
{
    const struct fth_call *call = &walk->access.call;
    const struct fth_function *function = call->function;
    uint32_t number;
    if (fth_layer_is(function->layer, FTH_LAYER_MESSAGES))
        note_meeting(walk);
    struct fth_gen_recorded_file *file = file_of(walk, &number);
    if (!file || call->error_number)
        return;
    fth_gen_variables_note(walk->trace, walk->recorded, file, call);
    walk->last = fth_reach(walk->last, &walk->last_limit, number, sizeof *walk->last);
    if (function->opens || function->closes || !strcmp(function->kind, "sync"))
        walk->last[number].own++;
    if (walk->access.kind == FTH_ACCESS_UNKNOWN)
        unknown(file, walk->access.why ? walk->access.why : "places of accesses are not known");
    else if (walk->access.kind == FTH_ACCESS_BYTES)
        note_bytes(walk, file, number);
    else
        for (size_t i = 0; i < walk->access.selected_count; i++)
            note_elements(walk, file, number, &walk->access.selected[i]);
}

/* Calls below this one are what its library does. */
static bool covers(const struct walk *walk)
{
    const struct fth_function *function = walk->access.call.function;
    const struct fth_layer *layer = fth_trace_layer(walk->trace, function->layer);
    return layer && (layer->accesses_files || layer->is & FTH_LAYER_MESSAGES) &&
           !(layer->is & FTH_LAYER_STREAMS);
}

static bool is_of_all(const struct walk *walk)
{
    const struct fth_call *call = &walk->access.call;
    return call->collective && call->group && call->group->group_size == walk->recorded->ranks;
}

static int read_rank(struct walk *walk, size_t proc, struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_with_handles(walk->trace, proc, error);
    if (!calls)
        return -1;
    walk->accesses = fth_accesses_open(walk->trace, proc, calls);
    walk->recorded->lacks_calls |= fth_process_lacks_calls(fth_trace_process(walk->trace, proc));
    walk->of_all = walk->meetings = walk->gathered = 0;
    int more;
    while ((more = fth_accesses_next(walk->accesses, &walk->access, error)) == 1) {
        const struct fth_call *call = &walk->access.call;
        walk->inside =
            fth_reach(walk->inside, &walk->inside_limit, call->thread, sizeof *walk->inside);
        uint32_t *inside = &walk->inside[call->thread];
        if (*inside && call->depth >= *inside)
            continue;
        *inside = covers(walk) ? call->depth + 1 : 0;
        note_call(walk);
        walk->of_all += is_of_all(walk);
    }
    fth_accesses_close(walk->accesses);
    fth_calls_close(calls);
    free(walk->inside);
    free(walk->last);
    walk->inside = NULL;
    walk->last = NULL;
    walk->inside_limit = walk->last_limit = 0;
    return more;
}

/* ---- arrays of libraries ---- */

/* Their sizes are known now. */
static bool is_countable(const struct fth_gen_space *space)
{
    int64_t bytes = (int64_t)space->item;
    for (unsigned d = 0; d < space->rank; d++)
        if (__builtin_mul_overflow(bytes, space->extent[d], &bytes) || bytes > MOST_BYTES)
            return false;
    return true;
}

static void expand(struct walk *walk)
{
    for (size_t i = 0; i < walk->pending_count; i++) {
        const struct fth_gen_slabs *slabs = &walk->pending[i].slabs;
        struct fth_gen_recorded_file *file = &walk->recorded->files[slabs->file];
        struct fth_gen_space *space = &file->spaces[slabs->space];
        struct fth_gen_recorded_rank *rank = &file->ranks[walk->pending[i].rank];
        struct fth_gen_round *round = &rank->rounds[slabs->round];
        if (file->has_bytes)
            unknown(file, "its bytes are accessed beside its arrays");
        if (file->why)
            continue;
        if (!round->count)
            round->first = rank->run_count;
        if (space->why)
            continue;
        if (!is_countable(space))
            space->why = "it is too large to be counted";
        else if (!fth_gen_slabs_expand(walk->recorded, file, slabs, rank))
            space->why = "there are more pieces than can be looked at";
        round->count = rank->run_count - round->first;
    }
}

/* ---- the run ---- */

static int read_mpi(struct walk *walk, int64_t world, struct fth_error **error)
{
    for (size_t proc = 0; proc < fth_trace_process_count(walk->trace); proc++) {
        const struct fth_process *process = fth_trace_process(walk->trace, proc);
        if (process->world != world || process->rank < 0 || process->rank >= walk->recorded->ranks)
            continue;
        walk->rank = process->rank;
        walk->recorded->program = process->executable;
        walk->recorded->directory = process->directory;
        if (read_rank(walk, proc, error) < 0)
            return -1;
    }
    return 0;
}

static int read_processes(struct walk *walk, struct fth_error **error)
{
    for (size_t proc = 0; proc < fth_trace_process_count(walk->trace); proc++) {
        const struct fth_process *process = fth_trace_process(walk->trace, proc);
        size_t before = walk->recorded->run_count, pending = walk->pending_count;
        if (process->launcher)
            continue;
        if (read_rank(walk, proc, error) < 0)
            return -1;
        if (walk->recorded->run_count > before || walk->pending_count > pending) {
            walk->recorded->program = process->executable;
            walk->recorded->directory = process->directory;
        }
    }
    return 0;
}

int fth_gen_recorded_read(struct fth_trace *trace, struct fth_gen_recorded *recorded,
                          struct fth_error **error)
{
    struct walk walk = {.trace = trace, .recorded = recorded};
    int64_t world = FTH_NO_WORLD;
    *recorded = (struct fth_gen_recorded){.ranks = 1};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        if (process->world == FTH_NO_WORLD || process->rank < 0 || process->size < 1)
            continue;
        if (world != FTH_NO_WORLD && process->world != world)
            return fth_fail(error, "the run has several MPI programs: hints are of one");
        if (process->size > MOST_RANKS)
            return fth_fail(error, "the run has more than %d ranks", MOST_RANKS);
        world = process->world;
        recorded->ranks = process->size;
        recorded->with_mpi = true;
    }
    int result = recorded->with_mpi ? read_mpi(&walk, world, error) : read_processes(&walk, error);
    if (!result)
        expand(&walk);
    free(walk.pending);
    fth_intern_free(&walk.paths);
    return result;
}

void fth_gen_recorded_free(struct fth_gen_recorded *recorded)
{
    for (size_t i = 0; i < recorded->file_count; i++) {
        struct fth_gen_recorded_file *file = &recorded->files[i];
        for (int64_t rank = 0; rank < recorded->ranks; rank++) {
            free(file->ranks[rank].rounds);
            free(file->ranks[rank].runs);
        }
        free(file->ranks);
        free(file->spaces);
        free(file->variables);
        free((char *)file->path);
        free(file->why);
    }
    free(recorded->files);
    fth_arena_free(&recorded->arena);
    *recorded = (struct fth_gen_recorded){0};
}
