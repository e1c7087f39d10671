/* From what processes noted about their clocks (anchors: ticks, CLOCK_MONOTONIC and CLOCK_REALTIME
 * of one instant, at start, end and each block) and what nodes found out when they met
 * (src/capture/mpi/meet.c) to one clock per process.
 *
 * The processes of a node count the same ticks. One line through the node's first and last anchor
 * turns them into the node's CLOCK_MONOTONIC, so that what happened first on a node is first in the
 * trace, whatever is done to the time of day meanwhile. The nodes of an MPI world are put on the
 * clock of the node of rank 0 by what was measured at their meetings. That node, and those that met
 * nobody, are placed by the time of day at their first anchor. */
#include "trace/spill/node_clocks.h"

#include "base/intern.h"
#include "base/memory.h"
#include "base/ticks.h"

#include <string.h>
#include <time.h>

/* Clocks of nodes drift apart by less than this, when nothing better is known: quartz is off by up
 * to 50 parts in a million. */
static const double most_drift = 1e-4;

struct node {
    struct fth_spill_anchor first, last; /* of processes that count ticks */
    bool has_ticks, is_home, is_reference;
    uint64_t rate_ticks, rate_ns;
    struct fth_spill_anchor earliest;    /* of all processes */
    int64_t latest;                      /* CLOCK_MONOTONIC */
    const struct fth_spill_process *met; /* has the meetings; NULL: none */
    enum { NOT_PLACED, BEING_PLACED, PLACED } state;
    struct fth_node_clock place; /* from CLOCK_MONOTONIC to ns since 1970 */
    int64_t error;
};

enum { NO_NODE = UINT32_MAX, MOST_ROUNDS = 16 };

struct clocks {
    const struct fth_spill_image *images;
    size_t count;
    uint32_t *node_of; /* by image */
    struct node *nodes;
    size_t node_count;
    struct fth_intern worlds;
    uint32_t *references; /* by world: node of its rank 0, plus 1; 0: not known */
};

/* Not those of libm: this is part of a library that is loaded into programs, too. */
static double magnitude(double number)
{
    return number < 0 ? -number : number;
}

/* Damaged spill files make numbers that no time has: those become what they like, but do not
 * overflow. */
static int64_t nearest(double number)
{
    const double most = 1LL << 60;
    if (!(magnitude(number) < most))
        return 0;
    return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

int64_t fth_node_clock_time(const struct fth_node_clock *clock, int64_t moment)
{
    uint64_t distance = (uint64_t)moment - (uint64_t)clock->pivot;
    return (int64_t)((uint64_t)clock->at + distance +
                     (uint64_t)nearest((double)(int64_t)distance * clock->slope));
}

/* ---- one clock per node ---- */

static void extend(struct node *node, const struct fth_spill_anchor *anchor, bool ticks_are_ns)
{
    if (!node->earliest.monotonic || anchor->monotonic < node->earliest.monotonic)
        node->earliest = *anchor;
    if (anchor->monotonic > node->latest)
        node->latest = anchor->monotonic;
    if (ticks_are_ns)
        return;
    if (!node->has_ticks || anchor->monotonic < node->first.monotonic)
        node->first = *anchor;
    if (!node->has_ticks || anchor->monotonic > node->last.monotonic)
        node->last = *anchor;
    node->has_ticks = true;
}

static void add_to_node(struct node *node, const struct fth_spill_process *process)
{
    extend(node, &process->start, process->ticks_are_ns);
    extend(node, &process->last, process->ticks_are_ns);
}

static struct fth_spill_anchor anchor_now(void)
{
    struct timespec monotonic, realtime;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    struct fth_spill_anchor now = {.ticks = fth_ticks_read()};
    clock_gettime(CLOCK_REALTIME, &realtime);
    now.monotonic = (int64_t)monotonic.tv_sec * 1000000000 + monotonic.tv_nsec;
    now.realtime = (int64_t)realtime.tv_sec * 1000000000 + realtime.tv_nsec;
    return now;
}

/* Processes that lived for a moment show little of the rate. On this node, until it is started
 * again, the same line goes on up to now. */
static void reach_for_now(struct node *node)
{
    const int64_t long_enough = 1000000000, same_boot = 100000000;
    struct fth_spill_anchor now = anchor_now();
    int64_t days = (now.realtime - now.monotonic) - (node->last.realtime - node->last.monotonic);
    if (node->last.monotonic - node->first.monotonic < long_enough &&
        now.ticks > node->last.ticks && now.monotonic > node->last.monotonic &&
        llabs(days) < same_boot)
        node->last = now;
}

/* For a node of which there is one anchor: the rate of another, or of this one. */
static void borrow_rate(const struct clocks *clocks, struct node *node)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (size_t i = 0; i < clocks->node_count; i++)
        if (clocks->nodes[i].rate_ticks) {
            node->rate_ticks = clocks->nodes[i].rate_ticks;
            node->rate_ns = clocks->nodes[i].rate_ns;
            return;
        }
    struct fth_spill_anchor before = anchor_now();
    nanosleep(&pause, NULL);
    struct fth_spill_anchor after = anchor_now();
    node->rate_ticks = after.ticks > before.ticks ? after.ticks - before.ticks : 1;
    node->rate_ns = (uint64_t)(after.monotonic - before.monotonic);
}

static void take_rate(const struct clocks *clocks, struct node *node)
{
    if (!node->has_ticks)
        return;
    if (node->is_home)
        reach_for_now(node);
    if (node->last.ticks <= node->first.ticks || node->last.monotonic <= node->first.monotonic) {
        borrow_rate(clocks, node);
        return;
    }
    node->rate_ticks = node->last.ticks - node->first.ticks;
    node->rate_ns = (uint64_t)(node->last.monotonic - node->first.monotonic);
}

/* CLOCK_MONOTONIC of the node at these ticks. */
static int64_t moment_of(const struct node *node, const struct fth_spill_process *process,
                         uint64_t ticks)
{
    if (process->ticks_are_ns)
        return (int64_t)ticks;
    double ns = (double)(int64_t)(ticks - node->first.ticks) * (double)node->rate_ns /
                (double)node->rate_ticks;
    return node->first.monotonic + nearest(ns);
}

/* Is it the node's clock? Not in a virtual machine or a container of the same name elsewhere, or
 * with a time of its own. */
static bool fits(const struct node *node, const struct fth_spill_process *process)
{
    const struct fth_spill_anchor *anchors[] = {&process->start, &process->last};
    for (int i = 0; i < 2 && !process->ticks_are_ns; i++) {
        double away = magnitude((double)(anchors[i]->monotonic - node->first.monotonic));
        double wrong = magnitude(
            (double)(moment_of(node, process, anchors[i]->ticks) - anchors[i]->monotonic));
        if (wrong >
            1e6 + 5e-4 * away) /* ns; the kernel may slew its clock by 500 parts in a million */
            return false;
    }
    return true;
}

/* How much a process shows of its node's clock. */
static int64_t shown_by(const struct fth_spill_process *process)
{
    return process->ticks_are_ns ? -1 : process->last.monotonic - process->start.monotonic;
}

/* A new node for each host that has processes without one, by the one of them that lived longest;
 * their numbers plus 1, by host. */
static uint32_t *begin_nodes(struct clocks *clocks, const uint32_t *host_of, size_t hosts)
{
    size_t *longest = fth_new(hosts, sizeof *longest);
    uint32_t *begun = fth_new(hosts, sizeof *begun);
    for (size_t i = 0; i < clocks->count; i++) {
        size_t *best = &longest[host_of[i]];
        if (clocks->node_of[i] == NO_NODE &&
            (!*best ||
             shown_by(clocks->images[i].process) > shown_by(clocks->images[*best - 1].process)))
            *best = i + 1;
    }
    for (size_t host = 0; host < hosts; host++) {
        if (!longest[host])
            continue;
        const struct fth_spill_process *process = clocks->images[longest[host] - 1].process;
        FTH_GROW(clocks->nodes, clocks->node_count);
        struct node *node = &clocks->nodes[clocks->node_count++];
        *node = (struct node){.is_home = fth_spill_is_of_this_node(process)};
        add_to_node(node, process);
        take_rate(clocks, node);
        clocks->node_of[longest[host] - 1] = (uint32_t)clocks->node_count - 1;
        begun[host] = (uint32_t)clocks->node_count;
    }
    free(longest);
    return begun;
}

/* Gives processes to the nodes that were begun; how many are left? */
static size_t join_nodes(struct clocks *clocks, const uint32_t *host_of, const uint32_t *begun,
                         bool all)
{
    size_t left = 0;
    for (size_t i = 0; i < clocks->count; i++) {
        const struct fth_spill_process *process = clocks->images[i].process;
        if (clocks->node_of[i] != NO_NODE)
            continue;
        if (!all && !fits(&clocks->nodes[begun[host_of[i]] - 1], process)) {
            left++;
            continue;
        }
        clocks->node_of[i] = begun[host_of[i]] - 1;
        add_to_node(&clocks->nodes[clocks->node_of[i]], process);
    }
    return left;
}

/* Nearly always each host is one node, and found in the first round. */
static void find_nodes(struct clocks *clocks)
{
    struct fth_intern hosts = {0};
    uint32_t *host_of = fth_new(clocks->count, sizeof *host_of);
    for (size_t i = 0; i < clocks->count; i++) {
        const char *host = fth_spill_text(clocks->images[i].process, "host", NULL);
        host_of[i] = fth_intern(&hosts, host ? host : "", host ? strlen(host) : 0);
        clocks->node_of[i] = NO_NODE;
    }
    size_t left = clocks->count;
    for (int round = 1; left; round++) {
        uint32_t *begun = begin_nodes(clocks, host_of, hosts.count);
        left = join_nodes(clocks, host_of, begun, round == MOST_ROUNDS);
        free(begun);
    }
    for (size_t i = 0; i < clocks->node_count; i++)
        take_rate(clocks, &clocks->nodes[i]);
    free(host_of);
    fth_intern_free(&hosts);
}

/* ---- nodes that met ---- */

static void find_meetings(struct clocks *clocks)
{
    const uint32_t most = 2;
    for (size_t i = 0; i < clocks->count; i++) {
        const struct fth_spill_process *process = clocks->images[i].process;
        struct node *node = &clocks->nodes[clocks->node_of[i]];
        if (!process->world || process->meetings_held == 0 || process->meetings_held > most)
            continue;
        uint32_t known = clocks->worlds.count;
        uint32_t world = fth_intern(&clocks->worlds, &process->world, sizeof process->world);
        if (world == known) {
            FTH_GROW(clocks->references, known);
            clocks->references[world] = 0;
        }
        if (process->rank == 0) {
            clocks->references[world] = clocks->node_of[i] + 1;
            node->is_reference = true;
        }
        if (!node->met || node->met->meetings_held < process->meetings_held)
            node->met = process;
    }
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

/* From the node's CLOCK_MONOTONIC to that of the node of rank 0. Two meetings give the drift, if
 * they were far enough apart for what they did not know. */
static struct fth_node_clock relate(const struct node *node, double *error)
{
    const struct fth_spill_meeting *one = &node->met->meetings[0], *two = &node->met->meetings[1];
    double start = (double)(node->earliest.monotonic - one->monotonic),
           end = (double)(node->latest - one->monotonic);
    double apart = (double)(two->monotonic - one->monotonic),
           drift = (double)(two->offset - one->offset);
    if (node->met->meetings_held == 2 && (double)(one->error + two->error) < most_drift * apart &&
        magnitude(drift) < 10 * most_drift * apart) {
        double at_start = (double)one->error * magnitude(apart - start) +
                          (double)two->error * magnitude(start),
               at_end = (double)one->error * magnitude(apart - end) +
                        (double)two->error * magnitude(end);
        *error = most_of(at_start, at_end) / apart;
        return (struct fth_node_clock){one->monotonic, one->monotonic + one->offset, drift / apart};
    }
    const struct fth_spill_meeting *best =
        node->met->meetings_held == 2 && two->error < one->error ? two : one;
    double away = (double)(best->monotonic - one->monotonic);
    *error =
        (double)best->error + most_drift * most_of(magnitude(start - away), magnitude(end - away));
    return (struct fth_node_clock){best->monotonic, best->monotonic + best->offset, 0};
}

static void place_by_time_of_day(struct node *node)
{
    node->place = (struct fth_node_clock){node->earliest.monotonic, node->earliest.realtime, 0};
    node->error = FTH_CLOCK_UNRELATED;
    node->state = PLACED;
}

/* The reference may have come to another world's clock itself. */
static void place(struct clocks *clocks, struct node *node)
{
    uint32_t world =
        node->met ? fth_intern(&clocks->worlds, &node->met->world, sizeof node->met->world) : 0;
    struct node *reference = node->met && clocks->references[world]
                                 ? &clocks->nodes[clocks->references[world] - 1]
                                 : NULL;
    if (node->state != NOT_PLACED)
        return;
    node->state = BEING_PLACED;
    if (!reference || reference == node) {
        place_by_time_of_day(node);
        node->error = node->is_reference || clocks->node_count == 1 ? 0 : FTH_CLOCK_UNRELATED;
        return;
    }
    place(clocks, reference);
    if (reference->state == BEING_PLACED) { /* worlds that went around in a circle */
        place_by_time_of_day(node);
        return;
    }
    double error;
    struct fth_node_clock there = relate(node, &error);
    node->place =
        (struct fth_node_clock){there.pivot, fth_node_clock_time(&reference->place, there.at),
                                (1 + there.slope) * (1 + reference->place.slope) - 1};
    node->error = (int64_t)error + (reference->error > 0 ? reference->error : 0);
    node->state = PLACED;
}

/* ---- all together ---- */

static struct fth_clock clock_of(const struct node *node, const struct fth_spill_process *process)
{
    const uint64_t many = 1000000000000; /* to have the slope in the ratio */
    uint64_t ticks = process->ticks_are_ns ? many : node->rate_ticks,
             ns = process->ticks_are_ns ? many : node->rate_ns;
    struct fth_clock clock = {.start_realtime = fth_node_clock_time(
                                  &node->place, moment_of(node, process, process->start.ticks)),
                              .rate_ticks = ticks,
                              .rate_ns = ns + (uint64_t)nearest((double)ns * node->place.slope),
                              .error = node->error,
                              .node = node->place};
    return clock;
}

struct fth_clock *fth_clocks_of(const struct fth_spill_image *images, size_t count)
{
    struct clocks clocks = {.images = images, .count = count};
    struct fth_clock *made = fth_new(count, sizeof *made);
    clocks.node_of = fth_new(count, sizeof *clocks.node_of);
    find_nodes(&clocks);
    find_meetings(&clocks);
    for (size_t i = 0; i < clocks.node_count; i++)
        place(&clocks, &clocks.nodes[i]);
    for (size_t i = 0; i < count; i++)
        made[i] = clock_of(&clocks.nodes[clocks.node_of[i]], images[i].process);
    free(clocks.node_of);
    free(clocks.nodes);
    free(clocks.references);
    fth_intern_free(&clocks.worlds);
    return made;
}
