/* Opening and closing files that takes a tenth of all time or more, by the layer that the program
 * calls: also where it is done a few times only, and where most of it is spent in a library, which
 * asks other ranks (MPI_File_open, nc_create_par). */
#include "analysis/passes/metadata.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <string.h>

/* So many times what is worth reporting is much. */
static const double much = 20;
/* Who has fewer files can hardly do with fewer. */
static const uint64_t many_files = 10;

struct openings_of_layer {
    uint64_t files, opens, needed; /* needed: one opening by each process of each file */
    uint64_t openers, movers;      /* processes of each file that open it; that use it, too */
    uint64_t processes;            /* that open one of them, at most */
    uint64_t written;              /* bytes, to these files */
    int64_t time;                  /* of files, not of what is in them */
    struct fth_openings sum;
};

static void add_sum(struct fth_opening_sum *sum, const struct fth_opening_sum *more)
{
    sum->calls += more->calls;
    FTH_ADD_SATURATING(sum->time, more->time);
    if (more->longest > sum->longest) {
        sum->longest = more->longest;
        sum->inside = more->inside;
    }
    sum->written += more->written;
    fth_example_merge(&sum->example, &more->example);
}

void fth_openings_add(struct fth_openings *sum, const struct fth_openings *more)
{
    add_sum(&sum->opening, &more->opening);
    add_sum(&sum->closing, &more->closing);
    sum->collective += more->collective;
    FTH_ADD_SATURATING(sum->below, more->below);
}

static bool is_opened_on(const struct fth_metadata_run *run, const struct fth_indexed_entry *entry,
                         const struct fth_metadata *shared, uint64_t layer)
{
    return entry->sort == layer && fth_openings_calls(&shared->openings) &&
           !run->survey->files[entry->number].noise;
}

static struct openings_of_layer sum_up(const struct fth_metadata_run *run, uint64_t layer)
{
    struct openings_of_layer of = {0};
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->files, i);
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        const struct fth_openings *openings = &shared->openings;
        if (!is_opened_on(run, entry, shared, layer))
            continue;
        of.files++;
        of.opens += shared->opens;
        of.needed += shared->processes;
        of.openers += shared->openers;
        of.processes = shared->openers > of.processes ? shared->openers : of.processes;
        of.movers += shared->movers;
        of.written += shared->bytes - shared->bytes_read;
        FTH_ADD_SATURATING(of.time, openings->opening.time);
        FTH_ADD_SATURATING(of.time, openings->closing.time);
        fth_openings_add(&of.sum, openings);
    }
    return of;
}

/* "12 calls (MPI_File_open ...) open them and take 40.0 ms on average and 41.0 ms at most". */
struct operation {
    char text[256];
};

static struct operation operation_of(const struct fth_opening_sum *sum, const char *verb,
                                     const char *what)
{
    struct operation operation;
    bool one = sum->calls == 1;
    snprintf(operation.text, sizeof operation.text, "%s (%s%s) %s%s %s and %s %s",
             FTH_SEVERAL(sum->calls, "call", "calls"), sum->example.asked->name, one ? "" : " ...",
             verb, one ? "s" : "", what, one ? "takes" : "take",
             FTH_EACH(sum->time, sum->calls, sum->longest));
    return operation;
}

/* "6 files: ... open them ...; ... close them ...". */
static void say_operations(struct fth_finding *finding, const struct openings_of_layer *of,
                           const char *inside)
{
    const struct fth_openings *sum = &of->sum;
    const char *what = of->files == 1 ? "it" : "them";
    bool opens = sum->opening.calls, closes = sum->closing.calls;
    fth_finding_say(finding, "%s: %s%s%s.%s", FTH_SEVERAL(of->files, "file", "files"),
                    opens ? operation_of(&sum->opening, "open", what).text : "",
                    opens && closes ? "; " : "",
                    closes ? operation_of(&sum->closing, "close", what).text : "", inside);
}

/* Does most of the time go to closing, in which a library writes what it has kept? Beside that it
 * writes some metadata then. */
static bool writes_at_close(const struct openings_of_layer *of)
{
    const struct fth_opening_sum *closing = &of->sum.closing;
    return closing->written && 10 * closing->written >= of->written &&
           closing->time > of->sum.opening.time;
}

struct opened_file {
    uint32_t number;
    int64_t time; /* ns, of opening and closing it */
};

static int by_time(const void *one, const void *other)
{
    const struct opened_file *a = one, *b = other;
    return a->time != b->time ? (a->time < b->time ? 1 : -1)
                              : (a->number > b->number) - (a->number < b->number);
}

/* All that are opened or closed on this layer, first those that most time goes to. */
static void add_files(const struct fth_metadata_run *run, struct fth_finding *finding,
                      uint64_t layer)
{
    struct opened_file *opened = fth_new(run->files.count + 1, sizeof *opened);
    size_t count = 0;
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->files, i);
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (is_opened_on(run, entry, shared, layer))
            opened[count++] = (struct opened_file){
                entry->number,
                fth_saturating_sum(shared->openings.opening.time, shared->openings.closing.time)};
    }
    qsort(opened, count, sizeof *opened, by_time);
    for (size_t i = 0; i < count; i++)
        fth_finding_write_file(finding, run->survey, opened[i].number);
    free(opened);
}

/* All that open or close on this layer. */
static void add_functions(const struct fth_metadata_run *run, struct fth_finding *finding,
                          uint64_t layer)
{
    const struct fth_call_classes *classes = run->survey->classes;
    for (size_t i = 0; i < classes->count; i++)
        if (classes->list[i].layer == layer &&
            (classes->list[i].kind == FTH_CALLS_OPEN || classes->list[i].kind == FTH_CALLS_CLOSE))
            fth_finding_list_add(&finding->functions,
                                 fth_trace_function(run->survey->trace, i)->name);
}

/* Where the time of the calls is, as far as that is known. */
static const char *where_is_it(const struct fth_openings *sum)
{
    return sum->collective
               ? "; the rest is in the library, where ranks may also wait for one another"
               : "; the rest is in the library";
}

/* Where to look for what the longest call waits for. */
static const char *where_to_look(const struct fth_openings *sum,
                                 const struct fth_opening_sum *longest)
{
    return 10 * longest->inside >= longest->longest
               ? "Look at the calls inside the longest one: they show what it waits for."
           : sum->collective
               ? "Let all ranks come to it at the same time (`fathom path` shows which are late), "
                 "or "
                 "open files before they are needed: the time is in the library, or ranks wait for "
                 "one another there."
               : "Open files before they are needed, or put them on faster storage.";
}

static void advise(struct fth_finding *finding, const struct openings_of_layer *of,
                   const struct fth_opening_sum *longest, bool library)
{
    const struct fth_openings *sum = &of->sum;
    const char *fewer = of->files >= many_files ? "Use fewer files. " : "";
    bool some_only =
        2 * sum->collective > fth_openings_calls(sum) && of->movers && of->movers < of->openers;
    if (library && writes_at_close(of))
        fth_finding_advise(finding, "The library keeps what is written until it closes the file, "
                                    "and converts and compresses it then: compress less, or let "
                                    "more processes write.");
    else if (2 * of->opens > 3 * of->needed)
        fth_finding_advise(finding, "Open each file once, and keep it open.");
    else if (some_only)
        fth_finding_advise(finding,
                           "%sLet only the ranks that access a file open it (on a communicator of "
                           "these ranks, or MPI_COMM_SELF for one).",
                           fewer);
    else if (!library && longest->inside <= 0)
        fth_finding_advise(
            finding, "%sOpen files before they are needed, or put them on faster storage.", fewer);
    else
        fth_finding_advise(finding, "%s%s", fewer, where_to_look(sum, longest));
}

static void find_of_layer(const struct fth_metadata_run *run, struct fth_results *results,
                          uint64_t layer, bool library)
{
    const struct openings_of_layer of = sum_up(run, layer);
    const struct fth_openings *sum = &of.sum;
    if (!fth_openings_calls(sum) ||
        !fth_finding_is_worth(run->survey, (int64_t)((double)of.time / much)))
        return;
    const struct fth_opening_sum *longest =
        sum->closing.longest > sum->opening.longest || !sum->opening.calls ? &sum->closing
                                                                           : &sum->opening;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, FTH_NO_FILE, &longest->example, "long_opening",
                          "Opening and closing files takes long", of.time);
    finding->any_file = true;
    add_files(run, finding, layer);
    fth_finding_spread(finding, of.processes);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN) | FTH_CALLS_BIT(FTH_CALLS_CLOSE);
    add_functions(run, finding, layer);
    int64_t below = sum->below < 0 ? 0 : sum->below;
    char inside[384] = "", written[128] = "";
    if (library && writes_at_close(&of))
        snprintf(written, sizeof written, " Closing writes %s.", FTH_BYTES(sum->closing.written));
    if (library)
        snprintf(inside, sizeof inside,
                 " Calls of other layers inside them take %.0f %% of that%s.%s",
                 100 * (double)below / (double)of.time, where_is_it(sum), written);
    say_operations(finding, &of, inside);
    advise(finding, &of, longest, library);
}

void fth_metadata_find_openings(const struct fth_metadata_run *run, struct fth_results *results)
{
    const struct fth_call_classes *classes = run->survey->classes;
    for (uint64_t layer = 0; layer < classes->layer_count; layer++) {
        const char *name = classes->layers[layer];
        bool library =
            !fth_layer_is(name, FTH_LAYER_SYSTEM) && !fth_layer_is(name, FTH_LAYER_STREAMS);
        find_of_layer(run, results, layer, library);
    }
}
