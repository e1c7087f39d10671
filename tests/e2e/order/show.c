/* order_show [--sums TIMES KIND] TRACE [PREFIX]: which calls of different threads on files whose
 * names begin with PREFIX ("at-") came before which, a line for each scene (names are SCENE.PLACE),
 * and what is wrong with the calls of the run. With --sums as if each process did all of it so many
 * times: how long it took; calls of KIND are places, too. */
#include "order/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct place {
    char name[64];
    struct fth_moment moment;
};

static struct place *places;
static size_t place_count;
static long times = 1;
static const char *asked; /* a kind of calls */
static uint64_t call_count;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(struct fth_error *error)
{
    fprintf(stderr, "order_show: %s\n", fth_error_text(error));
    exit(1);
}

static void note(struct fth_order_builder *builder, const struct fth_call *call, const char *prefix)
{
    const char *slash = call->file ? strrchr(call->file, '/') : NULL;
    const char *name = slash ? slash + 1 : call->file;
    if (!name || strncmp(name, prefix, strlen(prefix)) != 0)
        return;
    places = realloc(places, (place_count + 1) * sizeof *places);
    snprintf(places[place_count].name, sizeof places->name, "%s", name + strlen(prefix));
    places[place_count++].moment = fth_order_here(builder);
}

static void feed_once(struct fth_trace *trace, struct fth_order_builder *builder, size_t proc,
                      const char *prefix)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
    struct fth_call call;
    int more = calls ? 1 : -1;
    while (calls && (more = fth_calls_next(calls, &call, &error)) == 1) {
        call_count++;
        if (!fth_order_call(builder, &call, &error))
            fail(error);
        if (asked && strcmp(call.function->kind, asked) == 0)
            fth_order_here(builder);
        note(builder, &call, prefix);
    }
    if (more < 0)
        fail(error);
    fth_calls_close(calls);
}

static void feed(struct fth_trace *trace, struct fth_order *order, size_t proc, const char *prefix)
{
    struct fth_order_builder *builder = fth_order_feed(order, proc);
    for (long i = 0; i < times; i++)
        feed_once(trace, builder, proc, prefix);
    fth_order_feed_end(builder);
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct place *)one)->name, ((const struct place *)other)->name);
}

/* Names of one scene have the same beginning, up to a point. */
static bool same_scene(const char *one, const char *other)
{
    size_t length = strcspn(one, ".");
    return strncmp(one, other, length + 1) == 0;
}

static void show(const struct fth_order *order)
{
    qsort(places, place_count, sizeof *places, by_name);
    for (size_t i = 0; i < place_count; i++) {
        int scene = (int)strcspn(places[i].name, ".");
        if (i == 0 || !same_scene(places[i - 1].name, places[i].name))
            printf("%s%.*s:", i ? "\n" : "", scene, places[i].name);
        for (size_t k = 0; k < place_count; k++)
            if (places[i].moment.timeline != places[k].moment.timeline &&
                same_scene(places[i].name, places[k].name) &&
                fth_order_before(order, places[i].moment, places[k].moment))
                printf(" %s<%s", places[i].name + scene + 1, places[k].name + scene + 1);
    }
    printf(place_count ? "\n" : "");
    size_t count;
    const struct fth_order_finding *findings = fth_order_findings(order, &count);
    for (size_t i = 0; i < count; i++) /* scenes do not free what they make */
        if (findings[i].kind != FTH_ORDER_LEAKED_HANDLE)
            printf("%s: %s\n", fth_order_finding_word(findings[i].kind), findings[i].text);
}

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    bool sums = argc > 4 && strcmp(argv[1], "--sums") == 0;
    if (sums) {
        times = atol(argv[2]);
        asked = argv[3];
        argv += 3;
        argc -= 3;
    }
    if (argc < 2)
        return 2;
    const char *prefix = argc > 2 ? argv[2] : "at-";
    double start = seconds();
    struct fth_trace *trace = fth_trace_open(argv[1], &error);
    if (!trace)
        fail(error);
    struct fth_order *order = fth_order_new(trace);
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        feed(trace, order, i, prefix);
    double fed = seconds();
    if (!fth_order_settle(order, (struct fth_order_options){.most_findings = 20}, &error))
        fail(error);
    double settled = seconds();
    show(order);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (sums)
        printf("%llu calls, fed in %.2f s, settled in %.2f s, %ld MiB\n",
               (unsigned long long)call_count, fed - start, settled - fed, usage.ru_maxrss / 1024);
    fth_order_free(order);
    fth_trace_close(trace);
    free(places);
    return 0;
}
