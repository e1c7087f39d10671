/* What a verdict rests on: what was compared, and what could not be. */
#include "views/sentences/verify_words.h"

#include "views/output/display_text.h"

/* Launchers end as the shell or the batch system has it. */
uint32_t fth_views_verdict_cut_off(const struct fth_verdict *verdict, uint32_t from)
{
    const struct fth_process *process;
    for (; from < verdict->runs->process_count; from++) {
        process = fth_runs_process(verdict->runs, from);
        if (!process->launcher && (process->cut_off || process->lost > process->only_counted))
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
    uint64_t lost = process->lost - process->only_counted;
    if (!lost)
        return;
    fth_sink_text(sink, ", ");
    fth_views_verdict_count(sink, lost, "call lost", "calls lost");
}

/* "Cut off: 2 processes (rank 1: signal 9; rank 2: exit 0, 3 calls lost). ..." */
static void put_cut_off(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    enum { MOST = 3 };
    uint32_t all = (uint32_t)verdict->runs->process_count, count = 0, shown = 0;
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < all;
         i = fth_views_verdict_cut_off(verdict, i + 1))
        count++;
    if (!count)
        return;
    fth_sink_text(sink, "Cut off: ");
    fth_views_verdict_count(sink, count, "process", "processes");
    fth_sink_text(sink, " (");
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < all && shown < MOST;
         i = fth_views_verdict_cut_off(verdict, i + 1)) {
        fth_sink_text(sink, shown++ ? "; " : "");
        put_end(sink, verdict, i);
    }
    fth_sink_text(sink, count > MOST ? "; ...). " : "). ");
    fth_sink_text(sink, "The verdict covers neither the rest of their run nor lost calls.\n");
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
        fth_sink_text(sink, "Possible synchronization that cannot be followed: ");
        fth_views_put_text(sink, verdict->means[i].text, 0, FTH_CUT_END, true);
        fth_sink_text(sink, " (");
        fth_views_verdict_count(sink, verdict->means[i].pairs, "pair", "pairs");
        fth_sink_text(sink, ")\n");
    }
}

const char *fth_views_verdict_scope(void)
{
    return "The verdict is for this run. In another run, messages, locks, waits for any child and "
           "polls may come in another order. What a crash leaves of the files is not judged here "
           "(fathom report: renamed_before_sync).";
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
        fth_views_verdict_count(sink, count - MOST, "more file", "more files");
    }
}

static void put_unknown(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_views_verdict_count(sink, verdict->unknown_accesses, "access", "accesses");
    fth_sink_text(sink, " with unknown byte ranges (");
    fth_sink_text(sink, verdict->unknown_why ? verdict->unknown_why : "?");
    fth_sink_text(sink,
                  fth_views_verdict_most_conflicts(verdict)
                      ? "), treated as accesses to the whole file"
                      : "), in a fixed order: none touches a byte that another process writes");
    put_files(sink, verdict->unknown_files, verdict->unknown_file_count);
    fth_sink_char(sink, '\n');
}

static void put_mapped(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(sink,
                  "Not seen, so treated as writes at any time: stores to writable file mappings (");
    fth_views_verdict_count(sink, verdict->mapped, "time", "times");
    fth_sink_char(sink, ')');
    put_files(sink, verdict->mapped_files, verdict->mapped_file_count);
    fth_sink_char(sink, '\n');
}

static void put_turns(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(sink,
                  "Not judged: processes or threads that share a file position access the "
                  "file in no order. That position gives no byte to two of them, but which ones "
                  "each of them gets may change from run to run");
    put_files(sink, verdict->turn_files, verdict->turn_file_count);
    fth_sink_char(sink, '\n');
}

static void put_vague_turns(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(sink, "Not judged: threads that share a file position access the file in an "
                        "unknown order: the synchronization of threads was not recorded (");
    fth_sink_text(sink, verdict->vague_turns);
    fth_sink_text(sink, "). That position gives no byte to two of them");
    put_files(sink, verdict->vague_turn_files, verdict->vague_turn_file_count);
    fth_sink_char(sink, '\n');
}

/* A model that has no list of its own: its pairs are in another one. */
static void put_unlisted(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    for (size_t i = 0; i < verdict->model_count && verdict->model_count > 1; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        const struct fth_verdict_model *like = fth_views_verdict_like(verdict, i);
        if (!like)
            continue;
        fth_sink_text(sink, model->violations ? "Racy under " : "Not known to be safe under ");
        fth_sink_text(sink, model->model->name);
        fth_sink_text(sink, ": the pairs that are listed under ");
        while (fth_views_verdict_like(verdict, (size_t)(like - verdict->models)))
            like = fth_views_verdict_like(verdict, (size_t)(like - verdict->models));
        fth_sink_text(sink, like->model->name);
        fth_sink_char(sink, '\n');
    }
}

void fth_views_verdict_notes(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    const char *unrecorded;
    uint64_t threads = fth_views_verdict_unordered_threads(verdict, NULL, &unrecorded), appends = 0,
             equal = 0;
    fth_sink_text(sink, "Compared: ");
    fth_views_verdict_count(sink, verdict->accesses, "access", "accesses");
    fth_sink_text(sink, " to ");
    fth_views_verdict_count(sink, verdict->files, "file", "files");
    fth_sink_text(sink,
                  ", including those of launchers and libraries, without files that were only "
                  "opened or looked up; ");
    fth_sink_text(sink, fth_phrase_count((int64_t)verdict->shared_files).text);
    fth_sink_text(sink,
                  verdict->shared_files == 1 ? " of these files was" : " of these files were");
    fth_sink_text(sink, " accessed by more than one process.\n");
    put_cut_off(sink, verdict);
    put_unseen(sink, verdict);
    put_means(sink, verdict);
    put_unlisted(sink, verdict);
    for (size_t i = 0; i < verdict->model_count; i++) {
        if (verdict->models[i].equal_pairs > equal)
            equal = verdict->models[i].equal_pairs;
        if (verdict->models[i].unordered_appends > appends)
            appends = verdict->models[i].unordered_appends;
    }
    if (equal) {
        fth_sink_text(sink, "No conflicts: ");
        fth_views_verdict_count(sink, equal, "pair", "pairs");
        fth_sink_text(sink, " of writes of the same bytes to the same place\n");
    }
    if (appends) {
        fth_views_verdict_count(sink, appends, "pair", "pairs");
        fth_sink_text(
            sink, " of unordered appends: their order in the file may change from run to run.\n");
    }
    if (verdict->turn_file_count)
        put_turns(sink, verdict);
    if (verdict->vague_turn_file_count)
        put_vague_turns(sink, verdict);
    if (verdict->unrecorded_places) {
        fth_sink_text(sink, "Threads of one process seek to the end of a file and access data "
                            "there, in an unknown order: the synchronization of threads was not "
                            "recorded (");
        fth_sink_text(sink, verdict->unrecorded_places);
        fth_sink_text(sink, ")\n");
    }
    if (verdict->unknown_accesses)
        put_unknown(sink, verdict);
    if (verdict->mapped)
        put_mapped(sink, verdict);
    if (threads) {
        fth_sink_text(sink, "Threads of one process: ");
        fth_views_verdict_count(sink, threads, "conflicting pair has", "conflicting pairs have");
        fth_sink_text(sink, unrecorded ? " an unknown order: the synchronization of threads was "
                                         "not recorded ("
                                       : " no order that the trace shows");
        fth_sink_text(sink, unrecorded ? unrecorded : "");
        fth_sink_text(sink, unrecorded ? ")\n" : "\n");
    }
}
