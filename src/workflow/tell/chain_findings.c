/* Findings of the chain: what a workflow loses between its programs. None is about the calls of one
 * program; `fathom report` of its trace has those. */
#include "workflow/tell/job_tables.h"
#include "workflow/tell/phase_findings.h"
#include "workflow/tell/quoted_step.h"
#include "workflow/tell/simulated_tables.h"
#include "workflow/tell/what_if_table.h"
#include "workflow/tell/workflow_tables.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"

#include <stdio.h>
#include <string.h>

/* A share of the length of the workflow below which nothing about time is said. */
static const double worth = 0.05;
enum {
    MANY_READERS = 8,
    MANY_FILES = 1000,
    SMALL = 64 << 10, /* bytes */
};
/* ns between two steps below which it may be the start of programs, also that of the recording. */
static const int64_t least_gap = 20000000;

static bool is_worth(const struct fth_workflow_facts *facts, int64_t time)
{
    return time > 0 && (double)time >= worth * (double)fth_workflow_length(facts);
}

/* ---- steps that could overlap ---- */

static bool has_data_from(const struct fth_workflow_graph *graph, uint32_t step, uint32_t from)
{
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++)
        if (graph->edges[i].from == from && graph->edges[i].kind == FTH_EDGE_DATA)
            return true;
    return false;
}

/* The longest step of the critical path that came after another one it has no data from. */
static const struct fth_workflow_held *longest_without_need(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_held *longest = NULL;
    for (uint32_t i = 0; i < facts->schedule.held_count; i++) {
        const struct fth_workflow_held *held = &facts->schedule.held[i];
        if (held->before == FTH_NO_STEP || held->kind != FTH_EDGE_ORDER ||
            has_data_from(&facts->graph, held->step, held->before))
            continue;
        if (!longest || held->to - held->from > longest->to - longest->from)
            longest = held;
    }
    return longest;
}

static void find_overlap(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    const struct fth_workflow_held *example = longest_without_need(facts);
    int64_t possible = schedule->possible ? schedule->possible : schedule->unlimited, path = 0;
    /* What went by between steps is not won by another order. */
    for (uint32_t i = 0; i < schedule->held_count; i++)
        FTH_ADD_SATURATING(path, schedule->held[i].to - schedule->held[i].from);
    int64_t gain = path - possible;
    if (facts->workflow->incomplete || !example || !is_worth(facts, gain))
        return; /* that a step has no data of another one is only known if all is seen */
    char *step = fth_workflow_quoted_step(facts, example->step),
         *before = fth_workflow_quoted_step(facts, example->before);
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "steps_in_a_row", "Steps run one after the other");
    fth_workflow_set_gain(facts, finding, gain);
    char *where = schedule->possible
                      ? fth_text_format("on %u processors", facts->workflow->processors)
                      : fth_text_copy("with a processor for each");
    fth_finding_say(finding,
                    "Steps wait for the end of others that they have no data from: %s for %s. In "
                    "an order by data alone the steps would take %s %s instead of %s, if none "
                    "slows another one down.",
                    step, before, fth_phrase_duration(possible).text, where,
                    fth_phrase_duration(path).text);
    fth_finding_advise(finding,
                       "Start steps as soon as their inputs are there: `make -j`, jobs of the "
                       "batch system with dependencies, or `&` and `wait` in a script. What is "
                       "not recorded (environment, messages of other programs) may still ask for "
                       "the order: check it first.");
    free(where);
    free(step);
    free(before);
}

/* ---- time between steps ---- */

/* Is each of the two recorded for itself? */
static bool are_apart(const struct fth_workflow_facts *facts, const struct fth_workflow_held *held)
{
    const struct fth_workflow_step *steps = facts->workflow->steps;
    return held->before != FTH_NO_STEP && steps[held->step].trace && steps[held->before].trace &&
           strcmp(steps[held->step].trace, steps[held->before].trace) != 0;
}

static void find_gaps(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    const struct fth_workflow_held *longest = NULL;
    int64_t waited = 0;
    for (uint32_t i = 0; i < schedule->held_count; i++) {
        const struct fth_workflow_held *held = &schedule->held[i];
        FTH_ADD_SATURATING(waited, held->waited - held->queued);
        if (held->waited > held->queued &&
            (!longest || held->waited - held->queued > longest->waited - longest->queued))
            longest = held;
    }
    if (!longest || longest->waited - longest->queued < least_gap || !is_worth(facts, waited))
        return;
    char *step = fth_workflow_quoted_step(facts, longest->step),
         *before = fth_workflow_quoted_step(facts, longest->before);
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "time_between_steps", "Time goes by between steps");
    fth_workflow_set_gain(facts, finding, waited);
    fth_finding_say(finding,
                    "Along the critical path no step ran for %s in all%s; the longest time is %s, "
                    "between the end of %s and the start of %s.",
                    fth_phrase_duration(waited).text,
                    facts->workflow->job_count ? ", beside what is known of the queue" : "",
                    fth_phrase_duration(longest->waited - longest->queued).text, before, step);
    fth_finding_advise(finding,
                       "It is the script between them, the queue of the batch system, or a "
                       "program that was not recorded. Steps of one job in place of a job each "
                       "wait in the queue once.%s",
                       are_apart(facts, longest)
                           ? " These two are recorded each for itself: of this time, Fathom has "
                             "needed a part to write the trace of the one (and its profile, in a "
                             "shell of `fathom workflow wrap`) and to start the other."
                           : "");
    free(step);
    free(before);
}

/* ---- a step that holds everything ---- */

static struct fth_phrase share_text(int64_t part, int64_t all)
{
    return fth_phrase_percent(all > 0 ? 100 * (double)part / (double)all : 0);
}

/* To be freed. */
static char *waiter_sentence(const struct fth_workflow_facts *facts,
                             const struct fth_workflow_held *held)
{
    if (held->waiter == FTH_NO_STEP)
        return fth_text_copy("");
    char *writer = fth_workflow_quoted_step(facts, held->waiter),
         *sentence = fth_text_format("%s waited for it: it spent %s in calls that write to the "
                                     "pipe between the two. ",
                                     writer, fth_phrase_duration(held->waiter_time).text);
    free(writer);
    return sentence;
}

/* Would it end earlier on more processors, by data alone? Steps wait for processors then, too. */
static bool lacks_processors(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    return schedule->possible && is_worth(facts, schedule->possible - schedule->unlimited);
}

static void find_dominant(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_held *longest = NULL;
    for (uint32_t i = 0; i < facts->schedule.held_count; i++) {
        const struct fth_workflow_held *held = &facts->schedule.held[i];
        if (!longest || held->to - held->from > longest->to - longest->from)
            longest = held;
    }
    bool alone = facts->schedule.held_count < 2 && longest && longest->waiter == FTH_NO_STEP;
    double time = longest ? (double)(longest->to - longest->from) : 0,
           whole = (double)fth_workflow_length(facts);
    bool is_most = time > 0.5 * whole;
    if (!longest || alone || time < 0.3 * whole || (!is_most && lacks_processors(facts)))
        return;
    const struct fth_workflow_step *facts_of = &facts->workflow->steps[longest->step];
    char *step = fth_workflow_quoted_step(facts, longest->step);
    struct fth_finding *finding = fth_finding_add(&results->findings, "dominating_step",
                                                  is_most ? "One step holds most of the workflow"
                                                          : "One step holds much of the workflow");
    fth_workflow_set_gain(facts, finding, longest->to - longest->from);
    int64_t threads = fth_saturating_sum(
        fth_saturating_sum(facts_of->io, facts_of->messages),
        fth_saturating_sum(facts_of->own, fth_saturating_sum(facts_of->other, facts_of->waiting)));
    FTH_ADD_SATURATING(threads, facts_of->unknown);
    char *waiter = waiter_sentence(facts, longest),
         *waited = facts_of->waiting > 0
                       ? fth_text_format(", and waited for others %s of their time",
                                         share_text(facts_of->waiting, threads).text)
                       : fth_text_copy("");
    fth_finding_say(
        finding,
        "%s holds the end of the workflow for %s, %s of it. %sIts threads spent %s%s in "
        "I/O and %s in messages%s.",
        step, fth_phrase_duration(longest->to - longest->from).text,
        fth_phrase_percent(finding->share).text, waiter, facts_of->unknown ? "at least " : "",
        share_text(facts_of->io, threads).text, share_text(facts_of->messages, threads).text,
        waited);
    free(waiter);
    free(waited);
    fth_finding_advise(finding, "Look at this step first: fathom report %s", facts_of->trace);
    free(step);
}

/* ---- files ---- */

static void list_file(const struct fth_workflow_facts *facts, struct fth_finding *finding,
                      const struct fth_workflow_content *content)
{
    fth_finding_list_add(&finding->files, fth_workflow_shown_file(facts, content->file));
}

static void find_intermediates(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    uint64_t count = 0, bytes = 0;
    struct fth_finding *finding = NULL;
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        if (!fth_workflow_is_passing(content))
            continue;
        if (!finding)
            finding = fth_finding_add(&results->findings, "intermediate_files",
                                      "Files are written, read once and deleted");
        list_file(facts, finding, content);
        count++;
        bytes += content->written;
    }
    if (!finding)
        return;
    finding->behind = true;
    char *gain = fth_workflow_passing_gain(facts);
    fth_finding_say(finding, "%s %s written by one step, read by one other and deleted: %s.%s%s",
                    fth_phrase_several(count, "file", "files").text, count == 1 ? "is" : "are",
                    fth_phrase_bytes(bytes).text, gain ? " " : "", gain ? gain : "");
    fth_finding_advise(finding,
                       "A pipe between the two programs, or a folder in the memory of the node "
                       "(/dev/shm), keeps this off the file system.%s",
                       gain ? "" : " What that saves: --on CLUSTER simulates it.");
    free(gain);
}

static void find_shared_inputs(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    struct fth_finding *finding = NULL;
    const struct fth_workflow_content *most = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        if (content->readers < MANY_READERS || content->pipe || !content->read)
            continue;
        if (!finding)
            finding = fth_finding_add(&results->findings, "input_of_many",
                                      "The same file is read by many steps");
        list_file(facts, finding, content);
        count++;
        if (!most || content->read > most->read)
            most = content;
    }
    if (!finding)
        return;
    finding->behind = true;
    fth_finding_say(finding, "%s %s read by %u steps or more; %s by %u, %s in all.",
                    fth_phrase_several(count, "file", "files").text, count == 1 ? "is" : "are",
                    (unsigned)MANY_READERS, fth_workflow_shown_file(facts, most->file),
                    most->readers, fth_phrase_bytes(most->read).text);
    fth_finding_advise(finding, "On several nodes, copy it to each node once. Steps that read it "
                                "as a whole may do their work in one program.");
}

static void find_small_files(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    struct fth_keyed made = {.size = 2 * sizeof(uint64_t)};
    for (uint32_t i = 0; i < graph->content_count; i++) {
        const struct fth_workflow_content *content = &graph->contents[i];
        if (content->writer == FTH_NO_STEP || content->pipe)
            continue;
        uint64_t *counts = fth_keyed_get(&made, &content->writer, sizeof content->writer);
        counts[0]++;
        counts[1] += content->written;
    }
    for (uint32_t i = 0; i < fth_keyed_count(&made); i++) {
        const uint64_t *counts = fth_keyed_item(&made, i);
        if (counts[0] < MANY_FILES || counts[1] / counts[0] >= SMALL)
            continue;
        uint32_t number;
        memcpy(&number, fth_keyed_key(&made, i), sizeof number);
        char *step = fth_workflow_quoted_step(facts, number);
        struct fth_finding *finding = fth_finding_add(&results->findings, "many_small_files",
                                                      "A step makes many small files");
        finding->behind = true;
        fth_finding_say(finding, "%s makes %s files of %s on average.", step,
                        fth_phrase_count((int64_t)counts[0]).text,
                        fth_phrase_bytes(counts[1] / counts[0]).text);
        fth_finding_advise(finding, "An archive, a database or one file of a library such as "
                                    "HDF5 costs the file system less.");
        free(step);
    }
    fth_keyed_free(&made);
}

/* ---- work that was done again, and what failed ---- */

/* A file, and who wrote what was read of it: others may write to the same file later. */
struct input {
    uint32_t content, writer;
};

static int by_content(const void *one, const void *other)
{
    const struct input *a = one, *b = other;
    if (a->content != b->content)
        return a->content < b->content ? -1 : 1;
    return (a->writer > b->writer) - (a->writer < b->writer);
}

/* What a step ran on: its folder, its words, and the contents that it read of others or of
 * elsewhere. Two steps with the same text did the same. */
static char *work_of(const struct fth_workflow_facts *facts, uint32_t number)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    const struct fth_workflow_step *step = &facts->workflow->steps[number];
    uint32_t count = 0;
    struct input *inputs = NULL;
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++)
        for (uint32_t k = 0; k < graph->edges[i].flow_count; k++) {
            const struct fth_workflow_flow *flow = &graph->flows[graph->edges[i].first_flow + k];
            FTH_GROW(inputs, count);
            inputs[count++] = (struct input){flow->content, flow->from};
        }
    if (count)
        qsort(inputs, count, sizeof *inputs, by_content);
    size_t room = strlen(step->directory) + strlen(step->command) + 3 + 24 * (size_t)count;
    char *text = fth_new(room, 1),
         *end = stpcpy(stpcpy(stpcpy(text, step->directory), "\n"), step->command);
    for (uint32_t i = 0; i < count; i++)
        end += snprintf(end, room - (size_t)(end - text), " %u:%u", inputs[i].content,
                        inputs[i].writer);
    free(inputs);
    return text;
}

/* Is it known what it ran on? It must have data from other steps, all of which had ended. */
static bool is_comparable(const struct fth_workflow_graph *graph, uint32_t step)
{
    const struct fth_workflow_step *facts = &graph->workflow->steps[step];
    bool has_data = false;
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        has_data |= graph->edges[i].kind == FTH_EDGE_DATA && graph->edges[i].bytes > 0;
        if (graph->edges[i].kind == FTH_EDGE_DATA && graph->edges[i].streams)
            return false;
    }
    return has_data && !facts->is_script && !strcmp(facts->ended, "exit 0");
}

/* ns that this step holds the end of the workflow. */
static int64_t held_by(const struct fth_workflow_facts *facts, uint32_t step)
{
    for (uint32_t i = 0; i < facts->schedule.held_count; i++)
        if (facts->schedule.held[i].step == step)
            return facts->schedule.held[i].to - facts->schedule.held[i].from;
    return 0;
}

/* A step that ran beside the first one had no result to use. */
static void find_work_done_again(const struct fth_workflow_facts *facts,
                                 struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_keyed first = {.size = sizeof(uint32_t)};
    int64_t time = 0, held = 0;
    uint64_t again = 0;
    char *example = NULL;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        if (!is_comparable(&facts->graph, i))
            continue;
        char *work = work_of(facts, i);
        uint32_t *before = fth_keyed_get(&first, work, strlen(work));
        free(work);
        if (!*before) {
            *before = i + 1;
            continue;
        }
        if (workflow->steps[i].start < workflow->steps[*before - 1].end)
            continue;
        again++;
        held += held_by(facts, i);
        FTH_ADD_SATURATING(time, workflow->steps[i].end - workflow->steps[i].start);
        if (!example)
            example = fth_workflow_quoted_step(facts, i);
    }
    if (example && is_worth(facts, time)) {
        struct fth_finding *finding =
            fth_finding_add(&results->findings, "work_done_again", "The same work is done again");
        fth_workflow_set_gain(facts, finding, held);
        fth_finding_say(finding,
                        "%s %s the command of an earlier one, in the same folder, on the same "
                        "versions of the same files, for example %s. They ran for %s.",
                        fth_phrase_several(again, "step", "steps").text,
                        again == 1 ? "repeats" : "repeat", example, fth_phrase_duration(time).text);
        fth_finding_advise(finding, "If nothing else differs (the environment, random numbers, the "
                                    "time), keep the result and use it again.");
    }
    free(example);
    fth_keyed_free(&first);
}

static void find_failures(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_finding *finding = NULL;
    uint64_t count = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        if (step->is_script || !strcmp(step->ended, "exit 0"))
            continue;
        if (!count++)
            first = i;
    }
    if (!count)
        return;
    char *step = fth_workflow_quoted_step(facts, first);
    finding = fth_finding_add(&results->findings, "failed_steps", "Steps did not end well");
    finding->behind = true;
    fth_finding_say(finding, "%s did not end with exit status 0, the first one is %s: %s.",
                    fth_phrase_several(count, "step", "steps").text, step,
                    workflow->steps[first].ended);
    fth_finding_advise(finding, "Its products may not be whole. A status of 1 is the answer \"no\" "
                                "of some programs (grep, diff, test).");
    free(step);
}

void fth_workflow_findings(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    find_dominant(facts, results);
    find_overlap(facts, results);
    find_gaps(facts, results);
    find_work_done_again(facts, results);
    find_intermediates(facts, results);
    find_shared_inputs(facts, results);
    find_small_files(facts, results);
    find_failures(facts, results);
    fth_workflow_phase_findings(facts, results);
    fth_workflow_what_if_findings(facts, results);
    fth_workflow_job_findings(facts, results);
    fth_findings_sort(&results->findings, 1);
}
