#include "views/verify_words.h"

#include "views/words.h"

#include <string.h>

static void put_count(struct fth_sink *sink, uint64_t count, const char *one, const char *many)
{
    fth_sink_text(sink, fth_phrase_count((int64_t)count).text);
    fth_sink_char(sink, ' ');
    fth_sink_text(sink, count == 1 ? one : many);
}

/* ---- the verdict ---- */

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

/* Models that are on no ladder have rules of their own: what is enough for a file system says nothing of them. */
static void put_others(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (model->is_on_ladder || fth_verdict_safety(model) != FTH_RACY)
            continue;
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

/* Whoever opens a file together with others may rely on a library that lets all wait for each other there: MPI leaves it open. */
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

static void put_verdict(struct fth_sink *sink, const struct fth_verdict *verdict, const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[0];
    for (size_t i = 0; i < verdict->model_count && asked; i++)
        if (fth_views_verdict_shows(&verdict->models[i], asked))
            model = &verdict->models[i];
    if (asked) {
        static const char *const words[] = {[FTH_SAFE] = "Safe under ",
                                            [FTH_SAFETY_UNKNOWN] = "Not known to be safe under ",
                                            [FTH_RACY] = "Racy under "};
        enum fth_safety safety = fth_verdict_safety(model);
        fth_sink_text(sink, words[safety]);
        fth_sink_text(sink, asked);
        fth_sink_text(sink, safety == FTH_SAFETY_UNKNOWN
                                ? " consistency: of some accesses it is not known which bytes they "
                                  "are to."
                                : " consistency.");
        if (safety == FTH_RACY)
            put_collectives(sink, verdict, model);
    } else if (verdict->racy) {
        fth_sink_text(sink, "Racy on every file system: accesses that conflict are not ordered.");
        put_collectives(sink, verdict, model);
    } else if (verdict->weakest && most_conflicts(verdict) == 0) {
        fth_sink_text(sink, "Any file system will do: no two processes access the same bytes of "
                            "a file and one of them writes.");
    } else if (verdict->weakest) {
        fth_sink_text(sink, verdict->weakest->name);
        fth_sink_text(sink, " consistency is enough: ");
        fth_sink_text(sink, verdict->weakest->about ? verdict->weakest->about : "");
        fth_sink_char(sink, '.');
        put_others(sink, verdict);
    } else if (verdict->unknown) {
        fth_sink_text(sink,
                      "Not known to be safe on any file system: of some accesses that nothing "
                      "orders it is not known which bytes they are to.");
    }
}

void fth_views_verdict_sentence(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked)
{
    if (verdict->no_program)
        fth_sink_text(sink, "There is no verdict: only launchers were recorded, and no program "
                            "that it could be for.");
    else
        put_verdict(sink, verdict, asked);
    if (fth_views_verdict_cut_off(verdict, 0) < verdict->runs->process_count)
        fth_sink_text(sink, " But the run was cut off: the verdict is for what it did until then.");
}

const char *fth_views_safety_word(enum fth_safety safety)
{
    static const char *const words[] = {
        [FTH_SAFE] = "safe", [FTH_SAFETY_UNKNOWN] = "unknown", [FTH_RACY] = "racy"};
    return words[safety];
}

void fth_views_verdict_range(struct fth_sink *sink, const struct fth_verdict_group *group)
{
    bool endless = group->range_end >= FTH_ENDLESS;
    fth_sink_text(sink, endless ? "all bytes from " : "bytes ");
    fth_sink_unsigned(sink, group->range_start);
    fth_sink_text(sink, endless ? " on" : " to ");
    if (!endless)
        fth_sink_unsigned(sink, group->range_end - 1);
}

void fth_views_verdict_pairs(struct fth_sink *sink, const struct fth_verdict_model *model)
{
    if (model->conflict_pairs == 0) {
        fth_sink_text(sink, "no two processes access the same bytes and one writes");
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

/* ---- other races ---- */

const char *fth_views_verdict_thread_heading(const struct fth_verdict_model *model)
{
    return model->unrecorded_threads
               ? "Threads of one process, whose order was not recorded (--layers ...,pthread)"
               : "Threads of one process, in no order";
}

const char *fth_views_verdict_race_heading(bool listings)
{
    return listings ? "Listings of folders in which names come and go" : "Races for names";
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
    fth_sink_text(sink, "), compared as if to any byte of the file");
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
    uint64_t threads = 0, appends = 0, equal = 0;
    fth_sink_text(sink, "Compared: ");
    put_count(sink, verdict->accesses, "access", "accesses");
    fth_sink_text(sink, " to ");
    put_count(sink, verdict->files, "file", "files");
    fth_sink_text(sink, ", those of launchers and libraries among them; ");
    put_count(sink, verdict->shared_files, "file was", "files were");
    fth_sink_text(sink, " accessed by more than one process.\n");
    put_cut_off(sink, verdict);
    for (size_t i = 0; i < verdict->model_count; i++) {
        if (verdict->models[i].unordered_in_process > threads)
            threads = verdict->models[i].unordered_in_process;
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
        fth_sink_text(sink, " no order that the trace shows\n");
    }
}
