/* The sampler's loop: wait, read the kernel's files, put what they say into the table, and now and
 * then write that to disk, so that a sampler that is killed leaves what it had. */
#include "machine/sampler.h"

#include "base/memory.h"
#include "machine/node_counters.h"
#include "machine/process_counters.h"
#include "machine/sources.h"
#include "machine/live_processes.h"
#include "trace/spill/sample_files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
enum {
    SHARE = 100,        /* of the time is ours, at most: one part in so many */
    BETWEEN_LOOKS = 50, /* ms: whether the run is over, where nobody notifies us */
    GRACE = 300,        /* ms without any process, until it is */
};

/* What is known of a counter from the sample before. */
struct known {
    size_t series; /* SIZE_MAX: none yet */
    int64_t before;
};

struct sampler {
    const struct fth_sampling *sampling;
    struct fth_samples samples;
    struct fth_sources sources;
    struct fth_watch watch;
    struct fth_intern keys; /* image, name, instance */
    struct known *known;
    uint64_t image, previous; /* of the process that is being read */
    struct fth_samples_anchor anchor;
    int64_t written, writing; /* when the table was last written, how long that took */
    int64_t deserted;         /* since when there is no process; 0: there is one */
    bool hardware_reported, slowed;
};

static int64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * second + time.tv_nsec;
}

/* ---- readings ---- */

static uint32_t number_of(struct sampler *sampler, uint64_t image,
                          const struct fth_reading *reading)
{
    char key[sizeof image + 512];
    memcpy(key, &image, sizeof image);
    int length = snprintf(key + sizeof image, sizeof key - sizeof image, "%s:%s", reading->name,
                          reading->instance);
    return fth_intern(&sampler->keys, key, sizeof image + (size_t)length);
}

/* What a process that has become another image had counted as the one before goes on in this
 * one. */
static int64_t before_exec(struct sampler *sampler, const struct fth_reading *reading)
{
    uint32_t count = sampler->keys.count;
    uint32_t number = sampler->previous ? number_of(sampler, sampler->previous, reading) : count;
    if (number < count)
        return sampler->known[number].before;
    if (number < sampler->keys.count) { /* asking made it */
        FTH_GROW(sampler->known, number);
        sampler->known[number] = (struct known){SIZE_MAX, 0};
    }
    return 0;
}

static void take_reading(void *context, const struct fth_reading *reading)
{
    struct sampler *sampler = context;
    bool rate = reading->kind == FTH_SERIES_RATE;
    uint32_t count = sampler->keys.count, number = number_of(sampler, sampler->image, reading);
    if (number == count) {
        FTH_GROW(sampler->known, number);
        sampler->known[number] = (struct known){SIZE_MAX, reading->value};
        if (rate && sampler->image)
            sampler->known[number].before = before_exec(sampler, reading);
        else if (rate)
            return; /* how much it grows is known the next time */
    }
    struct known *known = &sampler->known[number];
    int64_t grown = reading->value > known->before ? reading->value - known->before : 0;
    known->before = reading->value;
    if (!sampler->samples.now)
        return;
    if (known->series == SIZE_MAX) {
        const struct fth_sample_series like = {.name = (char *)(uintptr_t)reading->name,
                                               .instance = (char *)(uintptr_t)reading->instance,
                                               .kind = reading->kind,
                                               .unit = reading->unit,
                                               .image = sampler->image};
        known->series = fth_samples_series(&sampler->samples, &like);
    }
    if (known->series != SIZE_MAX)
        fth_samples_value(&sampler->samples, known->series, rate ? grown : reading->value);
}

static void note_hardware(struct sampler *sampler, int error)
{
    char text[256];
    if (sampler->hardware_reported || error == ESRCH)
        return;
    bool forbidden = error == EACCES || error == EPERM;
    snprintf(text, sizeof text, "counters of the processor: %s%s", strerror(error),
             forbidden ? " (see /proc/sys/kernel/perf_event_paranoid)"
                       : " (virtual machines often have none)");
    fth_samples_note(&sampler->samples, text);
    sampler->hardware_reported = true;
}

/* False: the process has ended. */
static bool read_process(struct sampler *sampler, struct fth_watched *process)
{
    struct fth_taker taker = {take_reading, sampler};
    const char *text = fth_source_text(&sampler->sources, process->files[0]);
    uint64_t born = 0;
    int error;
    sampler->image = process->image;
    sampler->previous = process->previous;
    if (!text || !fth_process_stat(text, &born, &taker) || (process->born && born != process->born))
        return false;
    process->born = born;
    if ((text = fth_source_text(&sampler->sources, process->files[1])))
        fth_process_switches(text, &taker);
    if ((text = fth_source_text(&sampler->sources, process->files[2])))
        fth_process_io(text, &taker);
    if (!process->hardware.opened && !fth_hardware_open(&process->hardware, process->pid, &error))
        note_hardware(sampler, error);
    fth_hardware_take(&process->hardware, &taker);
    return true;
}

static void take_sample(struct sampler *sampler)
{
    struct fth_taker taker = {take_reading, sampler};
    sampler->image = sampler->previous = 0;
    fth_sources_take(&sampler->sources, &taker);
    fth_watch_look(&sampler->watch);
    for (size_t i = 0; i < sampler->watch.count;)
        if (read_process(sampler, &sampler->watch.processes[i]))
            i++;
        else
            fth_watch_forget(&sampler->watch, i);
}

/* ---- the file ---- */

static void write_table(struct sampler *sampler)
{
    int64_t begin = now(CLOCK_MONOTONIC);
    fth_sample_file_write(sampler->sampling->output, &sampler->samples, &sampler->anchor);
    sampler->written = now(CLOCK_MONOTONIC);
    sampler->writing = sampler->written - begin;
}

static void write_now_and_then(struct sampler *sampler)
{
    int64_t since = now(CLOCK_MONOTONIC) - sampler->written;
    if (since > 5 * second && since > 2 * SHARE * sampler->writing)
        write_table(sampler);
}

/* ---- time ---- */

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Where no descriptor notifies us: nothing has been recorded here for a while, or the folder has
 * been taken away. */
static bool is_deserted(struct sampler *sampler, int64_t moment)
{
    bool anybody = false;
    if (sampler->sampling->stop && is_there(sampler->sampling->stop))
        return true;
    if (is_there(sampler->sampling->spill)) {
        fth_watch_look(&sampler->watch);
        for (size_t i = 0; i < sampler->watch.count; i++)
            anybody = anybody || fth_process_is_alive(sampler->watch.processes[i].pid);
    }
    if (anybody)
        sampler->deserted = 0;
    else if (!sampler->deserted)
        sampler->deserted = moment;
    return !anybody && moment - sampler->deserted > GRACE * INT64_C(1000000);
}

/* Waits until then; false: the run is over. */
static bool wait_until(struct sampler *sampler, int64_t then)
{
    struct pollfd run = {.fd = sampler->sampling->run};
    for (int64_t left; (left = then - now(CLOCK_MONOTONIC)) > 0;) {
        int64_t ms = (left + 999999) / 1000000;
        if (run.fd < 0 && ms > BETWEEN_LOOKS)
            ms = BETWEEN_LOOKS;
        if (poll(&run, 1, (int)ms) > 0)
            return false;
        if (run.fd < 0 && is_deserted(sampler, now(CLOCK_MONOTONIC)))
            return false;
    }
    return true;
}

static void note_slowness(struct sampler *sampler)
{
    if (!sampler->slowed)
        fth_samples_note(&sampler->samples,
                         "samples are further apart than requested: this node has so many counters "
                         "that more samples would take more than 1 % of a core");
    sampler->slowed = true;
}

/* When the next one is due, if this one began then and took so much of a core. */
static int64_t next_time(struct sampler *sampler, int64_t begun, int64_t due, int64_t cost)
{
    int64_t next = due + sampler->sampling->interval, least = begun + SHARE * cost;
    if (least > next + sampler->sampling->interval)
        note_slowness(sampler);
    return least > next ? least : next;
}

static void record_sample(struct sampler *sampler, int64_t moment)
{
    fth_samples_begin(&sampler->samples, moment);
    take_sample(sampler);
    fth_samples_end(&sampler->samples);
}

static void sample_until_over(struct sampler *sampler, int64_t due)
{
    bool going_on = true;
    while (going_on) {
        going_on = wait_until(sampler, due);
        int64_t begun = now(CLOCK_MONOTONIC), cost = now(CLOCK_PROCESS_CPUTIME_ID);
        bool first = !sampler->samples.rows && !sampler->samples.held;
        int64_t since = begun - (first ? sampler->samples.start : sampler->samples.now);
        /* what was counted in a moment says little: counters of time go in steps of 10 ms */
        if (going_on || first || since > sampler->sampling->interval / 2)
            record_sample(sampler, begun);
        write_now_and_then(sampler);
        cost = now(CLOCK_PROCESS_CPUTIME_ID) - cost;
        due = next_time(sampler, begun, due > begun - sampler->sampling->interval ? due : begun,
                        cost);
    }
}

/* ---- the whole ---- */

void fth_sampler_step_aside(int kept)
{
    setsid();
    if (kept > 0)
        syscall(SYS_close_range, 0, kept - 1, 0);
    if (syscall(SYS_close_range, kept + 1, ~0U, 0) != 0)
        for (int file = 0; file < 1024; file++)
            if (file != kept)
                close(file);
    while (open("/dev/null", O_RDWR) < 2 && errno != EMFILE)
        ;
    if (chdir("/") != 0)
        _exit(0);
}

static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void fth_sample_run(const struct fth_sampling *sampling)
{
    static struct sampler sampler;
    struct utsname node = {0};
    uname(&node);
    allow_many_files();
    sampler.sampling = sampling;
    sampler.anchor = (struct fth_samples_anchor){now(CLOCK_MONOTONIC), now(CLOCK_REALTIME)};
    sampler.written = sampler.anchor.monotonic;
    fth_samples_init(&sampler.samples, node.nodename, sampling->interval, sampler.anchor.monotonic);
    fth_sources_open(&sampler.sources);
    fth_watch_begin(&sampler.watch, sampling->spill);
    take_sample(&sampler); /* from where counters are counted */
    sample_until_over(&sampler, sampler.anchor.monotonic + sampling->interval);
    fth_samples_finish(&sampler.samples);
    write_table(&sampler);
    fth_watch_end(&sampler.watch);
    fth_sources_close(&sampler.sources);
}
