/* The verdict in sentences. */
#include "views/sentences/verify_words.h"

#include "analysis/select/select.h"
#include "views/sentences/incomplete.h"
#include "views/output/display_text.h"

#include <string.h>

/* ---- the verdict ---- */

static const char *const under_words[] = {[FTH_SAFE] = "Safe under ",
                                          [FTH_SAFE_AS_SEEN] = "As far as was seen, safe under ",
                                          [FTH_SAFETY_UNKNOWN] = "Not known to be safe under ",
                                          [FTH_RACY] = "Racy under "};

/* File systems that keep a model which is enough, and want more of the accesses of single processes
 * than these have: those of `total` that are at least as bad as `best` and at most as `worst`.
 * Returns how many; without a sink it only counts. */
static size_t put_systems(struct fth_sink *sink, const struct fth_verdict *verdict,
                          enum fth_safety best, enum fth_safety worst, size_t total)
{
    size_t shown = 0;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        for (size_t k = 0; k < model->model->system_count; k++) {
            const char *system = model->model->systems[k];
            enum fth_safety safety = fth_verdict_of_system(model, system);
            if (!model->is_on_ladder || fth_verdict_safety(model) > FTH_SAFE_AS_SEEN ||
                safety < best || safety > worst)
                continue;
            if (sink) {
                fth_sink_text(sink, !shown ? "" : shown + 1 < total ? ", " : " and ");
                fth_sink_text(sink, system);
            }
            shown++;
        }
    }
    return shown;
}

static void put_exceptions(struct fth_sink *sink, const struct fth_verdict *verdict,
                           enum fth_safety best, enum fth_safety worst, const char *before,
                           const char *behind)
{
    size_t total = put_systems(NULL, verdict, best, worst, 0);
    if (!total)
        return;
    fth_sink_text(sink, before);
    put_systems(sink, verdict, best, worst, total);
    fth_sink_text(sink, behind);
}

#define ANOTHER_ORDER " accesses of one process to the same bytes may take effect in another order."

static void put_unknown_exceptions(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    put_exceptions(sink, verdict, FTH_SAFETY_UNKNOWN, FTH_SAFETY_UNKNOWN, " It is not known for ",
                   ": there," ANOTHER_ORDER);
}

/* Is all that breaks the rules a file that is resized, while nothing below is out of order? */
static bool is_by_the_letter(const struct fth_verdict *verdict,
                             const struct fth_verdict_model *model)
{
    for (size_t i = 0; i < model->group_count; i++) {
        const struct fth_verdict_group *group = &model->groups[i];
        const struct fth_verdict_by_file *below = fth_views_verdict_below(verdict, model, group);
        if (!below || below->racy || below->unknown ||
            !fth_views_verdict_is_resized(verdict, group))
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
            fth_sink_text(sink, " Strictly, it breaks the rules of ");
            fth_sink_text(sink, model->model->name);
            fth_sink_text(sink, ": a file is resized and then accessed without a sync in between. "
                                "The system calls below are ordered, so no data was at risk on a "
                                "file system with posix consistency.");
            continue;
        }
        fth_sink_text(sink, " But it breaks the rules of ");
        fth_sink_text(sink, model->model->name);
        fth_sink_text(sink,
                      " on every file system: it may fail with another library, version or hints.");
    }
}

/* Whoever opens a file together with others may rely on a library that lets all wait for each other
 * there: MPI leaves it open. */
static void put_collectives(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    if (verdict->collectives_matter)
        fth_sink_text(sink, " MPI guarantees no order between ranks that open, close or resize a "
                            "file collectively, but in most libraries these calls synchronize: "
                            "--collectives-synchronize shows what remains then.");
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

/* Of what is not known of accesses, is it only how long files were? */
static bool lacks_lengths_only(const struct fth_verdict_model *model)
{
    for (size_t i = 0; i < model->group_count; i++) {
        const struct fth_verdict_group *group = &model->groups[i];
        if (group->unsure && !group->by_means && !group->leaves_out)
            return false;
    }
    return true;
}

/* "; and the place of some accesses depends on ..." */
static void put_why_position(struct fth_sink *sink, const struct fth_verdict *verdict, bool more)
{
    const struct fth_verdict_position_race *known = NULL;
    size_t count = 0;
    for (size_t i = 0; i < verdict->position_race_count; i++) {
        if (verdict->position_races[i].unrecorded)
            continue;
        known = known ? known : &verdict->position_races[i];
        count++;
    }
    fth_sink_text(sink, more ? "; and" : ":");
    fth_sink_text(sink, " the place of some accesses depends on a race on a file position (");
    fth_views_put_text(sink, known ? known->file : "", 0, FTH_CUT_END, true);
    fth_sink_text(sink, count > 1 ? " and others)" : ")");
}

/* ": of some accesses ..." */
static void put_why_unknown(struct fth_sink *sink, const struct fth_verdict *verdict,
                            const struct fth_verdict_model *model)
{
    if (model->by_means)
        fth_sink_text(sink,
                      ": something that the trace does not show may order conflicting accesses");
    if (model->unsure > model->by_means) {
        fth_sink_text(sink, model->by_means ? "; " : ": ");
        fth_sink_text(sink, lacks_lengths_only(model)
                                ? "how long some files were before is unknown"
                                : "the byte ranges of some accesses are unknown");
    }
    if (model->racing_threads)
        fth_sink_text(sink, model->unsure ? "; and threads of one process may race"
                                          : ": threads of one process may race");
    bool more = model->unsure || model->racing_threads;
    if (model->racing_positions)
        put_why_position(sink, verdict, more);
    if (!model->racing_places)
        return;
    fth_sink_text(sink, more || model->racing_positions ? "; and" : ":");
    fth_sink_text(sink, " the place of some accesses depends on a race on the size of the file (");
    fth_views_put_text(sink, verdict->placed_files[0].name, 0, FTH_CUT_END, true);
    fth_sink_text(sink, verdict->placed_file_count > 1 ? " and others)" : ")");
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
    fth_sink_text(sink, "Nothing is known about file systems: no access by calls of ");
    fth_views_verdict_layers(sink, verdict->models[0].model);
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

/* "Any file system except PVFS2 and PLFS will do: ..." */
static void put_any(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(sink, is_as_seen(verdict) ? "any file system" : "Any file system");
    put_exceptions(sink, verdict, FTH_SAFETY_UNKNOWN, FTH_RACY, " except ", "");
    fth_sink_text(sink, verdict->accesses ? " will do: no process accesses bytes of a file that "
                                            "another one writes."
                                          : " will do: no access to a file was recorded.");
    put_exceptions(sink, verdict, FTH_RACY, FTH_RACY, " On ", "," ANOTHER_ORDER);
    put_unknown_exceptions(sink, verdict);
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
            fth_views_verdict_layers(sink, model->model);
            fth_sink_text(sink, " was recorded.");
            return;
        }
        fth_sink_text(sink, under_words[safety]);
        fth_sink_text(sink, asked);
        fth_sink_text(sink, " consistency");
        if (safety == FTH_SAFETY_UNKNOWN)
            put_why_unknown(sink, verdict, model);
        fth_sink_char(sink, '.');
        if (safety == FTH_RACY)
            put_collectives(sink, verdict);
    } else if (verdict->racy) {
        fth_sink_text(sink, "Racy on every file system: conflicting accesses are not ordered.");
        put_collectives(sink, verdict);
    } else if (verdict->libraries_only) {
        put_libraries(sink, verdict);
    } else if (verdict->weakest && fth_views_verdict_most_conflicts(verdict) == 0) {
        put_as_seen(sink, verdict);
        put_any(sink, verdict);
    } else if (verdict->weakest) {
        put_as_seen(sink, verdict);
        fth_sink_text(sink, verdict->weakest->name);
        fth_sink_text(sink, " consistency is enough: ");
        fth_sink_text(sink, verdict->weakest->about ? verdict->weakest->about : "");
        fth_sink_char(sink, '.');
        put_exceptions(sink, verdict, FTH_RACY, FTH_RACY, " But not on ", ": there," ANOTHER_ORDER);
        put_unknown_exceptions(sink, verdict);
        put_others(sink, verdict);
    } else if (verdict->unknown) {
        fth_sink_text(sink, "Not known to be safe on any file system");
        put_why_unknown(sink, verdict, strongest(verdict));
        fth_sink_char(sink, '.');
    }
}

/* No model is about threads of one process, and no file system orders them. */
static void put_race_of_threads(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked)
{
    const char *unrecorded;
    uint64_t pairs = fth_views_verdict_unordered_threads(verdict, asked, &unrecorded);
    if (!pairs)
        return;
    fth_sink_text(
        sink,
        unrecorded
            ? " Threads of one process that access the same bytes are not judged ("
            : " Threads of one process access the same bytes, and nothing recorded orders them (");
    fth_views_verdict_count(sink, pairs, "pair", "pairs");
    if (!unrecorded) {
        fth_sink_text(
            sink,
            "). Unless atomic variables or the like do, this is a race on every file system.");
        return;
    }
    fth_sink_text(sink, "): their synchronization was not recorded (");
    fth_sink_text(sink, unrecorded);
    fth_sink_text(sink, ").");
}

/* Processes that were cut off, and calls that are lost. */
static void put_shortened(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    uint64_t processes = 0, lost = 0, losers = 0;
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < verdict->runs->process_count;
         i = fth_views_verdict_cut_off(verdict, i + 1)) {
        const struct fth_process *process = fth_runs_process(verdict->runs, i);
        processes += process->cut_off;
        lost += process->lost - process->only_counted;
        losers += process->lost > process->only_counted;
    }
    if (processes) {
        fth_sink_text(
            sink, " But the run was cut off, and the verdict covers only its calls until then (");
        fth_views_verdict_count(sink, processes, "process", "processes");
        fth_sink_text(sink, lost ? "; " : ").");
    }
    if (!lost)
        return;
    fth_sink_text(sink, processes ? "" : " But ");
    fth_views_verdict_count(sink, lost, "call", "calls");
    fth_sink_text(sink, " of ");
    fth_views_verdict_count(sink, losers, "process", "processes");
    fth_sink_text(sink, processes   ? " lost)."
                        : lost == 1 ? " was lost and is not part of the verdict."
                                    : " were lost and are not part of the verdict.");
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
    if (!verdict->runs->process_count)
        fth_sink_text(sink, "There is no verdict: no program was recorded.");
    else if (verdict->no_program)
        fth_sink_text(sink, "There is no verdict: only launchers were recorded, no program.");
    else if (verdict->no_calls)
        fth_sink_text(sink, "There is no verdict: no call of the program was recorded.");
    else
        put_verdict(sink, verdict, asked);
    put_race_of_threads(sink, verdict, asked);
    put_shortened(sink, verdict);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_missing(sink, verdict, i);
}
