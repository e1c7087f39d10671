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

void fth_views_verdict_sentence(struct fth_sink *sink, const struct fth_verdict *verdict,
                                const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[0];
    for (size_t i = 0; i < verdict->model_count && asked; i++)
        if (fth_views_verdict_shows(&verdict->models[i], asked))
            model = &verdict->models[i];
    if (asked) {
        fth_sink_text(sink, model->violations ? "Racy under " : "Safe under ");
        fth_sink_text(sink, asked);
        fth_sink_text(sink, " consistency.");
    } else if (verdict->racy) {
        fth_sink_text(sink, "Racy on every file system: accesses that conflict are not ordered.");
    } else if (verdict->weakest && most_conflicts(verdict) == 0) {
        fth_sink_text(sink, "Any file system will do: no two processes access the same bytes of "
                            "a file and one of them writes.");
    } else if (verdict->weakest) {
        fth_sink_text(sink, verdict->weakest->name);
        fth_sink_text(sink, " consistency is enough: ");
        fth_sink_text(sink, verdict->weakest->about ? verdict->weakest->about : "");
        fth_sink_char(sink, '.');
    }
    if (verdict->unknown_accesses && !verdict->racy) {
        fth_sink_text(sink, " But this leaves out ");
        put_count(sink, verdict->unknown_accesses, "access", "accesses");
        fth_sink_text(sink, " of unknown place: see below.");
    }
}

void fth_views_verdict_pairs(struct fth_sink *sink, const struct fth_verdict_model *model)
{
    if (model->conflict_pairs == 0) {
        fth_sink_text(sink, "no two processes access the same bytes and one writes");
        return;
    }
    put_count(sink, model->conflict_pairs, "conflicting pair", "conflicting pairs");
    if (!model->violations)
        return;
    fth_sink_text(sink, ", ");
    fth_sink_text(sink, fth_phrase_count((int64_t)model->violations).text);
    fth_sink_text(sink, " not synchronized, ");
    put_count(sink, model->group_count, "kind of place", "kinds of places");
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

/* ---- which violations ---- */

static bool can_synchronize_writes(const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->construct_count; i++)
        if (!(model->constructs[i].conditions & FTH_X_READS))
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
            strcmp(verdict->models[i].model->name, model->model->weaker) == 0)
            return false;
    /* Nobody wants a list of what no write ever is. */
    return can_synchronize_writes(model->model) && model->violations > 0;
}

/* ---- notes ---- */

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
    fth_sink_text(sink, "Not compared: ");
    put_count(sink, verdict->unknown_accesses, "access", "accesses");
    fth_sink_text(sink, " of unknown place (");
    fth_sink_text(sink, verdict->unknown_why ? verdict->unknown_why : "?");
    fth_sink_char(sink, ')');
    put_files(sink, verdict->unknown_files, verdict->unknown_file_count);
    fth_sink_char(sink, '\n');
}

static void put_mapped(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    fth_sink_text(
        sink, "Not seen: what was done through memory to files that were mapped to be written (");
    put_count(sink, verdict->mapped, "time", "times");
    fth_sink_char(sink, ')');
    put_files(sink, verdict->mapped_files, verdict->mapped_file_count);
    fth_sink_char(sink, '\n');
}

void fth_views_verdict_notes(struct fth_sink *sink, const struct fth_verdict *verdict)
{
    uint64_t threads = 0;
    put_count(sink, verdict->accesses, "access", "accesses");
    fth_sink_text(sink, " to ");
    put_count(sink, verdict->files, "file", "files");
    fth_sink_text(sink, " compared.\n");
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].unordered_in_process > threads)
            threads = verdict->models[i].unordered_in_process;
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
