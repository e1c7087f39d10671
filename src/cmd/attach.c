/* `fathom attach`: records programs that run already. It has each of them load the tracer, waits
 * until they have ended, or somebody has had enough, and makes a trace of what they left, as
 * `fathom record` does. While it waits it has no hold of them. */
#include "base/memory.h"
#include "base/settings.h"
#include "base/visible.h"
#include "cmd/attach/attach_process.h"
#include "cmd/attach/borrow.h"
#include "cmd/record/record.h"
#include "cmd/run/run.h"
#include "cmd/run/start_sampler.h"
#include "cmd/shared/command.h"
#include "views/output/display_text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_SETTINGS = 64 << 10,
    BETWEEN_LOOKS = 50, /* ms */
    DETACH_TRIES = 10,
    MOST_IDLE_LOOKS = 60, /* while a program that was executed is about to start */
};

struct attaching {
    struct fth_attach_options options;
    struct fth_cmd_run run;
    char *shown_output;
    char *library;
    char settings[LONGEST_SETTINGS];
    size_t settings_length;
    size_t attached;
};

static int64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* ---- which processes ---- */

static bool is_listed(const struct fth_attach_options *options, pid_t pid)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->pids[i] == pid)
            return true;
    return false;
}

/* Adds those whose parent is listed, until there are no more. */
static void add_tree(struct fth_attach_options *options)
{
    size_t before;
    do {
        DIR *all = opendir("/proc");
        before = options->count;
        for (struct dirent *entry; all && (entry = readdir(all));) {
            pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
            if (pid > 0 && pid != getpid() && options->count < FTH_MOST_PIDS &&
                !is_listed(options, pid) &&
                is_listed(options, (pid_t)fth_borrow_stat(pid, FTH_STAT_PARENT)))
                options->pids[options->count++] = pid;
        }
        if (all)
            closedir(all);
    } while (options->count > before);
}

/* What it was started as, for the metadata; ended by NULL. The text stays. */
static char **command_of(pid_t pid)
{
    enum { MOST_WORDS = 1024 };
    static char text[64 << 10], *words[MOST_WORDS + 1];
    char name[64];
    size_t count = 0;
    snprintf(name, sizeof name, "/proc/%d/cmdline", (int)pid);
    FILE *file = fopen(name, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    for (size_t at = 0; at < length && count < MOST_WORDS; at += strlen(text + at) + 1)
        words[count++] = text + at;
    if (!count) /* it has ended, or is no program: that is said later */
        words[count++] = strcpy(text, "process");
    words[count] = NULL;
    return words;
}

/* ---- before ---- */

/* Nothing is done together by the ranks: they may not all be there, and are in the middle of their
 * work. */
static char *apart(void)
{
    uint64_t number = (uint64_t)now(CLOCK_REALTIME) ^ (uint64_t)getpid() << 40;
    return fth_text_format("%" PRIu64, (number & (UINT64_MAX >> 2)) | 1);
}

static void add_setting(struct attaching *attaching, const char *name, const char *value)
{
    size_t left = sizeof attaching->settings - attaching->settings_length;
    int length =
        snprintf(attaching->settings + attaching->settings_length, left, "%s=%s", name, value);
    if (length > 0 && (size_t)length < left)
        attaching->settings_length += (size_t)length + 1;
}

/* What `fathom record` puts into the environment. Launchers on other nodes have started what they
 * start. */
static int take_settings(struct attaching *attaching, struct fth_error **error)
{
    struct fth_setting settings[FTH_MOST_SETTINGS];
    char *number = apart();
    int result =
        fth_record_settings(&attaching->options.record, &attaching->run, number, settings, error);
    free(number);
    if (result)
        return -1;
    for (const struct fth_setting *setting = settings; setting->name; setting++) {
        if (!setting->value)
            continue;
        if (strcmp(setting->name, "LD_PRELOAD") == 0) {
            attaching->library = fth_text_copy(setting->value);
            attaching->library[strcspn(attaching->library, ": ")] = 0;
            add_setting(attaching, setting->name, attaching->library);
        } else if (strncmp(setting->name, FTH_SETTING_PREFIX, strlen(FTH_SETTING_PREFIX)) == 0 &&
                   strcmp(setting->name, FTH_SETTING_NAME(IMAGE)) != 0 &&
                   strcmp(setting->name, FTH_SETTING_NAME(SAMPLE)) != 0) {
            add_setting(attaching, setting->name, setting->value);
        }
    }
    add_setting(attaching, FTH_SETTING_NAME(ATTACHED), "1");
    fth_record_free_settings(settings);
    return 0;
}

static int prepare(struct attaching *attaching, struct fth_error **error)
{
    struct fth_cmd_run *run = &attaching->run;
    struct fth_record_options *options = &attaching->options.record;
    if (options->layers && strstr(options->layers, "pthread"))
        return fth_fail(
            error, "thread functions (pthread) can only be recorded from the start of a program");
    if (options->select && options->rule.unit != FTH_WATCH_TIME)
        return fth_fail(error,
                        "--select '%s': processes are attached to one after the other, so they "
                        "would count phases differently; give a time, such as 'per 100ms'",
                        options->select);
    if (options->tunable)
        return fth_fail(error,
                        "--tunable: processes are attached to one after the other, so ranks could "
                        "not agree in a call of MPI_File_open that only some of them see; start "
                        "the program with `fathom record --tunable`");
    if (options->regions)
        return fth_fail(error,
                        "functions of the program (--regions) can only be recorded from its start");
    if (options->python)
        return fth_fail(
            error, "functions in Python files (--python) can only be recorded from the start of a "
                   "program");
    if (json_array_size(options->plugins))
        return fth_fail(error, "plug-ins (--with) can only be used from the start of a program");
    if (fth_run_make_spill(run, options->spill, error))
        return -1;
    fth_run_make_unkept(run);
    run->start = now(CLOCK_REALTIME);
    run->meta = fth_record_meta(options, run->output);
    run->blind_spots = json_array();
    if (!run->meta || !run->blind_spots)
        return fth_fail(error, "out of memory");
    json_object_set_new(run->meta, "attached", json_true());
    return take_settings(attaching, error) || fth_run_save(run, error) ? -1 : 0;
}

/* ---- while they run ---- */

static sigset_t ends(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

static int attach_all(struct attaching *attaching)
{
    struct fth_attach_options *options = &attaching->options;
    bool only_one = options->count == 1;
    for (size_t i = 0; i < options->count; i++) {
        struct fth_error *error = NULL;
        if (fth_attach_process(options->pids[i], attaching->library, attaching->settings,
                               attaching->settings_length, &error) == 0) {
            attaching->attached++;
        } else if (only_one || !options->record.quiet) {
            fth_cmd_failed("attach", error);
        } else {
            fth_error_free(error);
        }
    }
    return attaching->attached ? 0 : -1;
}

static void wait_for_the_end(const struct attaching *attaching)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    sigset_t set = ends();
    for (int idle = 0; idle < MOST_IDLE_LOOKS; idle++) {
        if (fth_run_goes_on(&attaching->run))
            idle = 0;
        else if (!fth_run_becomes_another(&attaching->run) && !fth_run_goes_on(&attaching->run))
            return;
        if (sigtimedwait(&set, NULL, &pause) > 0)
            return;
    }
}

static void forget_pending(const sigset_t *set)
{
    const struct timespec at_once = {0};
    while (sigtimedwait(set, NULL, &at_once) > 0)
        ;
}

struct detaching {
    bool is_last_try;
    bool failed;
};

/* One that begins or ends in this moment cannot be asked to; it is seen in the next look whether it
 * still has to. */
static void detach(pid_t pid, void *context)
{
    struct fth_error *error = NULL;
    struct detaching *detaching = context;
    bool done = fth_attach_process_end(pid, &error) == 0;
    detaching->failed = detaching->failed || !done;
    if (!done && detaching->is_last_try)
        fth_cmd_failed("attach", error);
    else
        fth_error_free(error);
}

/* Processes that they start meanwhile are found by the next look. */
static void detach_all(struct attaching *attaching)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int i = 1; i <= DETACH_TRIES && fth_run_goes_on(&attaching->run); i++) {
        struct detaching detaching = {.is_last_try = i == DETACH_TRIES};
        fth_run_visit_living(&attaching->run, detach, &detaching);
        if (detaching.failed)
            nanosleep(&pause, NULL);
    }
}

/* ---- after ---- */

static void say_what_was_recorded(const struct attaching *attaching,
                                  const struct fth_merge_report *report)
{
    fth_say(stderr, "fathom: %s of %s in %s -> %s\n",
            fth_phrase_several(report->calls, "call", "calls").text, fth_run_processes(report),
            fth_phrase_bytes(report->bytes).text, attaching->shown_output);
    fth_run_say_blind_spots(&attaching->run);
    fth_say(stderr, "fathom: next: fathom report %s\n", attaching->shown_output);
}

static int make_trace(struct attaching *attaching)
{
    const struct fth_record_options *options = &attaching->options.record;
    struct fth_merge_report report;
    struct fth_error *error = NULL;
    struct fth_cmd_run *run = &attaching->run;
    run->end = now(CLOCK_REALTIME);
    fth_run_save(run, NULL);
    char *asked = fth_text_copy(attaching->shown_output);
    int failed = fth_record_merge(run, &attaching->shown_output, fth_record_replaces(options),
                                  &report, &error);
    bool kept = failed || options->keep_spill || report.still_running;
    if (!kept)
        fth_run_remove_spill(run);
    if (failed) {
        fth_cmd_failed("attach", error);
    } else if (options->json) {
        fth_run_print(stderr, fth_run_report(run, &report, attaching->shown_output, kept));
    } else {
        if (!options->quiet)
            say_what_was_recorded(attaching, &report);
        else
            fth_record_say_name(asked, attaching->shown_output);
        fth_run_say_losses(run, &report, options->quiet);
    }
    if (kept && !options->json && !(options->quiet && !failed && !report.still_running))
        fth_say(
            stderr,
            "fathom: the spill folder is kept: %s; to make a trace of it: fathom merge -o %s %s\n",
            run->spill, attaching->shown_output, run->spill);
    free(asked);
    return failed ? 1 : 0;
}

/* ---- the whole ---- */

static int run(struct attaching *attaching)
{
    struct fth_error *error = NULL;
    sigset_t set = ends(), before;
    struct fth_sampler sampler = {0};
    if (fth_run_check_output(attaching->run.output, &error) || prepare(attaching, &error))
        return fth_cmd_failed("attach", error);
    sigprocmask(SIG_BLOCK, &set, &before);
    if (attach_all(attaching)) {
        fth_run_remove_spill(&attaching->run);
        return 1;
    }
    if (!attaching->options.record.quiet && !attaching->options.record.json)
        fth_say(stderr, "fathom: attached to %s; Ctrl-C ends the recording, not the program\n",
                fth_phrase_several(attaching->attached, "process", "processes").text);
    if (attaching->options.record.sample)
        fth_sampler_start(&sampler, attaching->run.spill, attaching->options.record.sample, false);
    wait_for_the_end(attaching);
    detach_all(attaching);
    fth_sampler_end(&sampler);
    forget_pending(&set); /* one may come several times, to us and to our group */
    sigprocmask(SIG_SETMASK, &before, NULL);
    return make_trace(attaching);
}

int fth_cmd_attach(int argc, char **argv)
{
    static struct attaching attaching;
    struct fth_attach_options *options = &attaching.options;
    fth_attach_parse(options, argc, argv);
    if (options->tree)
        add_tree(options);
    options->record.command = command_of(options->pids[0]);
    const char *given = options->record.output;
    char **kept = fth_record_kept_command(&options->record);
    attaching.shown_output = given
                                 ? fth_text_copy(given)
                                 : fth_record_default_output(kept ? kept : options->record.command);
    attaching.run.output = attaching.shown_output ? fth_run_output(attaching.shown_output) : NULL;
    int status = 1;
    if (attaching.run.output)
        status = run(&attaching);
    else
        fputs("fathom attach: cannot determine where to write the trace\n", stderr);
    fth_record_free(&options->record);
    fth_run_free(&attaching.run);
    free(attaching.shown_output);
    free(attaching.library);
    return status;
}
