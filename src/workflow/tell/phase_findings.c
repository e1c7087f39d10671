/* Times of steps are held against each other only where one clock tells them: on one node. */
#include "workflow/tell/phase_findings.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "workflow/tell/quoted_step.h"

#include <string.h>

/* Shares of the length of the workflow: of phases of one processor, of late starts and of what the
 * longest step is longer. */
static const double serial_worth = 0.2, late_worth = 0.05, uneven_worth = 0.05;
/* A step that keeps fewer processors busy than this uses one. */
static const double one_processor = 1.1;
enum { LEAST_ALIKE = 4 /* steps of a kind */, MOST_LATE = 1000 /* steps that are looked at */ };
static const double uneven = 1.5; /* the longest step over the mean of its kind */

/* ---- how many processors steps kept busy, over time ---- */

/* From its time on, up to that of the next one, so many steps ran; `last` is one of them. */
struct phase {
    int64_t time;
    uint32_t steps, last;
    double busy; /* processors */
};

struct change {
    int64_t time;
    uint32_t step;
    bool begins;
};

static int by_time(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (int)a->begins - (int)b->begins;
}

/* Which step runs if only one does: the sum of the numbers of those that run. */
static struct phase *make_phases(const struct fth_workflow_facts *facts, uint32_t *count)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct change *changes = fth_new(2 * (size_t)workflow->step_count + 1, sizeof *changes);
    struct phase *phases = fth_new(2 * (size_t)workflow->step_count + 1, sizeof *phases);
    uint64_t sum = 0;
    double busy = 0;
    uint32_t made = 0, running = 0;
    *count = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        if (workflow->steps[i].is_script)
            continue;
        changes[made++] = (struct change){workflow->steps[i].start, i, true};
        changes[made++] = (struct change){workflow->steps[i].end, i, false};
    }
    qsort(changes, made, sizeof *changes, by_time);
    for (uint32_t i = 0; i < made; i++) {
        double own = fth_workflow_step_busy(&workflow->steps[changes[i].step]);
        running = changes[i].begins ? running + 1 : running - 1;
        sum = changes[i].begins ? sum + changes[i].step : sum - changes[i].step;
        busy = !running ? 0 : changes[i].begins ? busy + own : busy - own;
        if (i + 1 < made && changes[i + 1].time == changes[i].time)
            continue;
        phases[(*count)++] = (struct phase){changes[i].time, running, (uint32_t)sum, busy};
    }
    free(changes);
    return phases;
}

/* ---- one of several processors ---- */

static bool is_serial(const struct fth_workflow *workflow, const struct phase *phase)
{
    return phase->steps == 1 && phase->busy <= one_processor &&
           workflow->steps[phase->last].ranks < 2 && !workflow->steps[phase->last].unknown;
}

static void find_serial(const struct fth_workflow_facts *facts, const struct phase *phases,
                        uint32_t count, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    int64_t *alone = fth_new((size_t)workflow->step_count + 1, sizeof *alone), all = 0;
    uint32_t longest = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!is_serial(workflow, &phases[i]))
            continue;
        int64_t time = phases[i + 1].time - phases[i].time;
        FTH_ADD_SATURATING(all, time);
        alone[phases[i].last] += time;
        if (alone[phases[i].last] > alone[longest])
            longest = phases[i].last;
    }
    if (workflow->processors > 1 && all > 0 &&
        (double)all >= serial_worth * (double)fth_workflow_length(facts)) {
        char *step = fth_workflow_quoted_step(facts, longest);
        struct fth_finding *finding =
            fth_finding_add(&results->findings, "serial_share", "Only one processor is in use");
        finding->behind = true;
        fth_finding_say(finding,
                        "For %s, %s of the workflow, only one step ran, and it kept no more than "
                        "one of %u processors busy; the longest of these is %s for %s.",
                        fth_phrase_duration(all).text,
                        fth_phrase_percent(100 * (double)all / (double)fth_workflow_length(facts)).text,
                        workflow->processors, step, fth_phrase_duration(alone[longest]).text);
        fth_finding_advise(finding, "Ask this program for threads, divide its input, or run it "
                                    "beside steps that it needs nothing of. In a job of its own "
                                    "it needs one processor.");
        free(step);
    }
    free(alone);
}

/* ---- steps that start long after what they read is there ---- */

/* When the last file that it reads was complete, by a step of the same node; FTH_NEVER: it reads of
 * no step, of one that ran on, or of another node. */
static int64_t complete_at(const struct fth_workflow_graph *graph, uint32_t step, uint32_t *content)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    int64_t latest = FTH_NEVER;
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (edge->kind == FTH_EDGE_JOB ||
            (edge->kind == FTH_EDGE_DATA &&
             (edge->streams || strcmp(steps[edge->from].host, steps[step].host) != 0)))
            return FTH_NEVER;
        if (edge->kind == FTH_EDGE_DATA && steps[edge->from].end > latest) {
            latest = steps[edge->from].end;
            *content = graph->flows[edge->first_flow].content;
        }
    }
    return latest;
}

/* ns from `from` to `to` in which a processor was idle. */
static int64_t idle_between(const struct phase *phases, uint32_t count, double processors,
                            int64_t from, int64_t to)
{
    int64_t idle = 0;
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (phases[middle].time <= from)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low ? low - 1 : 0; i < count && phases[i].time < to; i++) {
        int64_t begin = phases[i].time > from ? phases[i].time : from,
                end = i + 1 < count && phases[i + 1].time < to ? phases[i + 1].time : to;
        if (phases[i].busy <= processors - one_processor + 0.2 && end > begin)
            idle += end - begin;
    }
    return idle;
}

static void find_late(const struct fth_workflow_facts *facts, const struct phase *phases,
                      uint32_t count, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    double worth = late_worth * (double)fth_workflow_length(facts);
    uint32_t worst = FTH_NO_STEP, worst_content = 0, looked_at = 0;
    int64_t worst_wait = 0, worst_idle = 0;
    uint64_t late = 0;
    for (uint32_t i = 0; i < workflow->step_count && looked_at < MOST_LATE; i++) {
        uint32_t content = 0;
        int64_t complete = complete_at(&facts->graph, i, &content);
        int64_t wait = complete == FTH_NEVER ? 0 : workflow->steps[i].start - complete;
        if (workflow->steps[i].is_script || wait <= 0 || (double)wait < worth)
            continue;
        looked_at++;
        int64_t idle =
            idle_between(phases, count, workflow->processors, complete, workflow->steps[i].start);
        if (!idle || (double)idle < worth)
            continue;
        late++;
        if (idle <= worst_idle)
            continue;
        worst = i;
        worst_content = content;
        worst_wait = wait;
        worst_idle = idle;
    }
    if (worst == FTH_NO_STEP || !workflow->processors || workflow->incomplete)
        return; /* what else it read is only known if all is seen */
    char *step = fth_workflow_quoted_step(facts, worst);
    struct fth_finding *finding = fth_finding_add(&results->findings, "late_start",
                                                  "Steps wait for files that are long complete");
    finding->behind = true;
    fth_finding_list_add(&finding->files,
                         fth_workflow_shown_file(facts, facts->graph.contents[worst_content].file));
    fth_finding_say(finding,
                    "%s %s long after all that %s read of other steps was there; %s began %s "
                    "after that, and for %s of this time the steps that ran left one of %u "
                    "processors unused.",
                    fth_phrase_several(late, "step", "steps").text, late == 1 ? "starts" : "start",
                    late == 1 ? "it" : "they", step, fth_phrase_duration(worst_wait).text,
                    fth_phrase_duration(worst_idle).text, workflow->processors);
    fth_finding_advise(finding, "Start it when its files are complete: `make -j`, `&` and `wait`, "
                                "or a dependency of the batch system on the step that writes "
                                "them. What is not recorded may still ask for the order.");
    free(step);
}

/* ---- steps of one kind that are unlike ---- */

static void find_uneven(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_held *worst = NULL;
    const struct fth_workflow_box *worst_box = NULL;
    double most = 0;
    for (uint32_t i = 0; i < facts->schedule.held_count; i++) {
        const struct fth_workflow_held *held = &facts->schedule.held[i];
        const struct fth_workflow_step *step = &facts->workflow->steps[held->step];
        uint32_t number = facts->boxes.of_step[held->step];
        if (number == FTH_NO_STEP)
            continue;
        const struct fth_workflow_box *box = &facts->boxes.boxes[number];
        double mean = (double)box->running / box->step_count,
               longer = (double)(step->end - step->start) - mean;
        if (box->step_count < LEAST_ALIKE || step->end - step->start != box->longest ||
            (double)box->longest < uneven * mean || longer > (double)(held->to - held->from) ||
            longer <= most)
            continue;
        most = longer;
        worst = held;
        worst_box = box;
    }
    if (!worst || most < uneven_worth * (double)fth_workflow_length(facts))
        return;
    char *step = fth_workflow_quoted_step(facts, worst->step);
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "uneven_steps", "Steps of one kind take unlike times");
    fth_workflow_set_gain(facts, finding, (int64_t)most);
    fth_finding_say(finding,
                    "The end of the workflow waits for the longest of %u steps of %s at one "
                    "level, %s: it takes %s, and they take %s on average.",
                    worst_box->step_count, worst_box->program, step,
                    fth_phrase_duration(worst_box->longest).text,
                    fth_phrase_duration(worst_box->running / worst_box->step_count).text);
    fth_finding_advise(finding, "Divide the work into parts that take equally long, or into more "
                                "and smaller ones, and start the long ones first.");
    free(step);
}

void fth_workflow_phase_findings(const struct fth_workflow_facts *facts,
                                 struct fth_results *results)
{
    find_uneven(facts, results);
    if (!facts->only_host || fth_workflow_length(facts) <= 0)
        return;
    uint32_t count;
    struct phase *phases = make_phases(facts, &count);
    find_serial(facts, phases, count, results);
    find_late(facts, phases, count, results);
    free(phases);
}
