/* The verdict for programs. The keys are a contract: docs/fathom-verify.1.md. */
#include "views/verdicts/verify_forms.h"

#include "views/sentences/verify_words.h"

#include <inttypes.h>
#include <stdio.h>

static void put_rank_json(struct fth_json *json, const struct fth_process *process)
{
    fth_json_key(json, "rank");
    if (process->rank == FTH_NO_RANK)
        fth_json_null(json);
    else
        fth_json_integer(json, process->rank);
}

/* What it takes out of the file, or NULL. They are a contract. */
static const char *removal_word(enum fth_removal removal)
{
    static const char *const words[] = {[FTH_REMOVES_NOTHING] = NULL,
                                        [FTH_REMOVES_REST] = "truncation",
                                        [FTH_REMOVES_BYTES] = "hole",
                                        [FTH_REMOVES_PLACE] = "place"};
    return words[removal];
}

static void put_access_json(struct fth_json *json, const struct fth_verdict *verdict,
                            const struct fth_verdict_access *access)
{
    struct fth_verdict_link links[FTH_MOST_LINKS];
    const struct fth_process *process = fth_runs_process(verdict->runs, access->proc);
    const struct fth_run *run = fth_runs_of(verdict->runs, access->proc);
    size_t count = fth_verdict_chain(verdict, access->chain, links, FTH_MOST_LINKS);
    char name[64];
    count = count < FTH_MOST_LINKS ? count : FTH_MOST_LINKS;
    snprintf(name, sizeof name, "%" PRIu32 ".%" PRIu32 ".%" PRIu64, access->proc - run->first_proc,
             access->thread, access->call);
    fth_json_begin_object(json);
    if (verdict->runs->count > 1)
        fth_json_key_text(json, "trace", run->path);
    fth_json_key_text(json, "id", name);
    fth_json_key_unsigned(json, "proc", access->proc - run->first_proc);
    put_rank_json(json, process);
    fth_json_key_unsigned(json, "thread", access->thread);
    fth_json_key_text(json, "access", access->writes ? "write" : "read");
    fth_json_key_text(json, "removes", removal_word(access->removes));
    fth_json_key_seconds(json, "start", access->start);
    fth_json_key_seconds(json, "end", access->end);
    fth_json_key(json, "chain");
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        fth_json_text(json, links[i].function->name);
    fth_json_end_array(json);
    fth_json_key_text(json, "source", count ? links[0].source : NULL);
    fth_json_end_object(json);
}

static void put_group_json(struct fth_json *json, const struct fth_verdict *verdict,
                           const struct fth_verdict_model *model,
                           const struct fth_verdict_group *group)
{
    const struct fth_verdict_by_file *below = fth_views_verdict_below(verdict, model, group);
    fth_json_begin_object(json);
    fth_json_key_text(json, "file", group->file);
    fth_json_key_text(json, "renamed", group->renamed);
    fth_json_key_text(json, "hazard", fth_hazard_text(group->hazard));
    fth_json_key_boolean(json, "unsure", group->unsure);
    fth_json_key_text(json, "why_unsure", group->unsure ? group->why_unsure : NULL);
    fth_json_key_unsigned(json, "pairs", group->pairs);
    fth_json_key(json, "range");
    fth_json_begin_array(json);
    fth_json_unsigned(json, group->range_start);
    if (group->range_end < FTH_ENDLESS)
        fth_json_unsigned(json, group->range_end);
    else
        fth_json_null(json);
    fth_json_end_array(json);
    fth_json_key_boolean(json, "finds_end", group->finds_end);
    fth_json_key_boolean(json, "leaves_out", group->leaves_out);
    fth_json_key(json, "first");
    put_access_json(json, verdict, &group->first);
    fth_json_key(json, "second");
    put_access_json(json, verdict, &group->second);
    fth_json_key_text(json, "below",
                      !below           ? NULL
                      : below->racy    ? "racy"
                      : below->unknown ? "unknown"
                                       : "safe");
    fth_json_key_text(json, "missing", group->missing);
    fth_json_key_text(json, "repair", group->repair);
    fth_json_end_object(json);
}

const char *fth_views_verdict_key(enum fth_safety safety)
{
    static const char *const words[] = {[FTH_SAFE] = "safe",
                                        [FTH_SAFE_AS_SEEN] = "safe_as_seen",
                                        [FTH_SAFETY_UNKNOWN] = "unknown",
                                        [FTH_RACY] = "racy"};
    return words[safety];
}

static const char *const hazard_keys[FTH_HAZARDS] = {
    [FTH_READ_AFTER_WRITE] = "read_after_write", [FTH_WRITE_AFTER_WRITE] = "write_after_write",
    [FTH_WRITE_AFTER_READ] = "write_after_read", [FTH_READ_AND_WRITE] = "read_and_write",
    [FTH_WRITE_AND_WRITE] = "write_and_write",
};

/* What some file systems want of accesses of one process. */
static void put_alone_json(struct fth_json *json, const struct fth_verdict *verdict,
                           const struct fth_verdict_model *model)
{
    fth_json_key(json, "alone");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->model->alone_count; i++) {
        const struct fth_alone *rule = &model->model->alone[i];
        const struct fth_verdict_alone *alone = &model->alone[i];
        fth_json_begin_object(json);
        fth_json_key(json, "systems");
        fth_json_begin_array(json);
        for (size_t k = 0; k < rule->system_count; k++)
            fth_json_text(json, rule->systems[k]);
        fth_json_end_array(json);
        fth_json_key_text(json, "rule", rule->construct.text);
        fth_json_key_unsigned(json, "violations", alone->violations);
        fth_json_key_unsigned(json, "unsure", alone->unsure);
        for (int k = 0; k < FTH_HAZARDS; k++)
            fth_json_key_unsigned(json, hazard_keys[k], alone->hazards[k]);
        if (alone->file) {
            fth_json_key_text(json, "file", alone->file);
            fth_json_key_text(json, "renamed", alone->renamed);
            fth_json_key(json, "first");
            put_access_json(json, verdict, &alone->first);
            fth_json_key(json, "second");
            put_access_json(json, verdict, &alone->second);
        }
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_model_json(struct fth_json *json, const struct fth_verdict *verdict,
                           const struct fth_verdict_model *model)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "verdict", fth_views_verdict_key(fth_verdict_safety(model)));
    fth_json_key_unsigned(json, "conflict_pairs", model->conflict_pairs);
    fth_json_key_unsigned(json, "violations", model->violations);
    fth_json_key_unsigned(json, "unsure", model->unsure);
    fth_json_key_unsigned(json, "by_means", model->by_means);
    fth_json_key_boolean(json, "partly_seen", model->partly_seen);
    fth_json_key_boolean(json, "has_accesses", model->has_accesses);
    fth_json_key_unsigned(json, "unordered_appends", model->unordered_appends);
    fth_json_key(json, "hazards");
    fth_json_begin_object(json);
    for (int i = 0; i < FTH_HAZARDS; i++)
        fth_json_key_unsigned(json, hazard_keys[i], model->hazards[i]);
    fth_json_end_object(json);
    fth_json_key_unsigned(json, "equal_pairs", model->equal_pairs);
    fth_json_key_unsigned(json, "same_process_pairs", model->same_process_pairs);
    fth_json_key(json, "same_process");
    fth_json_begin_object(json);
    for (int i = 0; i <= FTH_READ_AND_WRITE; i++) /* those in order */
        fth_json_key_unsigned(json, hazard_keys[i], model->same_process[i]);
    fth_json_end_object(json);
    put_alone_json(json, verdict, model);
    fth_json_key_unsigned(json, "unordered_in_process", model->unordered_in_process);
    fth_json_key_boolean(json, "racing_threads", model->racing_threads);
    fth_json_key_boolean(json, "racing_places", model->racing_places);
    fth_json_key_boolean(json, "racing_positions", model->racing_positions);
    fth_json_key_boolean(json, "unrecorded_threads", model->unrecorded_threads != NULL);
    fth_json_key(json, "systems");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->model->system_count; i++)
        fth_json_text(json, model->model->systems[i]);
    fth_json_end_array(json);
    fth_json_key(json, "groups");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->group_count; i++)
        put_group_json(json, verdict, model, &model->groups[i]);
    fth_json_end_array(json);
    fth_json_key(json, "thread_groups");
    fth_json_begin_array(json);
    for (size_t i = 0; i < model->thread_group_count; i++)
        put_group_json(json, verdict, model, &model->thread_groups[i]);
    fth_json_end_array(json);
    fth_json_end_object(json);
}

static void put_races_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "names");
    fth_json_begin_object(json);
    fth_json_key_unsigned(json, "races", verdict->races);
    fth_json_key(json, "groups");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->race_group_count; i++) {
        const struct fth_verdict_race *race = &verdict->race_groups[i];
        fth_json_begin_object(json);
        fth_json_key_text(json, "kind",
                          race->listing    ? "listing"
                          : race->of_names ? "name"
                                           : "size");
        fth_json_key_text(json, "name", race->name);
        fth_json_key_text(json, "pattern", race->pattern);
        fth_json_key_unsigned(json, "names", race->names);
        fth_json_key_unsigned(json, "pairs", race->pairs);
        fth_json_key(json, "first");
        put_access_json(json, verdict, &race->first);
        fth_json_key(json, "second");
        put_access_json(json, verdict, &race->second);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    fth_json_end_object(json);
}

static void put_position_races_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "position_races");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->position_race_count; i++) {
        const struct fth_verdict_position_race *race = &verdict->position_races[i];
        struct fth_sink missing;
        fth_sink_open_memory(&missing);
        fth_views_verdict_position_missing(&missing, race);
        fth_sink_char(&missing, '\0');
        fth_json_begin_object(json);
        fth_json_key_text(json, "file", race->file);
        fth_json_key_unsigned(json, "times", race->times);
        fth_json_key_boolean(json, "unrecorded_threads", race->unrecorded != NULL);
        fth_json_key(json, "first");
        put_access_json(json, verdict, &race->first);
        fth_json_key(json, "second");
        put_access_json(json, verdict, &race->second);
        fth_json_key_text(json, "missing", missing.bytes);
        fth_json_key_text(json, "repair", fth_views_verdict_position_repair(race));
        fth_json_end_object(json);
        fth_sink_close_memory(&missing);
    }
    fth_json_end_array(json);
}

static void put_findings_json(struct fth_json *json, const struct fth_verdict *verdict,
                              size_t number)
{
    size_t count;
    const struct fth_run *run = &verdict->runs->runs[number];
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%zu.%" PRIu32 ".%" PRIu64, findings[i].proc,
                 findings[i].thread, findings[i].call);
        fth_json_begin_object(json);
        if (verdict->runs->count > 1)
            fth_json_key_text(json, "trace", run->path);
        fth_json_key_text(json, "kind", fth_order_finding_word(findings[i].kind));
        fth_json_key_text(json, "call", name);
        put_rank_json(
            json, fth_runs_process(verdict->runs, run->first_proc + (uint32_t)findings[i].proc));
        fth_json_key_text(json, "source",
                          verdict->finding_places ? verdict->finding_places[number][i] : NULL);
        fth_json_key_text(json, "text", findings[i].text);
        fth_json_end_object(json);
    }
}

/* Processes that did not come to their end, and such of which calls are lost. */
static void put_cut_off_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "cut_off");
    fth_json_begin_array(json);
    for (uint32_t i = fth_views_verdict_cut_off(verdict, 0); i < verdict->runs->process_count;
         i = fth_views_verdict_cut_off(verdict, i + 1)) {
        const struct fth_process *process = fth_runs_process(verdict->runs, i);
        const struct fth_run *run = fth_runs_of(verdict->runs, i);
        fth_json_begin_object(json);
        if (verdict->runs->count > 1)
            fth_json_key_text(json, "trace", run->path);
        fth_json_key_unsigned(json, "proc", i - run->first_proc);
        put_rank_json(json, process);
        fth_json_key_text(json, "how_ended", process->how_ended);
        fth_json_key_unsigned(json, "lost_calls", process->lost - process->only_counted);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

/* Of the files that several processes accessed. */
static void put_by_file_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "by_file");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->by_file_count; i++) {
        const struct fth_verdict_by_file *file = &verdict->by_file[i];
        enum fth_safety safety = file->racy              ? FTH_RACY
                                 : file->unknown         ? FTH_SAFETY_UNKNOWN
                                 : verdict->unseen_count ? FTH_SAFE_AS_SEEN
                                                         : FTH_SAFE;
        fth_json_begin_object(json);
        fth_json_key_text(json, "file", file->name);
        fth_json_key_text(json, "renamed", file->renamed);
        fth_json_key_text(json, "verdict", fth_views_verdict_key(safety));
        fth_json_key_text(json, "weakest", file->weakest ? file->weakest->name : NULL);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

/* What may have accessed files, and was not seen: why safe is only safe_as_seen. */
static void put_unseen_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "unseen");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->unseen_count; i++) {
        fth_json_begin_object(json);
        if (verdict->runs->count > 1)
            fth_json_key_text(json, "trace", verdict->runs->runs[verdict->unseen[i].run].path);
        fth_json_key_text(json, "text", verdict->unseen[i].text);
        fth_json_key_boolean(json, "library_only", verdict->unseen[i].of_library_only);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_means_json(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key(json, "not_followed");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->means_count; i++) {
        fth_json_begin_object(json);
        fth_json_key_text(json, "text", verdict->means[i].text);
        fth_json_key_unsigned(json, "pairs", verdict->means[i].pairs);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_files_json(struct fth_json *json, const char *key,
                           const struct fth_verdict_file *files, size_t count)
{
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        fth_json_begin_object(json);
        fth_json_key_text(json, "file", files[i].name);
        fth_json_key_unsigned(json, "times", files[i].times);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

void fth_views_verify_facts(struct fth_json *json, const struct fth_verdict *verdict)
{
    fth_json_key_text(json, "trace", verdict->runs->runs[0].path);
    if (verdict->runs->count > 1) {
        fth_json_key(json, "traces");
        fth_json_begin_array(json);
        for (size_t i = 0; i < verdict->runs->count; i++)
            fth_json_text(json, verdict->runs->runs[i].path);
        fth_json_end_array(json);
    }
    fth_json_key_text(json, "verdict", fth_views_verdict_key(fth_verdict_of_run(verdict)));
    fth_json_key_text(json, "weakest", verdict->weakest ? verdict->weakest->name : NULL);
    fth_json_key_boolean(json, "racy", verdict->racy);
    fth_json_key_boolean(json, "unknown", verdict->unknown);
    fth_json_key_boolean(json, "no_program", verdict->no_program);
    fth_json_key_boolean(json, "no_calls", verdict->no_calls);
    put_cut_off_json(json, verdict);
    put_by_file_json(json, verdict);
    put_unseen_json(json, verdict);
    put_means_json(json, verdict);
    fth_json_key(json, "models");
    fth_json_begin_object(json);
    for (size_t i = 0; i < verdict->model_count; i++) {
        fth_json_key(json, verdict->models[i].model->name);
        put_model_json(json, verdict, &verdict->models[i]);
    }
    fth_json_end_object(json);
    fth_json_key_unsigned(json, "files", verdict->files);
    fth_json_key_unsigned(json, "shared_files", verdict->shared_files);
    fth_json_key_unsigned(json, "accesses", verdict->accesses);
    fth_json_key_unsigned(json, "unknown_accesses", verdict->unknown_accesses);
    fth_json_key_text(json, "unknown_why", verdict->unknown_why);
    put_files_json(json, "unknown_files", verdict->unknown_files, verdict->unknown_file_count);
    fth_json_key_unsigned(json, "mapped", verdict->mapped);
    put_files_json(json, "mapped_files", verdict->mapped_files, verdict->mapped_file_count);
    put_files_json(json, "shared_position_files", verdict->turn_files, verdict->turn_file_count);
    put_files_json(json, "unrecorded_position_files", verdict->vague_turn_files,
                   verdict->vague_turn_file_count);
    put_files_json(json, "raced_size_files", verdict->placed_files, verdict->placed_file_count);
    put_position_races_json(json, verdict);
    fth_json_key(json, "seconds");
    fth_json_begin_object(json);
    fth_json_key_seconds(json, "reading", verdict->reading_time);
    fth_json_key_seconds(json, "ordering", verdict->ordering_time);
    fth_json_key_seconds(json, "comparing", verdict->comparing_time);
    fth_json_end_object(json);
    put_races_json(json, verdict);
    fth_json_key(json, "findings");
    fth_json_begin_array(json);
    for (size_t i = 0; i < verdict->runs->count; i++)
        put_findings_json(json, verdict, i);
    fth_json_end_array(json);
}
