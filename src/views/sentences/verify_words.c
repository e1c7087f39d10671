/* The verdict in sentences, then what it rests on. */
#include "views/sentences/verify_words.h"

#include "analysis/select/select.h"
#include "views/sentences/incomplete.h"
#include "views/output/words.h"

#include <string.h>

static void put_count(struct fth_sink *sink, uint64_t count, const char *one, const char *many)
{
    fth_sink_text(sink, fth_phrase_count((int64_t)count).text);
    fth_sink_char(sink, ' ');
    fth_sink_text(sink, count == 1 ? one : many);
}

/* ---- the verdict ---- */

static const char *const under_words[] = {[FTH_SAFE] = "Safe under ",
                                          [FTH_SAFE_AS_SEEN] = "As far as was seen, safe under ",
                                          [FTH_SAFETY_UNKNOWN] = "Not known to be safe under ",
                                          [FTH_RACY] = "Racy under "};

static uint64_t most_conflicts(const struct fth_verdict *verdict)
{
    uint64_t most = 0;
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].conflict_pairs > most)
            most = verdict->models[i].conflict_pairs;
    return most;
}

bool fth_views_verdict_shows(const struct fth_verdict_model *model, const char *asked)
{
    return !asked || strcmp(model->model->name, asked) == 0;
}

/* "mpiio", "posix and hdf5" */
static void put_layers(struct fth_sink *sink, const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->layer_count; i++) {
        fth_sink_text(sink, !i ? "" : i + 1 < model->layer_count ? ", " : " and ");
        fth_sink_text(sink, model->layers[i]);
    }
}

static bool has_nothing(const struct fth_verdict_model *model)
{
    return !model->has_accesses && fth_verdict_safety(model) <= FTH_SAFE_AS_SEEN;
}

/* File systems that keep a model which is enough, and want more of the accesses of single processes
 * than these have. */
static void put_exceptions(struct fth_sink *sink, const struct fth_verdict *verdict,
                           enum fth_safety safety, const char *before, const char *behind)
{
    size_t told = 0;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        for (size_t k = 0; k < model->model->system_count; k++) {
            const char *system = model->model->systems[k];
            if (!model->is_on_ladder || fth_verdict_safety(model) > FTH_SAFE_AS_SEEN ||
                fth_verdict_of_system(model, system) != safety)
                continue;
            fth_sink_text(sink, told++ ? ", " : before);
            fth_sink_text(sink, system);
        }
    }
    fth_sink_text(sink, told ? behind : "");
}

static void put_all_exceptions(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    put_exceptions(sink, verdict, FTH_RACY, " But not on ",
                   ": there, accesses of one process to the same bytes may take effect in another "
                   "order.");
    put_exceptions(sink, verdict, FTH_SAFETY_UNKNOWN, " It is not known for ",
                   ": there, accesses of one process to the same bytes may take effect in another "
                   "order.");
}

/* ---- what is below calls of a library ---- */

const struct fth_verdict_by_file *fth_views_verdict_below(const struct fth_verdict *verdict,
                                                          const struct fth_verdict_model *model,
                                                          const struct fth_verdict_group *group)
{
    bool in_one = group->first.proc == group->second.proc; /* threads: no violation */
    for (size_t i = 0; i < verdict->by_file_count && !model->is_on_ladder && !in_one; i++)
        if (strcmp(verdict->by_file[i].name, group->file) == 0)
            return &verdict->by_file[i];
    return NULL;
}

/* MPI_File_set_size, and what is like it in other libraries. */
static bool resizes(const struct fth_verdict *verdict, const struct fth_verdict_access *access)
{
    struct fth_verdict_link links[FTH_MOST_LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    for (size_t i = 0; i < count && i < FTH_MOST_LINKS; i++)
        if (strcmp(links[i].function->kind, "truncate") == 0)
            return true;
    return false;
}

static bool is_resized(const struct fth_verdict *verdict, const struct fth_verdict_group *group)
{
    return resizes(verdict, &group->first) || resizes(verdict, &group->second);
}

void fth_views_verdict_put_below(struct fth_sink *sink, const struct fth_verdict *verdict,
                                 const struct fth_verdict_by_file *below,
                                 const struct fth_verdict_group *group)
{
    bool resized = is_resized(verdict, group);
    if (below->racy && resized && !verdict->collectives_synchronize)
        fth_sink_text(sink, "MPI promises no order for the calls of the system that the library "
                            "made on this file, either");
    else if (below->racy)
        fth_sink_text(sink, "the calls of the system that the library made on this file are not "
                            "in order either: data is at risk");
    else if (below->unknown)
        fth_sink_text(sink, "of the calls of the system that the library made on this file it is "
                            "not known whether they are in order");
    else
        fth_sink_text(sink, "the calls of the system that the library made on this file are in "
                            "order: where the file system keeps posix no data was at risk");
    if (resized)
        fth_sink_text(sink, ". ROMIO and OMPIO cut a file off before any rank returns from the "
                            "call that resizes it (--collectives-synchronize)");
}

/* Is all that breaks the rules a file that is resized, while nothing below is out of order? */
static bool is_by_the_letter(const struct fth_verdict *verdict,
                             const struct fth_verdict_model *model)
{
    for (size_t i = 0; i < model->group_count; i++) {
        const struct fth_verdict_group *group = &model->groups[i];
        const struct fth_verdict_by_file *below = fth_views_verdict_below(verdict, model, group);
        if (!below || below->racy || below->unknown || !is_resized(verdict, group))
            return false;
    }
    return model->group_count > 0;
}

/* Models that are on no ladder have rules of their own: what is enough for a file system says
 * nothing of them. */
static void put_others(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (model->is_on_ladder || fth_verdict_safety(model) != FTH_RACY)
            continue;
        if (is_by_the_letter(verdict, model)) {
            fth_sink_text(sink, " By the letter it breaks the rules of ");
            fth_sink_text(sink, model->model->name);
            fth_sink_text(sink, ": a file is resized and then accessed without a sync in between. "
                                "The calls of the system below are in order: where the file "
                                "system keeps posix no data was at risk.");
            continue;
        }
        fth_sink_text(sink, " But it breaks the rules of ");
        fth_sink_text(sink, model->model->name);
        fth_sink_text(sink, ", whichever the file system is: with another library, version or "
                            "hints it may fail.");
    }
}

static bool is_of_mpi_io(const struct fth_verdict *verdict, const struct fth_verdict_access *access)
{
    enum { LINKS = 8 };
    struct fth_verdict_link links[LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, LINKS);
    for (size_t i = 0; i < count && i < LINKS; i++)
        if (strcmp(links[i].function->layer, "mpiio") == 0)
            return true;
    return false;
}

/* Whoever opens a file together with others may rely on a library that lets all wait for each other
 * there: MPI leaves it open. */
static void put_collectives(struct fth_sink *sink, const struct fth_verdict *verdict,
                            const struct fth_verdict_model *model)
{
    bool any = false;
    for (size_t i = 0; i < model->group_count && !verdict->collectives_synchronize; i++)
        any |= is_of_mpi_io(verdict, &model->groups[i].first) ||
               is_of_mpi_io(verdict, &model->groups[i].second);
    if (any)
        fth_sink_text(sink,
                      " MPI promises no order between ranks that open, close or resize a file "
                      "together, yet most libraries let them wait for each other: "
                      "--collectives-synchronize tells what is left then.");
}

/* The first model of the ladder that is not known to be safe. */
static const struct fth_verdict_model *strongest(const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].is_on_ladder &&
            fth_verdict_safety(&verdict->models[i]) == FTH_SAFETY_UNKNOWN)
            return &verdict->models[i];
    return &verdict->models[0];
}

/* ": of some accesses ..." */
static void put_why_unknown(struct fth_sink *sink, const struct fth_verdict_model *model)
{
    if (model->by_means)
        fth_sink_text(sink, ": something may order accesses that conflict, and the trace does not "
                            "tell how");
    if (model->unsure > model->by_means)
        fth_sink_text(sink, model->by_means
                                ? "; and of some accesses it is not known which bytes they are to"
                                : ": of some accesses that nothing orders it is not known which "
                                  "bytes they are to");
    if (model->racing_threads)
        fth_sink_text(sink, model->unsure ? "; and threads of one process may race"
                                          : ": threads of one process may race");
}

/* "Safe under mpi-io consistency. Nothing is known of file systems: ..." */
static void put_libraries(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (!model->has_accesses)
            continue;
        fth_sink_text(sink, under_words[fth_verdict_safety(model)]);
        fth_sink_text(sink, model->model->name);
        fth_sink_text(sink, " consistency. ");
    }
    fth_sink_text(sink, "Nothing is known of file systems: no access by calls of ");
    put_layers(sink, verdict->models[0].model);
    fth_sink_text(sink, " was recorded.");
}

static bool is_as_seen(const struct fth_verdict *verdict)
{
    return fth_verdict_of_run(verdict) == FTH_SAFE_AS_SEEN;
}

static void put_as_seen(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    if (is_as_seen(verdict))
        fth_sink_text(sink, "As far as was seen, ");
}

static void put_verdict(struct fth_sink *sink, const struct fth_verdict *verdict, const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[0];
    for (size_t i = 0; i < verdict->model_count && asked; i++)
        if (fth_views_verdict_shows(&verdict->models[i], asked))
            model = &verdict->models[i];
    if (asked) {
        enum fth_safety safety = fth_verdict_safety(model);
        if (!model->has_accesses) {
            fth_sink_text(sink, "There is nothing to verify under ");
            fth_sink_text(sink, asked);
            fth_sink_text(sink, " consistency: no access by calls of ");
            put_layers(sink, model->model);
            fth_sink_text(sink, " was recorded.");
            return;
        }
        fth_sink_text(sink, under_words[safety]);
        fth_sink_text(sink, asked);
        fth_sink_text(sink, " consistency");
        if (safety == FTH_SAFETY_UNKNOWN)
            put_why_unknown(sink, model);
        fth_sink_char(sink, '.');
        if (safety == FTH_RACY)
            put_collectives(sink, verdict, model);
    } else if (verdict->racy) {
        fth_sink_text(sink, "Racy on every file system: accesses that conflict are not ordered.");
        put_collectives(sink, verdict, model);
    } else if (verdict->libraries_only) {
        put_libraries(sink, verdict);
    } else if (verdict->weakest && most_conflicts(verdict) == 0) {
        put_as_seen(sink, verdict);
        fth_sink_text(sink, is_as_seen(verdict) ? "any" : "Any");
        fth_sink_text(sink, verdict->accesses ? " file system will do: no process accesses bytes "
                                                "of a file that another one writes."
                                              : " file system will do: no access to a file was "
                                                "recorded.");
        put_all_exceptions(sink, verdict);
    } else if (verdict->weakest) {
        put_as_seen(sink, verdict);
        fth_sink_text(sink, verdict->weakest->name);
        fth_sink_text(sink, " consistency is enough: ");
        fth_sink_text(sink, verdict->weakest->about ? verdict->weakest->about : "");
        fth_sink_char(sink, '.');
        put_all_exceptions(sink, verdict);
        put_others(sink, verdict);
    } else if (verdict->unknown) {
        fth_sink_text(sink, "Not known to be safe on any file system");
        put_why_unknown(sink, strongest(verdict));
        fth_sink_char(sink, '.');
    }
}

/* Of the layers that are shown: what holds for one model of a layer holds for the others. */
static uint64_t unordered_threads(const struct fth_verdict *verdict, const char *asked,
                                  bool *unrecorded)
{
    uint64_t most = 0;
    *unrecorded = false;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (!fth_views_verdict_shows(model, asked))
            continue;
        *unrecorded |= model->unrecorded_threads;
        most = model->unordered_in_process > most ? model->unordered_in_process : most;
    }
    return most;
}

/* No model is about threads of one process, and no file system orders them. */
static void put_race_of_threads(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked)
{
    bool unrecorded;
    uint64_t pairs = unordered_threads(verdict, asked, &unrecorded);
    if (!pairs)
        return;
    fth_sink_text(sink, unrecorded ? " Not judged are threads of one process that access the same "
                                     "bytes ("
                                   : " Threads of one process access the same bytes, and "
                                     "nothing that was recorded orders them (");
    put_count(sink, pairs, "pair", "pairs");
    fth_sink_text(sink, unrecorded
                            ? "): how they start, end and wait for each other was not recorded "
                              "(" FTH_LAYERS_OF_THREADS ")."
                            : "): unless atomic variables or the like do, that is a race on every "
                              "file system.");
}

/* Processes that were cut off, and calls that are lost. */
static void put_shortened(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    uint64_t processes = 0, lost = 0, losers = 0;
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < verdict->runs->process_count;
         i = fth_views_verdict_cut_off(verdict, i + 1)) {
        const struct fth_process *process = fth_runs_process(verdict->runs, i);
        processes += process->cut_off;
        lost += process->lost;
        losers += process->lost > 0;
    }
    if (processes) {
        fth_sink_text(sink,
                      " But the run was cut off: the verdict is for what it did until then (");
        put_count(sink, processes, "process", "processes");
        fth_sink_text(sink, lost ? "; " : ").");
    }
    if (!lost)
        return;
    fth_sink_text(sink, processes ? "" : " But ");
    put_count(sink, lost, "call", "calls");
    fth_sink_text(sink, " of ");
    put_count(sink, losers, "process", "processes");
    fth_sink_text(sink, processes   ? " lost)."
                        : lost == 1 ? " was lost: it is in no verdict."
                                    : " were lost: they are in no verdict.");
}

/* " Incomplete: 880 of 1,000 calls are missing ...": in the words of all commands. */
static void put_missing(struct fth_sink *sink, const struct fth_verdict *verdict, size_t run)
{
    const struct fth_run *of = &verdict->runs->runs[run];
    struct fth_incomplete incomplete =
        fth_analysis_incomplete(&(struct fth_selection){.launchers = true}, of->trace);
    if (!fth_analysis_is_stopped(&incomplete))
        return;
    fth_sink_text(sink, " Incomplete");
    if (verdict->runs->count > 1) {
        fth_sink_text(sink, " (");
        fth_views_put_text(sink, of->path, 0, FTH_CUT_END, true);
        fth_sink_char(sink, ')');
    }
    fth_sink_text(sink, ": ");
    fth_views_put_text(sink, fth_views_missing(&incomplete).text, 0, FTH_CUT_END, true);
    fth_sink_char(sink, '.');
}

void fth_views_verdict_sentence(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked)
{
    if (verdict->no_program)
        fth_sink_text(sink, "There is no verdict: only launchers were recorded, and no program "
                            "that it could be for.");
    else if (verdict->no_calls)
        fth_sink_text(sink, "There is no verdict: no call of the program was recorded.");
    else
        put_verdict(sink, verdict, asked);
    put_race_of_threads(sink, verdict, asked);
    put_shortened(sink, verdict);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_missing(sink, verdict, i);
}

const char *fth_views_model_word(const struct fth_verdict_model *model)
{
    return has_nothing(model) ? "-" : fth_views_safety_word(fth_verdict_safety(model));
}

const char *fth_views_safety_word(enum fth_safety safety)
{
    static const char *const words[] = {[FTH_SAFE] = "safe",
                                        [FTH_SAFE_AS_SEEN] = "safe as far as was seen",
                                        [FTH_SAFETY_UNKNOWN] = "not known",
                                        [FTH_RACY] = "racy"};
    return words[safety];
}

const char *fth_views_verdict_example(const struct fth_verdict_group *group)
{
    if (!group->unsure)
        return "such as";
    return group->by_means ? "if nothing orders them" : "if to the same bytes";
}

void fth_views_verdict_range(struct fth_sink *sink, uint64_t start, uint64_t end, bool finds_end)
{
    bool endless = end >= FTH_ENDLESS;
    if (finds_end) {
        fth_sink_text(sink, "the end of the file, which the read finds at byte ");
        fth_sink_unsigned(sink, start);
        return;
    }
    fth_sink_text(sink, endless ? "all bytes from " : "bytes ");
    fth_sink_unsigned(sink, start);
    fth_sink_text(sink, endless ? " on" : " to ");
    if (!endless)
        fth_sink_unsigned(sink, end - 1);
}

static const char *noun_of(const struct fth_verdict_access *access)
{
    static const char *const nouns[] = {[FTH_REMOVES_REST] = "truncation",
                                        [FTH_REMOVES_BYTES] = "removal of bytes",
                                        [FTH_REMOVES_PLACE] = "removal of bytes"};
    if (access->removes)
        return nouns[access->removes];
    return access->writes ? "write" : "read";
}

void fth_views_verdict_hazard(struct fth_sink *sink, const struct fth_verdict_group *group)
{
    const struct fth_verdict_access *first = &group->first, *second = &group->second;
    bool ordered = group->hazard < FTH_READ_AND_WRITE;
    if (!first->removes && !second->removes) {
        fth_sink_text(sink, fth_hazard_text(group->hazard));
        return;
    }
    fth_sink_text(sink, noun_of(ordered ? second : first));
    fth_sink_text(sink, ordered ? " after " : " and ");
    fth_sink_text(sink, noun_of(ordered ? first : second));
    fth_sink_text(sink, ordered ? "" : " in no order");
}

const char *fth_views_verdict_removal(const struct fth_verdict *verdict,
                                      const struct fth_verdict_access *access)
{
    static const char *const words[] = {[FTH_REMOVES_REST] = "truncates the file",
                                        [FTH_REMOVES_BYTES] = "makes a hole in the file",
                                        [FTH_REMOVES_PLACE] = "moves what is behind in the file"};
    struct fth_verdict_link links[FTH_MOST_LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    bool whole = count && count <= FTH_MOST_LINKS;
    if (!access->removes)
        return NULL;
    if (whole && strcmp(links[count - 1].function->kind, "open") == 0)
        return "truncates the file (O_TRUNC)";
    return words[access->removes];
}

void fth_views_verdict_pairs(struct fth_sink *sink, const struct fth_verdict_model *model)
{
    if (has_nothing(model)) {
        fth_sink_text(sink, "nothing to verify: no access by calls of ");
        put_layers(sink, model->model);
        return;
    }
    if (model->conflict_pairs == 0) {
        fth_sink_text(sink, "no conflicting pairs");
        if (model->unordered_in_process) {
            fth_sink_text(sink, " of processes; ");
            put_count(sink, model->unordered_in_process, "pair", "pairs");
            fth_sink_text(sink, " of threads");
        }
        return;
    }
    put_count(sink, model->conflict_pairs, "conflicting pair", "conflicting pairs");
    if (!model->violations && !model->unsure)
        return;
    fth_sink_text(sink, ", ");
    if (model->violations) {
        fth_sink_text(sink, fth_phrase_count((int64_t)model->violations).text);
        fth_sink_text(sink, " not synchronized, ");
    }
    if (model->unsure) {
        fth_sink_text(sink, fth_phrase_count((int64_t)model->unsure).text);
        fth_sink_text(sink, " perhaps not, ");
    }
    put_count(sink, model->group_count, "kind of place", "kinds of places");
}

void fth_views_verdict_wanted(struct fth_sink *sink, const struct fth_consistency *model,
                              const struct fth_alone *rule)
{
    enum { MOST = 2 };
    if (rule->never || !rule->construct.step_count)
        return;
    const struct fth_consistency_set *set = &model->sets[rule->construct.steps[0].set];
    fth_sink_text(sink, ". Wanted: a ");
    fth_sink_text(sink, set->name);
    for (size_t i = 0; i < set->function_count && i < MOST; i++) {
        fth_sink_text(sink, i ? ", " : " (such as ");
        fth_sink_text(sink, set->functions[i]);
    }
    fth_sink_text(sink, set->function_count ? ") between the two" : " between the two");
}

/* ---- other races ---- */

const char *fth_views_verdict_thread_heading(const struct fth_verdict_model *model)
{
    return model->unrecorded_threads
               ? "Threads of one process, whose order was not recorded (" FTH_LAYERS_OF_THREADS ")"
               : "Threads of one process, in no order";
}

const char *fth_views_verdict_race_heading(const struct fth_verdict *verdict, bool listings)
{
    bool names = false, sizes = false;
    if (listings)
        return "Listings of folders in which names come and go";
    for (size_t i = 0; i < verdict->race_group_count; i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        names |= !race->listing && race->of_names;
        sizes |= !race->listing && race->of_sizes;
    }
    return !sizes ? "Races for names" : !names ? "Races for sizes" : "Races for names and sizes";
}

void fth_views_verdict_race(struct fth_sink *sink, const struct fth_verdict_race *race)
{
    if (race->names > 1) {
        put_count(sink, race->names, "name", "names");
        fth_sink_text(sink, ", such as ");
        fth_views_put_text(sink, race->name, 0, FTH_CUT_END, true);
        fth_sink_text(sink, ", ");
    }
    put_count(sink, race->pairs, "pair", "pairs");
    fth_sink_text(sink, " of calls that nothing orders");
    if (race->of_sizes)
        fth_sink_text(sink, race->of_names ? ", for the name or the size" : ", for the size");
}

/* ---- who ---- */

void fth_views_verdict_who(struct fth_sink *sink, const struct fth_verdict *verdict,
                           const struct fth_verdict_access *access)
{
    struct fth_sink name;
    fth_sink_open_memory(&name);
    fth_runs_put_process(&name, verdict->runs, access->proc);
    fth_sink_char(&name, 0);
    fth_views_put_text(sink, name.bytes, 0, FTH_CUT_END, true);
    fth_sink_close_memory(&name);
    if (access->thread) {
        fth_sink_text(sink, " thread ");
        fth_sink_unsigned(sink, access->thread);
    }
}

/* ---- calls that do not fit together ---- */

void fth_views_verdict_finding(struct fth_sink *sink, const struct fth_verdict *verdict, size_t run,
                               size_t finding)
{
    size_t count;
    const struct fth_run *of = &verdict->runs->runs[run];
    const struct fth_order_finding *told = &fth_order_findings(of->order, &count)[finding];
    const char *place = verdict->finding_places ? verdict->finding_places[run][finding] : NULL;
    struct fth_verdict_access call = {.proc = of->first_proc + (uint32_t)told->proc,
                                      .thread = told->thread};
    fth_views_verdict_who(sink, verdict, &call);
    fth_sink_text(sink, ": ");
    fth_views_put_text(sink, told->text, 0, FTH_CUT_END, true);
    if (!place)
        return;
    fth_sink_text(sink, ", at ");
    fth_views_put_text(sink, place, 0, FTH_CUT_END, true);
}

/* ---- which violations ---- */

/* What is written: to cut a file off leaves nothing to be seen. */
static bool can_synchronize_writes(const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->construct_count; i++)
        if (!(model->constructs[i].conditions & (FTH_X_READS | FTH_X_TRUNCATES)))
            return true;
    return false;
}

bool fth_views_verdict_tells(const struct fth_verdict *verdict, size_t index, const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    if (asked)
        return fth_views_verdict_shows(model, asked);
    for (size_t i = 0; i < verdict->model_count; i++)
        if (model->model->weaker && verdict->models[i].violations == model->violations &&
            verdict->models[i].unsure == model->unsure &&
            strcmp(verdict->models[i].model->name, model->model->weaker) == 0)
            return false;
    /* Nobody wants a list of what no write ever is. */
    return can_synchronize_writes(model->model) && model->group_count > 0;
}

bool fth_views_verdict_tells_threads(const struct fth_verdict *verdict, size_t index,
                                     const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    if (!fth_views_verdict_shows(model, asked) || !model->thread_group_count)
        return false;
    for (size_t i = 0; i < index && !asked; i++)
        if (verdict->models[i].model->layer_count == model->model->layer_count &&
            strcmp(verdict->models[i].model->layers[0], model->model->layers[0]) == 0)
            return false;
    return true;
}

/* ---- notes ---- */

/* Launchers end as the shell or the batch system has it. */
uint32_t fth_views_verdict_cut_off(const struct fth_verdict *verdict, uint32_t from)
{
    const struct fth_process *process;
    for (; from < verdict->runs->process_count; from++) {
        process = fth_runs_process(verdict->runs, from);
        if (!process->launcher && (process->cut_off || process->lost))
            break;
    }
    return from;
}

static void put_end(struct fth_sink *sink, const struct fth_verdict *verdict, uint32_t proc)
{
    const struct fth_process *process = fth_runs_process(verdict->runs, proc);
    fth_views_verdict_who(sink, verdict, &(struct fth_verdict_access){.proc = proc});
    fth_sink_text(sink, ": ");
    fth_sink_text(sink, process->how_ended);
    if (!process->lost)
        return;
    fth_sink_text(sink, ", ");
    put_count(sink, process->lost, "call lost", "calls lost");
}

/* "Cut off: 2 processes (rank 1: signal 9; rank 2: exit 0, 3 calls lost). ..." */
static void put_cut_off(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    enum { MOST = 3 };
    uint32_t all = (uint32_t)verdict->runs->process_count, count = 0, told = 0;
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < all;
         i = fth_views_verdict_cut_off(verdict, i + 1))
        count++;
    if (!count)
        return;
    fth_sink_text(sink, "Cut off: ");
    put_count(sink, count, "process", "processes");
    fth_sink_text(sink, " (");
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < all && told < MOST;
         i = fth_views_verdict_cut_off(verdict, i + 1)) {
        fth_sink_text(sink, told++ ? "; " : "");
        put_end(sink, verdict, i);
    }
    fth_sink_text(sink, count > MOST ? "; ...). " : "). ");
    fth_sink_text(sink, "What they would have done, and calls that are lost, are in no verdict.\n");
}

/* Each in a line of its own: that is what makes safe a "safe as far as was seen". */
static void put_unseen(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->unseen_count; i++) {
        const struct fth_verdict_unseen *unseen = &verdict->unseen[i];
        fth_sink_text(sink, "Not seen");
        if (verdict->runs->count > 1) {
            fth_sink_text(sink, " of ");
            fth_views_put_text(sink, verdict->runs->runs[unseen->run].path, 0, FTH_CUT_END, true);
        }
        fth_sink_text(sink, ": ");
        fth_views_put_text(sink, unseen->text, 0, FTH_CUT_END, true);
        fth_sink_char(sink, '\n');
    }
}

static void put_means(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->means_count; i++) {
        fth_sink_text(sink, "May order processes, and cannot be followed: ");
        fth_views_put_text(sink, verdict->means[i].text, 0, FTH_CUT_END, true);
        fth_sink_text(sink, " (");
        put_count(sink, verdict->means[i].pairs, "pair", "pairs");
        fth_sink_text(sink, ")\n");
    }
}

const char *fth_views_verdict_scope(void)
{
    return "The verdict is for this run: messages, locks, waits for any child and polls came in "
           "the order that was recorded, and another run may have another one.";
}

/* ": /data/a (3), /data/b (1) and 2 more files" */
static void put_files(struct fth_sink *sink, const struct fth_verdict_file *files, size_t count)
{
    enum { MOST = 3 };
    for (size_t i = 0; i < count && i < MOST; i++) {
        fth_sink_text(sink, i ? ", " : ": ");
        fth_views_put_text(sink, files[i].name, 0, FTH_CUT_END, true);
        fth_sink_text(sink, " (");
        fth_sink_text(sink, fth_phrase_count((int64_t)files[i].times).text);
        fth_sink_char(sink, ')');
    }
    if (count > MOST) {
        fth_sink_text(sink, " and ");
        put_count(sink, count - MOST, "more file", "more files");
    }
}

static void put_unknown(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    put_count(sink, verdict->unknown_accesses, "access", "accesses");
    fth_sink_text(sink, " of unknown place (");
    fth_sink_text(sink, verdict->unknown_why ? verdict->unknown_why : "?");
    fth_sink_text(sink, most_conflicts(verdict)
                            ? "), compared as if to any byte of the file"
                            : "), made in turns: none is to a byte that another process writes");
    put_files(sink, verdict->unknown_files, verdict->unknown_file_count);
    fth_sink_char(sink, '\n');
}

static void put_mapped(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(sink,
                  "Not seen, so taken for writes at any time: what was done through memory to "
                  "files that were mapped to be written (");
    put_count(sink, verdict->mapped, "time", "times");
    fth_sink_char(sink, ')');
    put_files(sink, verdict->mapped_files, verdict->mapped_file_count);
    fth_sink_char(sink, '\n');
}

void fth_views_verdict_notes(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    bool unrecorded;
    uint64_t threads = unordered_threads(verdict, NULL, &unrecorded), appends = 0, equal = 0;
    fth_sink_text(sink, "Compared: ");
    put_count(sink, verdict->accesses, "access", "accesses");
    fth_sink_text(sink, " to ");
    put_count(sink, verdict->files, "file", "files");
    fth_sink_text(sink, ", those of launchers and libraries among them; ");
    put_count(sink, verdict->shared_files, "file was", "files were");
    fth_sink_text(sink, " accessed by more than one process.\n");
    put_cut_off(sink, verdict);
    put_unseen(sink, verdict);
    put_means(sink, verdict);
    for (size_t i = 0; i < verdict->model_count; i++) {
        if (verdict->models[i].equal_pairs > equal)
            equal = verdict->models[i].equal_pairs;
        if (verdict->models[i].unordered_appends > appends)
            appends = verdict->models[i].unordered_appends;
    }
    if (equal) {
        fth_sink_text(sink, "No conflicts: ");
        put_count(sink, equal, "pair", "pairs");
        fth_sink_text(sink, " of writes that wrote the same bytes to the same place\n");
    }
    if (appends) {
        put_count(sink, appends, "pair", "pairs");
        fth_sink_text(sink, " of writes to the end of a file that nothing orders: whose bytes come "
                            "first may change from run to run.\n");
    }
    if (verdict->unknown_accesses)
        put_unknown(sink, verdict);
    if (verdict->mapped)
        put_mapped(sink, verdict);
    if (threads) {
        fth_sink_text(sink, "Threads of one process: ");
        put_count(sink, threads, "conflicting pair has", "conflicting pairs have");
        fth_sink_text(
            sink, unrecorded ? " an order that is not known: how threads start, end and "
                               "lock was not recorded (fathom record " FTH_LAYERS_OF_THREADS ")\n"
                             : " no order that the trace shows\n");
    }
}
