/* Ways to keep events: the wheel of the engine beside heaps with two and with four children, which
 * have to compare the order of asking, too. As many events as are named wait all the time; each
 * that happens asks for another, after a delay drawn from those of a network.
 *
 *     queue [WAITING...] */
#include "base/memory.h"
#include "sim/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EVENTS = 5000000 };

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Half of the events follow at once, as packets from a node to an edge do; the others take what
 * edges take. */
static int64_t draw_delay(uint64_t *seed)
{
    static const int64_t delays[] = {0, 0, 0, 0, 38, 79, 2384, 8989, 19982, 25828, 28496, 1358223};
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return delays[(*seed >> 33) % (sizeof delays / sizeof *delays)];
}

/* ---- the wheel ---- */

static uint64_t left_to_happen, wheel_seed;

static void happen(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    if (left_to_happen && left_to_happen--)
        fth_sim_after(engine, draw_delay(&wheel_seed), target);
}

static double measure_wheel(uint32_t waiting)
{
    struct fth_sim_engine engine = {0};
    struct fth_sim_target target = {.happen = happen};
    left_to_happen = EVENTS;
    wheel_seed = 1;
    for (uint32_t i = 0; i < waiting; i++)
        fth_sim_after(&engine, draw_delay(&wheel_seed), &target);
    double start = cpu_seconds();
    fth_sim_engine_run(&engine);
    double seconds = cpu_seconds() - start;
    double rate = (double)engine.events / seconds;
    fth_sim_engine_free(&engine);
    return rate;
}

/* ---- heaps ---- */

struct entry {
    int64_t time;
    uint64_t order;
    void *target;
};

static bool is_before(const struct entry *a, const struct entry *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void push(struct entry *heap, uint32_t *count, uint32_t children, struct entry entry)
{
    uint32_t at = (*count)++;
    for (uint32_t parent; at && is_before(&entry, &heap[parent = (at - 1) / children]); at = parent)
        heap[at] = heap[parent];
    heap[at] = entry;
}

static struct entry pop(struct entry *heap, uint32_t *count, uint32_t children)
{
    struct entry first = heap[0], last = heap[--*count];
    uint32_t at = 0;
    for (;;) {
        uint32_t from = at * children + 1, least = from;
        if (from >= *count)
            break;
        for (uint32_t i = from + 1; i < from + children && i < *count; i++)
            if (is_before(&heap[i], &heap[least]))
                least = i;
        if (!is_before(&heap[least], &last))
            break;
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = last;
    return first;
}

static double measure_heap(uint32_t waiting, uint32_t children)
{
    struct entry *heap = fth_new(waiting + 1, sizeof *heap);
    uint32_t count = 0;
    uint64_t order = 0, seed = 1;
    for (uint32_t i = 0; i < waiting; i++)
        push(heap, &count, children, (struct entry){draw_delay(&seed), order++, NULL});
    double start = cpu_seconds();
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct entry entry = pop(heap, &count, children);
        entry.time += draw_delay(&seed);
        entry.order = order++;
        push(heap, &count, children, entry);
    }
    double seconds = cpu_seconds() - start;
    free(heap);
    return EVENTS / seconds;
}

int main(int argc, char **argv)
{
    printf("%10s %12s %16s %20s   million events per second of CPU time\n", "waiting", "wheel",
           "heap of two", "heap of four");
    for (int i = 1; i < argc; i++) {
        uint32_t waiting = (uint32_t)strtoul(argv[i], NULL, 10);
        if (waiting)
            printf("%10u %12.1f %16.1f %20.1f\n", waiting, measure_wheel(waiting) * 1e-6,
                   measure_heap(waiting, 2) * 1e-6, measure_heap(waiting, 4) * 1e-6);
    }
    return 0;
}
