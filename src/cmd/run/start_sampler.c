/* Starting and ending samplers. One for several is recognized by HOST.sampling, which it has locked
 * as long as it samples; HOST.stop ends it. */
#include "cmd/run/start_sampler.h"

#include "base/memory.h"
#include "base/visible.h"
#include "machine/sampler.h"
#include "trace/spill/sample_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 3000, BETWEEN_LOOKS = 5 /* ms */ };

/* FOLDER/HOST followed by `ending`; to be freed. NULL: no memory. */
static char *path_of_node(const char *folder, const char *ending)
{
    struct utsname node = {0};
    uname(&node);
    return fth_text_format("%s/%s%s", folder, node.nodename, ending);
}

static char *path_of_samples(const char *folder)
{
    char ending[64];
    snprintf(ending, sizeof ending, "~%d" FTH_SAMPLES_ENDING, getpid());
    return path_of_node(folder, ending);
}

static void say_none(const char *what)
{
    fth_say(stderr, "fathom record: no samples of this node: %s: %s\n", what, strerror(errno));
}

/* ---- ours ---- */

static void become_sampler(const char *spill, int64_t interval, int run)
{
    fth_sampler_step_aside(run);
    const struct fth_sampling sampling = {
        .spill = spill, .output = path_of_samples(spill), .interval = interval, .run = run};
    if (sampling.output)
        fth_sample_run(&sampling);
    _exit(0);
}

static void start_own(struct fth_sampler *sampler, const char *spill, int64_t interval)
{
    int run[2];
    if (pipe2(run, O_CLOEXEC) != 0) {
        say_none("cannot make a pipe");
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(run[1]);
        become_sampler(spill, interval, run[0]);
    }
    if (pid < 0)
        say_none("cannot start a process");
    close(run[0]);
    sampler->pid = pid > 0 ? pid : 0;
    sampler->run = run[1];
}

void fth_sampler_end(struct fth_sampler *sampler)
{
    if (!sampler->pid)
        return;
    close(sampler->run);
    while (waitpid(sampler->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    sampler->pid = 0;
}

/* ---- one for several ---- */

/* Samples in `folder` as long as something of `spill` is recorded here. Others see the lock. */
static void sample_locked(const char *spill, const char *folder, int64_t interval, int lock)
{
    char *marker = path_of_node(folder, ".sampling");
    const struct fth_sampling sampling = {.spill = spill,
                                          .output = path_of_samples(folder),
                                          .interval = interval,
                                          .run = -1,
                                          .stop = path_of_node(folder, ".stop")};
    if (marker && sampling.output && sampling.stop && flock(lock, LOCK_EX) == 0)
        fth_sample_run(&sampling);
    if (marker)
        unlink(marker);
    _exit(0);
}

static void start_shared(const char *spill, int64_t interval)
{
    char *marker = path_of_node(spill, ".sampling");
    int lock = marker ? open(marker, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (lock < 0 && errno != EEXIST)
        say_none("cannot write in the spill folder");
    if (lock >= 0 && fork() == 0) {
        fth_sampler_step_aside(lock);
        sample_locked(spill, spill, interval, lock);
    }
    if (lock >= 0)
        close(lock);
    free(marker);
}

/* Asks those that are at it to end. How many are there? */
static int stop_all(const char *spill)
{
    static const char ending[] = ".sampling";
    int count = 0;
    DIR *folder = opendir(spill);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        char *stop;
        if (length < sizeof ending ||
            strcmp(entry->d_name + length - sizeof ending + 1, ending) != 0)
            continue;
        stop = fth_text_format("%s/%.*s.stop", spill, (int)(length - sizeof ending + 1),
                               entry->d_name);
        int file = open(stop, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0)
            close(file);
        free(stop);
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

void fth_sampler_end_shared(const char *spill)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int waited = 0; stop_all(spill) && waited < PATIENCE; waited += BETWEEN_LOOKS)
        nanosleep(&pause, NULL);
}

void fth_sampler_start(struct fth_sampler *sampler, const char *spill, int64_t interval,
                       bool for_several)
{
    if (for_several)
        start_shared(spill, interval);
    else
        start_own(sampler, spill, interval);
}

/* ---- on another node ---- */

int fth_cmd_sample_node(int argc, char **argv)
{
    int64_t interval = argc == 4 ? strtoll(argv[3], NULL, 10) : 0;
    if (interval < FTH_SHORTEST_INTERVAL || interval > FTH_LONGEST_INTERVAL) {
        fputs("fathom sample-node: started by processes that are recorded, with a spill folder, a "
              "folder for the samples and an interval\n",
              stderr);
        return 1;
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* whoever started us was in the middle of something */
    char *marker = path_of_node(argv[2], ".sampling");
    int lock = marker ? open(marker, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (lock < 0)
        return 1;
    fth_sampler_step_aside(lock);
    sample_locked(argv[1], argv[2], interval, lock);
    return 0;
}
