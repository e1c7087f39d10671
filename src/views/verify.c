/* Verdicts for people: what is safe, what is not, and for each kind of violation an example with the whole chain of calls, what is missing and what would repair it. */
#include "views/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LINKS = 32 };

static void put_count(struct fth_output *output, uint64_t count, const char *one, const char *many)
{
    char text[32], grouped[48];
    size_t length = (size_t)snprintf(text, sizeof text, "%" PRIu64, count), at = 0;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            grouped[at++] = ',';
        grouped[at++] = text[i];
    }
    grouped[at] = 0;
    fth_views_print(output, "%s %s", grouped, count == 1 ? one : many);
}

/* ---- one line per model ---- */

static void put_systems(struct fth_output *output, const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->system_count; i++)
        fth_views_print(output, "%s%s", i ? ", " : "", model->systems[i]);
}

static void put_model(struct fth_output *output, const struct fth_verdict_model *model)
{
    bool clean = model->violations == 0;
    fth_views_print(output, "  %-10s ", model->model->name);
    fth_views_paint(output, clean ? FTH_PAINT_GOOD : FTH_PAINT_BAD);
    fth_views_print(output, "%-5s", clean ? "safe" : "racy");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_print(output, "  ");
    if (clean && model->conflict_pairs == 0) {
        fth_views_print(output, "no two processes access the same bytes and one writes");
    } else {
        put_count(output, model->conflict_pairs, "conflicting pair", "conflicting pairs");
        if (!clean) {
            fth_views_print(output, ", ");
            put_count(output, model->violations, "not synchronized", "not synchronized");
            fth_views_print(output, ", ");
            put_count(output, model->group_count, "kind of place", "kinds of places");
        }
    }
    fth_views_print(output, "\n");
}

static void put_safety(struct fth_output *output, const struct fth_verdict *verdict)
{
    bool any = false;
    for (int safe = 1; safe >= 0; safe--) {
        any = false;
        for (size_t i = 0; i < verdict->model_count; i++) {
            const struct fth_verdict_model *model = &verdict->models[i];
            if ((model->violations == 0) != safe || model->model->system_count == 0)
                continue;
            fth_views_print(output, any ? "; " : safe ? "Safe on: " : "Not safe on: ");
            put_systems(output, model->model);
            any = true;
        }
        fth_views_print(output, any ? "\n" : "");
    }
}

static uint64_t most_conflicts(const struct fth_verdict *verdict)
{
    uint64_t most = 0;
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].conflict_pairs > most)
            most = verdict->models[i].conflict_pairs;
    return most;
}

static void put_verdict(struct fth_output *output, const struct fth_verdict *verdict,
                        const char *asked)
{
    fth_views_paint(output, FTH_PAINT_TITLE);
    if (asked) {
        const struct fth_verdict_model *model = &verdict->models[0];
        for (size_t i = 0; i < verdict->model_count; i++)
            if (strcmp(verdict->models[i].model->name, asked) == 0)
                model = &verdict->models[i];
        fth_views_print(output,
                        model->violations ? "Racy under %s consistency.\n"
                                          : "Safe under %s consistency.\n",
                        asked);
    } else if (verdict->racy) {
        fth_views_print(output, "Racy on every file system: accesses that conflict are not "
                                "ordered.\n");
    } else if (verdict->weakest && most_conflicts(verdict) == 0) {
        fth_views_print(output, "Any file system will do: no two processes access the same bytes "
                                "of a file and one of them writes.\n");
    } else if (verdict->weakest) {
        fth_views_print(output, "%s consistency is enough: %s.\n", verdict->weakest->name,
                        verdict->weakest->about ? verdict->weakest->about : "");
    }
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

/* ---- violations ---- */

static void put_access(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_access *access, const char *label)
{
    struct fth_verdict_link links[MOST_LINKS];
    const struct fth_process *process = fth_runs_process(verdict->runs, access->proc);
    const struct fth_run *run = fth_runs_of(verdict->runs, access->proc);
    size_t count = fth_verdict_chain(verdict, access->chain, links, MOST_LINKS);
    fth_views_print(output, "     %-7s ", label);
    if (process->rank != FTH_NO_RANK)
        fth_views_print(output, "rank %" PRId64, process->rank);
    else
        fth_views_print(output, "process %" PRIu32, access->proc - run->first_proc);
    if (access->thread)
        fth_views_print(output, " thread %" PRIu32, access->thread);
    if (verdict->runs->count > 1)
        fth_views_print(output, " of %s", run->path);
    fth_views_print(output, " at %.6f s: ", (double)access->start / 1e9);
    for (size_t i = count > MOST_LINKS ? count - MOST_LINKS : 0, at = 0; i < count; i++, at++)
        fth_views_print(output, "%s%s%s%s%s", at ? " > " : "", links[at].function->name,
                        links[at].source ? " (" : "", links[at].source ? links[at].source : "",
                        links[at].source ? ")" : "");
    fth_views_print(output, "\n");
}

static void put_group(struct fth_output *output, const struct fth_verdict *verdict,
                      const struct fth_verdict_group *group, size_t number)
{
    fth_views_print(output, "%3zu. ", number);
    fth_views_paint(output, FTH_PAINT_NAME);
    fth_views_print(output, "%s", group->file);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_print(output, ": %s, ", fth_hazard_text(group->hazard));
    put_count(output, group->pairs, "pair", "pairs");
    fth_views_print(output, ", such as bytes %" PRIu64 " to %" PRIu64 "\n", group->range_start,
                    group->range_end - 1);
    put_access(output, verdict, &group->first, "first");
    put_access(output, verdict, &group->second, "second");
    fth_views_print(output, "     missing %s\n", group->missing);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "     repair  %s\n", group->repair);
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

static void put_groups(struct fth_output *output, const struct fth_verdict *verdict,
                       const struct fth_verdict_model *model, size_t top)
{
    size_t shown = top && top < model->group_count ? top : model->group_count;
    if (shown == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\nRacy under %s\n", model->model->name);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++)
        put_group(output, verdict, &model->groups[i], i + 1);
    if (shown < model->group_count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n",
                        model->group_count - shown);
}

static bool can_synchronize_writes(const struct fth_consistency *model)
{
    for (size_t i = 0; i < model->construct_count; i++)
        if (!(model->constructs[i].conditions & FTH_X_READS))
            return true;
    return false;
}

/* Violations of a stronger model are told once: those of the weaker ones have the same, and more. */
static bool is_told(const struct fth_verdict *verdict, size_t index, const char *asked)
{
    const struct fth_verdict_model *model = &verdict->models[index];
    if (asked)
        return strcmp(model->model->name, asked) == 0;
    for (size_t i = 0; i < verdict->model_count; i++)
        if (model->model->weaker && verdict->models[i].violations == model->violations &&
            strcmp(verdict->models[i].model->name, model->model->weaker) == 0)
            return false;
    /* Nobody wants a list of what no write ever is. */
    return can_synchronize_writes(model->model) && model->violations > 0;
}

/* ---- what else there is to say ---- */

static void put_races(struct fth_output *output, const struct fth_verdict *verdict, size_t top)
{
    size_t count = verdict->race_group_count, shown = top && top < count ? top : count;
    if (count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\nRaces for names\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < shown && !fth_views_stopped(output); i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        fth_views_print(output, "%3zu. ", i + 1);
        fth_views_paint(output, FTH_PAINT_NAME);
        fth_views_print(output, "%s", race->name);
        fth_views_paint(output, FTH_PAINT_PLAIN);
        fth_views_print(output, ": ");
        put_count(output, race->pairs, "pair of calls", "pairs of calls");
        fth_views_print(output, " that nothing orders\n");
        put_access(output, verdict, &race->first, "first");
        put_access(output, verdict, &race->second, "second");
    }
    if (shown < count)
        fth_views_print(output, "     and %zu more: --top 0 shows all\n", count - shown);
}

static void put_findings_of(struct fth_output *output, const struct fth_verdict *verdict,
                            const struct fth_run *run)
{
    enum { MOST = 5 };
    size_t count, told[FTH_ORDER_FINDING_KINDS] = {0};
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    if (count == 0)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "\nCalls that do not fit together");
    if (verdict->runs->count > 1)
        fth_views_print(output, " in %s", run->path);
    fth_views_print(output, "\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < count; i++)
        if (told[findings[i].kind]++ < MOST)
            fth_views_print(output, "  %s (call %zu.%" PRIu32 ".%" PRIu64 ")\n", findings[i].text,
                            findings[i].proc, findings[i].thread, findings[i].call);
    for (int kind = 0; kind < FTH_ORDER_FINDING_KINDS; kind++) {
        uint64_t all = fth_order_finding_count(run->order, kind);
        if (all > told[kind] || told[kind] > MOST)
            fth_views_print(output, "  %s: %" PRIu64 " in all\n", fth_order_finding_word(kind),
                            all);
    }
}

static void put_notes(struct fth_output *output, const struct fth_verdict *verdict)
{
    uint64_t threads = 0;
    put_count(output, verdict->accesses, "access", "accesses");
    fth_views_print(output, " to ");
    put_count(output, verdict->files, "file", "files");
    fth_views_print(output, " compared.\n");
    for (size_t i = 0; i < verdict->model_count; i++)
        if (verdict->models[i].unordered_in_process > threads)
            threads = verdict->models[i].unordered_in_process;
    if (verdict->unknown_accesses) {
        fth_views_print(output, "Not compared: ");
        put_count(output, verdict->unknown_accesses, "access", "accesses");
        fth_views_print(output, " of unknown place (%s)\n",
                        verdict->unknown_why ? verdict->unknown_why : "?");
    }
    if (verdict->mapped) {
        fth_views_print(
            output,
            "Not seen: what was done through memory to files that were mapped to be written (");
        put_count(output, verdict->mapped, "time", "times");
        fth_views_print(output, ")\n");
    }
    if (threads) {
        fth_views_print(output, "Threads of one process: ");
        put_count(output, threads, "conflicting pair has", "conflicting pairs have");
        fth_views_print(output, " no order that the trace shows\n");
    }
}

void fth_views_verify(struct fth_output *output, const struct fth_verdict *verdict,
                      const char *asked, size_t top)
{
    put_verdict(output, verdict, asked);
    for (size_t i = 0; i < verdict->model_count; i++)
        if (!asked || strcmp(verdict->models[i].model->name, asked) == 0)
            put_model(output, &verdict->models[i]);
    put_safety(output, verdict);
    put_notes(output, verdict);
    for (size_t i = 0; i < verdict->model_count && !fth_views_stopped(output); i++)
        if (is_told(verdict, i, asked))
            put_groups(output, verdict, &verdict->models[i], top);
    put_races(output, verdict, top);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings_of(output, verdict, &verdict->runs->runs[i]);
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "\nThe verdict is for this run: messages and locks came in the order "
                            "that was recorded.\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
}

/* ---- JSON ---- */

static void put_number(struct fth_json *json, const char *key, uint64_t value)
{
    fth_json_key(json, key);
    fth_json_unsigned(json, value);
}

static void put_text(struct fth_json *json, const char *key, const char *text)
{
    fth_json_key(json, key);
    fth_json_text(json, text);
}

static void put_seconds(struct fth_json *json, const char *key, int64_t nanoseconds)
{
    fth_json_key(json, key);
    fth_json_seconds(json, nanoseconds);
}

static void put_access_json(struct fth_json *json, const struct fth_verdict *verdict,
                            const struct fth_verdict_access *access)
{
    struct fth_verdict_link links[MOST_LINKS];
    const struct fth_process *process = fth_runs_process(verdict->runs, access->proc);
    const struct fth_run *run = fth_runs_of(verdict->runs, access->proc);
    size_t count = fth_verdict_chain(verdict, access->chain, links, MOST_LINKS);
    char name[64];
    count = count < MOST_LINKS ? count : MOST_LINKS;
    snprintf(name, sizeof name, "%" PRIu32 ".%" PRIu32 ".%" PRIu64, access->proc - run->first_proc,
             access->thread, access->call);
    fth_json_begin_object(json);
    if (verdict->runs->count > 1)
        put_text(json, "trace", run->path);
    put_text(json, "id", name);
    put_number(json, "proc", access->proc - run->first_proc);
    fth_json_key(json, "rank");
    if (process->rank == FTH_NO_RANK)
        fth_json_null(json);
    else
        fth_json_integer(json, process->rank);
    put_number(json, "thread", access->thread);
    put_text(json, "access", access->writes ? "write" : "read");
    fth_json_key(json, "start");
    fth_json_seconds(json, access->start);
    fth_json_key(json, "end");
    fth_json_seconds(json, access->end);
    fth_json_key(json, "chain");
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        fth_json_text(json, links[i].function->name);
    fth_json_end_array(json);
    put_text(json, "source", count ? links[0].source : NULL);
    fth_json_end_object(json);
}

static void put_group_json(struct fth_json *json, const struct fth_verdict *verdict,
                           const struct fth_verdict_group *group)
{
    fth_json_begin_object(json);
    put_text(json, "file", group->file);
    put_text(json, "hazard", fth_hazard_text(group->hazard));
    put_number(json, "pairs", group->pairs);
    fth_json_key(json, "range");
    fth_json_begin_array(json);
    fth_json_unsigned(json, group->range_start);
    fth_json_unsigned(json, group->range_end);
    fth_json_end_array(json);
    fth_json_key(json, "first");
    put_access_json(json, verdict, &group->first);
    fth_json_key(json, "second");
    put_access_json(json, verdict, &group->second);
    put_text(json, "missing", group->missing);
    put_text(json, "repair", group->repair);
    fth_json_end_object(json);
}

static void put_model_json(struct fth_json *json, const struct fth_verdict *verdict,
                           const struct fth_verdict_model *model)
{
    static const char *const keys[] = {"read_after_write", "write_after_write", "write_after_read",
                                       "read_and_write", "write_and_write"};
    fth_json_begin_object(json);
    put_number(json, "conflict_pairs", model->conflict_pairs);
    put_number(json, "violations", model->violations);
    fth_json_key(json, "hazards");
    fth_json_begin_object(json);
    for (int i = 0; i < FTH_HAZARDS; i++)
        put_number(json, keys[i], model->hazards[i]);
    fth_json_end_object(json);
    put_number(json, "same_process_pairs", model->same_process_pairs);
    put_number(json, "unordered_in_process", model->unordered_in_process);
    fth_json_key(json, "systems");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->model->system_count; i++)
        fth_json_text(json, model->model->systems[i]);
    fth_json_end_array(json);
    fth_json_key(json, "groups");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->group_count; i++)
        put_group_json(json, verdict, &model->groups[i]);
    fth_json_end_array(json);
    fth_json_end_object(json);
}

static void put_races_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "names");
    fth_json_begin_object(json);
    put_number(json, "races", verdict->races);
    fth_json_key(json, "groups");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->race_group_count; i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        fth_json_begin_object(json);
        put_text(json, "name", race->name);
        put_number(json, "pairs", race->pairs);
        fth_json_key(json, "first");
        put_access_json(json, verdict, &race->first);
        fth_json_key(json, "second");
        put_access_json(json, verdict, &race->second);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    fth_json_end_object(json);
}

static void put_findings_json(struct fth_json *json, const struct fth_verdict *verdict,
                              const struct fth_run *run)
{
    size_t count;
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%zu.%" PRIu32 ".%" PRIu64, findings[i].proc,
                 findings[i].thread, findings[i].call);
        fth_json_begin_object(json);
        if (verdict->runs->count > 1)
            put_text(json, "trace", run->path);
        put_text(json, "kind", fth_order_finding_word(findings[i].kind));
        put_text(json, "call", name);
        put_text(json, "text", findings[i].text);
        fth_json_end_object(json);
    }
}

void fth_views_verify_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_begin_object(json);
    put_text(json, "trace", verdict->runs->runs[0].path);
    if (verdict->runs->count > 1) {
        fth_json_key(json, "traces");
        fth_json_begin_array(json);
        for (size_t i = 0; i < verdict->runs->count; i++)
            fth_json_text(json, verdict->runs->runs[i].path);
        fth_json_end_array(json);
    }
    put_text(json, "weakest", verdict->weakest ? verdict->weakest->name : NULL);
    fth_json_key(json, "racy");
    fth_json_boolean(json, verdict->racy);
    fth_json_key(json, "models");
    fth_json_begin_object(json);
    for (size_t i = 0; i < verdict->model_count; i++) {
        fth_json_key(json, verdict->models[i].model->name);
        put_model_json(json, verdict, &verdict->models[i]);
    }
    fth_json_end_object(json);
    put_number(json, "files", verdict->files);
    put_number(json, "accesses", verdict->accesses);
    put_number(json, "unknown_accesses", verdict->unknown_accesses);
    put_text(json, "unknown_why", verdict->unknown_why);
    put_number(json, "mapped", verdict->mapped);
    fth_json_key(json, "seconds");
    fth_json_begin_object(json);
    put_seconds(json, "reading", verdict->reading_time);
    put_seconds(json, "ordering", verdict->ordering_time);
    put_seconds(json, "comparing", verdict->comparing_time);
    fth_json_end_object(json);
    put_races_json(json, verdict);
    fth_json_key(json, "findings");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings_json(json, verdict, &verdict->runs->runs[i]);
    fth_json_end_array(json);
    fth_json_end_object(json);
    fth_json_end_document(json);
}
