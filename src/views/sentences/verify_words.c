/* Words for what a verdict consists of: models, pairs, calls, races. */
#include "views/sentences/verify_words.h"

#include "verify/gather/known_functions.h"
#include "views/output/display_text.h"

#include <stdio.h>
#include <string.h>

void fth_views_verdict_count(struct fth_sink *sink, uint64_t count, const char *one,
                             const char *many)
{
    fth_sink_text(sink, fth_phrase_count((int64_t)count).text);
    fth_sink_char(sink, ' ');
    fth_sink_text(sink, count == 1 ? one : many);
}

uint64_t fth_views_verdict_most_conflicts(const struct fth_verdict *verdict)
{
    uint64_t most = 0;
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].conflict_pairs > most)
            most = verdict->models[i].conflict_pairs;
    return most;
}

/* "mpiio", "posix and hdf5" */
void fth_views_verdict_layers(struct fth_sink *sink, const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->layer_count; i++) {
        fth_sink_text(sink, !i ? "" : i + 1 < model->layer_count ? ", " : " and ");
        fth_sink_text(sink, model->layers[i]);
    }
}

bool fth_views_model_has_nothing(const struct fth_verdict_model *model)
{
    return !model->has_accesses && fth_verdict_safety(model) <= FTH_SAFE_AS_SEEN;
}

bool fth_views_verdict_shows(const struct fth_verdict_model *model, const char *asked)
{
    return !asked || strcmp(model->model->name, asked) == 0;
}

const char *fth_views_model_word(const struct fth_verdict_model *model)
{
    return fth_views_model_has_nothing(model) ? "-"
                                              : fth_views_safety_word(fth_verdict_safety(model));
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
    if (group->by_means)
        return "if nothing orders them";
    return group->leaves_out ? "if the file was shorter" : "if they meet";
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

void fth_views_verdict_shared(struct fth_sink *sink, const struct fth_verdict_group *group)
{
    fth_views_verdict_range(sink, group->range_start, group->range_end, group->finds_end);
    if (group->leaves_out)
        fth_sink_text(sink, ", which are zeros once the file is longer");
}

void fth_views_verdict_put_example(struct fth_sink *sink, const struct fth_verdict_group *group)
{
    fth_sink_text(sink, fth_views_verdict_example(group));
    fth_sink_text(sink, group->unsure ? ": " : " ");
    fth_views_verdict_shared(sink, group);
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

void fth_views_verdict_renamed(struct fth_sink *sink, const char *renamed)
{
    if (!renamed)
        return;
    fth_sink_text(sink, " (now ");
    fth_views_put_text(sink, renamed, 0, FTH_CUT_END, true);
    fth_sink_char(sink, ')');
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
                                        [FTH_REMOVES_BYTES] = "punches a hole in the file",
                                        [FTH_REMOVES_PLACE] = "moves the rest of the file"};
    struct fth_verdict_link links[FTH_MOST_LINKS];
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    bool whole = count && count <= FTH_MOST_LINKS;
    if (!access->removes)
        return NULL;
    if (whole && strcmp(links[count - 1].function->kind, "open") == 0)
        return access->perhaps_nothing
                   ? "truncates the file (O_TRUNC; it may have removed nothing: whether the file "
                     "existed before was not seen)"
                   : "truncates the file (O_TRUNC)";
    return words[access->removes];
}

void fth_views_verdict_pairs(struct fth_sink *sink, const struct fth_verdict_model *model)
{
    if (fth_views_model_has_nothing(model)) {
        fth_sink_text(sink, "nothing to verify: no access by calls of ");
        fth_views_verdict_layers(sink, model->model);
        return;
    }
    if (model->conflict_pairs == 0) {
        fth_sink_text(sink, "no conflicting pairs");
        if (model->unordered_in_process) {
            fth_sink_text(sink, " of processes; ");
            fth_views_verdict_count(sink, model->unordered_in_process, "pair", "pairs");
            fth_sink_text(sink, " of threads");
        }
        return;
    }
    fth_views_verdict_count(sink, model->conflict_pairs, "conflicting pair", "conflicting pairs");
    if (!model->violations && !model->unsure)
        return;
    fth_sink_text(sink, ", ");
    if (model->violations) {
        fth_sink_text(sink, fth_phrase_count((int64_t)model->violations).text);
        fth_sink_text(sink, " not synchronized, ");
    }
    if (model->unsure) {
        fth_sink_text(sink, fth_phrase_count((int64_t)model->unsure).text);
        fth_sink_text(sink, " possibly not synchronized, ");
    }
    fth_views_verdict_count(sink, model->group_count, "group", "groups");
}

void fth_views_verdict_wanted(struct fth_sink *sink, const struct fth_consistency *model,
                              const struct fth_alone *rule)
{
    enum { MOST = 2 };
    if (rule->never || !rule->construct.step_count)
        return;
    const struct fth_consistency_set *set = &model->sets[rule->construct.steps[0].set];
    fth_sink_text(sink, ". Required: a ");
    fth_sink_text(sink, set->name);
    for (size_t i = 0; i < set->function_count && i < MOST; i++) {
        fth_sink_text(sink, i ? ", " : " (such as ");
        fth_sink_text(sink, fth_consistency_example(set->functions[i]));
    }
    fth_sink_text(sink, set->function_count ? ") between the two" : " between the two");
}

/* ---- other races ---- */

const char *fth_views_verdict_thread_heading(const struct fth_verdict_model *model)
{
    static char text[160];
    if (!model->unrecorded_threads)
        return "Unordered threads of one process";
    snprintf(text, sizeof text, "Threads of one process, synchronization not recorded (%s)",
             model->unrecorded_threads);
    return text;
}

const char *fth_views_verdict_race_heading(const struct fth_verdict *verdict, bool listings)
{
    bool names = false, sizes = false;
    if (listings)
        return "Directory listings that race with changes";
    for (size_t i = 0; i < verdict->race_group_count; i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        names |= !race->listing && race->of_names;
        sizes |= !race->listing && race->of_sizes;
    }
    return !sizes ? "Races on names" : !names ? "Races on sizes" : "Races on names and sizes";
}

void fth_views_verdict_race(struct fth_sink *sink, const struct fth_verdict_race *race)
{
    if (race->names > 1) {
        fth_views_verdict_count(sink, race->names, "name", "names");
        fth_sink_text(sink, ", such as ");
        fth_views_put_text(sink, race->name, 0, FTH_CUT_END, true);
        fth_sink_text(sink, ", ");
    }
    fth_views_verdict_count(sink, race->pairs, "pair", "pairs");
    fth_sink_text(sink, " of unordered calls");
    if (race->of_sizes)
        fth_sink_text(sink, race->of_names ? ", on the name or the size" : ", on the size");
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
    const struct fth_order_finding *found = &fth_order_findings(of->order, &count)[finding];
    const char *place = verdict->finding_places ? verdict->finding_places[run][finding] : NULL;
    struct fth_verdict_access call = {.proc = of->first_proc + (uint32_t)found->proc,
                                      .thread = found->thread};
    fth_views_verdict_who(sink, verdict, &call);
    fth_sink_text(sink, ": ");
    fth_views_put_text(sink, found->text, 0, FTH_CUT_END, true);
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

/* Nobody wants a list of what no write ever is. */
static bool can_be_listed(const struct fth_verdict_model *model)
{
    return can_synchronize_writes(model->model) && model->group_count > 0;
}

const struct fth_verdict_model *fth_views_verdict_like(const struct fth_verdict *verdict,
                                                       size_t index)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    for (size_t i = 0; i < verdict->model_count; i++)
        if (model->model->weaker && verdict->models[i].violations == model->violations &&
            verdict->models[i].unsure == model->unsure &&
            strcmp(verdict->models[i].model->name, model->model->weaker) == 0)
            return can_be_listed(model) ? &verdict->models[i] : NULL;
    return NULL;
}

bool fth_views_verdict_shows_violations(const struct fth_verdict *verdict, size_t index,
                                        const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    if (asked)
        return fth_views_verdict_shows(model, asked);
    return can_be_listed(model) && !fth_views_verdict_like(verdict, index);
}

bool fth_views_verdict_shows_threads(const struct fth_verdict *verdict, size_t index,
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

/* ---- what is below calls of a library ---- */

/* A model that is asked for alone leaves nothing judged below it. */
static bool judges_ladder(const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].is_on_ladder)
            return true;
    return false;
}

const struct fth_verdict_by_file *fth_views_verdict_below(const struct fth_verdict *verdict,
                                                          const struct fth_verdict_model *model,
                                                          const struct fth_verdict_group *group)
{
    bool in_one = group->first.proc == group->second.proc; /* threads: no violation */
    if (model->is_on_ladder || in_one || !judges_ladder(verdict))
        return NULL;
    for (size_t i = 0; i < verdict->by_file_count; i++)
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

bool fth_views_verdict_is_resized(const struct fth_verdict *verdict,
                                  const struct fth_verdict_group *group)
{
    return resizes(verdict, &group->first) || resizes(verdict, &group->second);
}

void fth_views_verdict_put_below(struct fth_sink *sink, const struct fth_verdict *verdict,
                                 const struct fth_verdict_by_file *below,
                                 const struct fth_verdict_group *group)
{
    bool resized = fth_views_verdict_is_resized(verdict, group);
    if (below->racy && resized && !verdict->collectives_synchronize)
        fth_sink_text(
            sink,
            "MPI guarantees no order for the system calls of the library on this file either");
    else if (below->racy)
        fth_sink_text(
            sink,
            "the system calls of the library on this file are not ordered either: data is at risk");
    else if (below->unknown)
        fth_sink_text(sink, "the order of the system calls of the library on this file is unknown");
    else
        fth_sink_text(sink, "the system calls of the library on this file are ordered: no data was "
                            "at risk on a file system with posix consistency");
    if (resized)
        fth_sink_text(sink, ". ROMIO and OMPIO resize the file before any rank returns from the "
                            "call (--collectives-synchronize)");
}

/* Of the layers that are shown: what holds for one model of a layer holds for the others. */
uint64_t fth_views_verdict_unordered_threads(const struct fth_verdict *verdict, const char *asked,
                                             const char **unrecorded)
{
    uint64_t most = 0;
    *unrecorded = NULL;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (!fth_views_verdict_shows(model, asked))
            continue;
        if (model->unrecorded_threads)
            *unrecorded = model->unrecorded_threads;
        most = model->unordered_in_process > most ? model->unordered_in_process : most;
    }
    return most;
}

/* ---- positions ---- */

void fth_views_verdict_position_race(struct fth_sink *sink,
                                     const struct fth_verdict_position_race *race)
{
    fth_views_verdict_count(sink, race->times, "access", "accesses");
    fth_sink_text(sink, " at a shared file position that another ");
    fth_sink_text(sink, race->first.proc == race->second.proc ? "thread" : "process");
    fth_sink_text(sink, " moves, such as");
}

void fth_views_verdict_position_missing(struct fth_sink *sink,
                                        const struct fth_verdict_position_race *race)
{
    if (race->unrecorded) {
        fth_sink_text(sink, "the synchronization of threads was not recorded (");
        fth_sink_text(sink, race->unrecorded);
        fth_sink_char(sink, ')');
        return;
    }
    fth_sink_text(sink, "nothing recorded orders the two, and both use the position of one open "
                        "file: which bytes are accessed may change from run to run");
}

const char *fth_views_verdict_position_repair(const struct fth_verdict_position_race *race)
{
    if (race->unrecorded)
        return "record how threads wait for each other; if nothing orders them, use pread and "
               "pwrite, or open the file once for each";
    return "use pread and pwrite, which have a position of their own, or open the file once for "
           "each, or hold a lock from the seek to the end of the access";
}
