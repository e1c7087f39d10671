/* What `fathom record` gives the tracer: settings in the environment. */
#include "base/batch_systems.h"
#include "base/mask.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/ticks.h"
#include "cmd/record/record.h"
#include "cmd/shared/installed.h"
#include "cmd/run/other_nodes.h"
#include "cmd/run/run.h"
#include "trace/program/program.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* ---- where the tracer is ---- */

int fth_record_tracer(char path[PATH_MAX], struct fth_error **error)
{
    const char *given = getenv(FTH_SETTING_NAME(LIBRARY));
    if (given && *given) {
        if (!realpath(given, path))
            return fth_fail_errno(error, "cannot find the tracer '%s' (from FATHOM_LIBRARY)",
                                  given);
    } else if (!fth_cmd_installed(NULL, "libfathom.so", path)) {
        return fth_fail(error, "cannot find the tracer libfathom.so beside this program; you can "
                               "set its path in FATHOM_LIBRARY");
    }
    return 0;
}

static bool splits_lists(const char *path)
{
    return strpbrk(path, ": \t\n") != NULL;
}

/* LD_PRELOAD is split at blanks and colons, and knows no quotes: a tracer with one in its path is
 * reached through a link in the spill folder. */
static int avoid_blanks(char path[PATH_MAX], const char *spill, struct fth_error **error)
{
    char target[PATH_MAX], link[PATH_MAX];
    if (!splits_lists(path))
        return 0;
    const char *name = strrchr(path, '/') + 1;
    if (splits_lists(spill))
        return fth_fail(error,
                        "the path of the tracer '%s' contains a blank or a colon, and so does the "
                        "spill folder; use --spill for another one",
                        path);
    snprintf(target, sizeof target, "%.*s", (int)(name - path), path);
    snprintf(link, sizeof link, "%s/" FTH_RUN_TRACER, spill);
    if (symlink(target, link) != 0 && errno != EEXIST) /* another rank has made it */
        return fth_fail_errno(error, "cannot make the link '%s'", link);
    if (snprintf(target, sizeof target, "%s/%s", link, name) >= PATH_MAX)
        return fth_fail(error, "the path of the tracer is too long");
    strcpy(path, target);
    return 0;
}

/* Is `word` one of the words between these separators? */
static bool has_word(const char *list, const char *separators, const char *word)
{
    size_t length = strlen(word), item;
    for (; list && *list; list += item + (list[item] != 0)) {
        item = strcspn(list, separators);
        if (item == length && !strncmp(list, word, length))
            return true;
    }
    return false;
}

/* Writes the path of a library of ours that is preloaded only when it is asked for; "" when it is
 * not. */
static int find_companion(const char *tracer, const char *name, bool is_asked_for,
                          char path[PATH_MAX], struct fth_error **error)
{
    char folder[PATH_MAX];
    *path = 0;
    if (!is_asked_for)
        return 0;
    strcpy(folder, tracer);
    int length = snprintf(path, PATH_MAX, "%s/%s", dirname(folder), name);
    if (length < 0 || length >= PATH_MAX || access(path, R_OK) != 0)
        return fth_fail(error, "cannot find %s beside '%s'", name, tracer);
    return 0;
}

static char *preload_value(const struct fth_record_options *options, const char *spill,
                           struct fth_error **error)
{
    char path[PATH_MAX], locks[PATH_MAX], functions[PATH_MAX], *value;
    const char *theirs = getenv("LD_PRELOAD");
    if (fth_record_tracer(path, error) || avoid_blanks(path, spill, error) ||
        find_companion(path, "libfathom-pthread.so", has_word(options->layers, ",", "pthread"),
                       locks, error) ||
        find_companion(path, "libfathom-functions.so", options->regions, functions, error))
        return NULL;
    if (has_word(theirs, ": ", path)) /* recorded by another one, too */
        return fth_text_copy(theirs);
    bool any = theirs && *theirs;
    /* these look for the functions behind them, which are behind libfathom.so: they stand in front
     * of it */
    value = fth_text_format("%s%s%s%s%s%s%s", locks, *locks ? ":" : "", functions,
                            *functions ? ":" : "", path, any ? ":" : "", any ? theirs : "");
    return value;
}

/* ---- settings ---- */

static char *asan_options(void)
{
    const char *theirs = getenv(FTH_ASAN_OPTIONS);
    if (!theirs || !*theirs || strstr(theirs, FTH_ASAN_MAY_COME_LATER))
        return fth_text_copy(theirs && *theirs ? theirs : FTH_ASAN_MAY_COME_LATER);
    return fth_text_format("%s:" FTH_ASAN_MAY_COME_LATER, theirs);
}

/* "A:B:C"; NULL when there are none. */
static char *join(const struct fth_prefixes *prefixes, const char *last)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    for (size_t i = 0; i < prefixes->count; i++) {
        fth_sink_text(&sink, i ? ":" : "");
        fth_sink_text(&sink, prefixes->items[i]);
    }
    if (last) {
        fth_sink_text(&sink, sink.used ? ":" : "");
        fth_sink_text(&sink, last);
    }
    fth_sink_char(&sink, 0);
    char *joined = sink.failed || sink.used == 1 ? NULL : fth_text_copy(sink.bytes);
    fth_sink_close_memory(&sink);
    return joined;
}

/* In the order in which their rows are numbered. */
static char *plugin_paths(const json_t *plugins)
{
    char *paths = NULL;
    for (size_t i = 0; i < json_array_size(plugins); i++) {
        const char *path = json_string_value(json_object_get(json_array_get(plugins, i), "path"));
        char *longer = NULL;
        longer = fth_text_format("%s%s%s", paths ? paths : "", paths ? ":" : "", path);
        free(paths);
        paths = longer;
    }
    return paths;
}

static char *number(int64_t value)
{
    return value ? fth_text_format("%" PRId64, value) : NULL;
}

static char *copy(const char *text)
{
    return text ? fth_text_copy(text) : NULL;
}

/* Can processes of this node go by the ticks of the processor? Who sets FATHOM_CLOCK=monotonic does
 * not trust them. */
static char *clock_name(void)
{
    const char *theirs = getenv(FTH_SETTING_NAME(CLOCK));
    char source[32] = "";
    FILE *file = fopen(FTH_CLOCKSOURCE, "re");
    if (file && !fgets(source, sizeof source, file))
        source[0] = 0;
    if (file)
        fclose(file);
    bool ticks = !(theirs && strcmp(theirs, "monotonic") == 0) && fth_ticks_are_a_clock(source);
    return fth_text_copy(ticks ? "ticks" : "monotonic");
}

#if defined __x86_64__
/* Time stamps in one second, measured against the clock for long enough to be exact to one in
 * 10,000. */
static double ticks_per_second(void)
{
    struct timespec start, end, pause = {.tv_nsec = 20000000};
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint64_t ticks = fth_ticks_read();
    nanosleep(&pause, NULL);
    ticks = fth_ticks_read() - ticks;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)ticks /
           ((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
}
#elif defined __aarch64__
static double ticks_per_second(void)
{
    uint64_t frequency;
    __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
    return (double)frequency;
}
#endif

static char *rule_of(const struct fth_record_options *options)
{
    char text[FTH_WATCH_TEXT];
    if (!options->select)
        return NULL;
    fth_watch_rule_write(&options->rule, text);
    return fth_text_copy(text);
}

static int64_t tick_rate(const struct fth_record_options *options)
{
    bool is_needed = options->select && options->rule.unit == FTH_WATCH_TIME;
    return is_needed ? (int64_t)ticks_per_second() : 0;
}

/* "INTERVAL:PROGRAM"; where this program cannot be named, other nodes are not sampled. */
static char *sampler(int64_t interval)
{
    char self[PATH_MAX];
    ssize_t length = interval ? readlink("/proc/self/exe", self, sizeof self - 1) : 0;
    if (length <= 0)
        return NULL;
    self[length] = 0;
    return fth_text_format("%" PRId64 ":%s", interval, self);
}

static char *node_name(void)
{
    struct utsname node;
    return uname(&node) == 0 ? fth_text_copy(node.nodename) : NULL;
}

/* Open MPI passes nothing of its environment on to other nodes. mca_base_env_list could name
 * variables to be passed on, but mpirun refuses to start with that and -x. */
static void add_launch_agents(struct fth_setting *settings)
{
    static const struct {
        const char *variable, *daemon;
    } agents[] = {{"OMPI_MCA_orte_launch_agent", "orted"}, {"PRTE_MCA_prte_launch_agent", "prted"}};
    char *made[2];
    for (int i = 0; i < 2; i++)
        made[i] = fth_node_launch_agent(settings, agents[i].daemon);
    while (settings->name)
        settings++;
    for (int i = 0; i < 2; i++) {
        if (made[i] && !getenv(agents[i].variable))
            *settings++ = (struct fth_setting){agents[i].variable, made[i]};
        else
            free(made[i]);
    }
    *settings = (struct fth_setting){NULL, NULL};
}

/* Python's own way in: a module that it imports when it starts, in front of PYTHONPATH. */
static int add_python(struct fth_setting *settings, struct fth_error **error)
{
    char path[PATH_MAX], *value;
    const char *theirs = getenv("PYTHONPATH");
    if (!fth_cmd_installed("../share/fathom/python/automatic", "sitecustomize.py", path))
        return fth_fail(error, "cannot find Fathom's files for Python beside this program");
    bool any = theirs && *theirs;
    value = fth_text_format("%s%s%s", dirname(path), any ? ":" : "", any ? theirs : "");
    while (settings->name)
        settings++;
    settings[0] = (struct fth_setting){"PYTHONPATH", value};
    settings[1] = (struct fth_setting){NULL, NULL};
    return 0;
}

int fth_record_settings(const struct fth_record_options *options, const struct fth_cmd_run *run,
                        const char *apart, struct fth_setting settings[FTH_MOST_SETTINGS],
                        struct fth_error **error)
{
    const char *spill = run->spill;
    char *preload = preload_value(options, spill, error), spill_prefix[PATH_MAX];
    if (!preload)
        return *error ? -1 : fth_fail(error, "out of memory");
    snprintf(spill_prefix, sizeof spill_prefix, "%s/", spill);
    double least =
        options->min_duration ? 1e-9 * (double)options->min_duration * ticks_per_second() : 0;
    const struct fth_setting all[] = {
        {"LD_PRELOAD", preload},
        {FTH_ASAN_OPTIONS, asan_options()},
        {FTH_SETTING_NAME(SPILL), copy(spill)},
        {FTH_SETTING_NAME(MEMORY), number((int64_t)run->least_memory)},
        {FTH_SETTING_NAME(BUDGET), number(options->budget)},
        {FTH_SETTING_NAME(PARTS), copy(run->parts)},
        {FTH_SETTING_NAME(APART), copy(apart)},
        {FTH_SETTING_NAME(IMAGE), copy("0000000000000000")}, /* every process writes its own here */
        {FTH_SETTING_NAME(WITH), plugin_paths(options->plugins)},
        {FTH_SETTING_NAME(PYTHON), copy(options->python)},
        {FTH_SETTING_NAME(REGIONS), copy(options->regions)},
        {FTH_SETTING_NAME(LAYERS), copy(options->layers)},
        {FTH_SETTING_NAME(FUNCTIONS), copy(options->functions)},
        {FTH_SETTING_NAME(INCLUDE), join(&options->included, NULL)},
        {FTH_SETTING_NAME(EXCLUDE),
         join(&options->excluded, strchr(spill, ':') ? NULL : spill_prefix)},
        {FTH_SETTING_NAME(CUDA), copy(options->cuda ? "1" : NULL)},
        {FTH_SETTING_NAME(LINES), copy(options->lines ? "1" : NULL)},
        {FTH_SETTING_NAME(CONTENTS), copy(options->contents ? "1" : NULL)},
        {FTH_SETTING_NAME(PROGRAM_FILES), copy(options->program_files ? "1" : NULL)},
        {FTH_SETTING_NAME(MIN_BYTES), number(options->min_bytes)},
        {FTH_SETTING_NAME(MIN_NS), number(options->min_duration)},
        {FTH_SETTING_NAME(MIN_TICKS), number((int64_t)least)},
        {FTH_SETTING_NAME(SELECT), rule_of(options)},
        {FTH_SETTING_NAME(TICK_RATE), number(tick_rate(options))},
        {FTH_SETTING_NAME(TUNABLE), copy(options->tunable ? "1" : NULL)},
        {FTH_SETTING_NAME(TIME), copy(options->time)},
        {FTH_SETTING_NAME(MASK), copy(options->masked)},
        {FTH_SETTING_NAME(CLOCK), clock_name()},
        {FTH_SETTING_NAME(RANK), copy(options->rank_from)},
        {FTH_SETTING_NAME(HOST), node_name()},
        {FTH_SETTING_NAME(SAMPLE), sampler(options->sample)}, /* for other nodes */
        {NULL, NULL},
    };
    _Static_assert(sizeof all / sizeof *all + 3 <= FTH_MOST_SETTINGS, "space for all settings");
    memcpy(settings, all, sizeof all);
    if (options->python && add_python(settings, error)) {
        fth_record_free_settings(settings);
        return -1;
    }
    add_launch_agents(settings);
    return 0;
}

void fth_record_without_tracer(struct fth_setting *settings)
{
    for (; settings->name; settings++)
        if (!strcmp(settings->name, "LD_PRELOAD")) {
            const char *theirs = getenv("LD_PRELOAD");
            free(settings->value);
            settings->value = copy(theirs);
        }
}

void fth_record_free_settings(struct fth_setting *settings)
{
    for (; settings->name; settings++)
        free(settings->value);
}
