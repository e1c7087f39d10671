/* Following: merging costs what is recorded, not what is new, so who asks for the next trace waits
 * a while. What `fathom merge` makes of a folder that is written to is a trace as any other. */
#include "cmd/view/follow.h"

#include "base/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool fth_follow_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int64_t in_ns(const struct timespec *time)
{
    return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

int fth_follow_begin(struct fth_following *following, const char *folder, struct fth_error **error)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *following = (struct fth_following){.folder = folder, .goes_on = true, .since = in_ns(&now)};
    if (fth_run_load(&following->run, folder, error))
        return -1;
    const char *parent = getenv("TMPDIR");
    if (asprintf(&following->place, "%s/fathom-view-XXXXXX", parent && *parent ? parent : "/tmp") <
        0)
        fth_out_of_memory();
    if (!mkdtemp(following->place)) {
        fth_fail_errno(error, "cannot make a folder like '%s'", following->place);
        free(following->place);
        following->place = NULL;
        return -1;
    }
    return 0;
}

static char *in_place(const struct fth_following *following, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", following->place, name) < 0)
        fth_out_of_memory();
    return path;
}

/* The first line of what the merge has said. */
static int fail_merge(const struct fth_following *following, const char *said,
                      struct fth_error **error)
{
    char line[400] = "";
    FILE *file = fopen(said, "r");
    if (file && fgets(line, sizeof line, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
    return fth_fail(error, "cannot follow '%s': %s", following->folder,
                    *line ? line : "it cannot be merged");
}

static bool run_merge(const char *folder, const char *trace, const char *said)
{
    char *words[] = {"fathom", "merge", "--quiet", "--output", (char *)trace, (char *)folder, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;
    int status = -1;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    if (posix_spawn(&pid, "/proc/self/exe", &files, &attributes, words, environ) == 0)
        while (waitpid(pid, &status, 0) < 0)
            ;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return status == 0;
}

/* What the recording has written; NULL: what is there is older. */
static char *written(const struct fth_following *following)
{
    const char *path = following->run.output;
    struct stat status;
    if (!path || stat(path, &status) || in_ns(&status.st_mtim) < following->since)
        return NULL;
    return fth_text_copy(path);
}

int fth_follow_merge(struct fth_following *following, struct fth_error **error)
{
    char *said = in_place(following, "said");
    free(following->trace);
    following->trace = in_place(following, "run.fathom");
    following->goes_on = fth_run_goes_on(&following->run);
    int result = 0;
    if (!run_merge(following->folder, following->trace, said)) {
        /* It removes its folder when it has made its trace. */
        following->goes_on = fth_follow_is_folder(following->folder);
        result = following->goes_on ? fail_merge(following, said, error) : 0;
    }
    if (!result && !following->goes_on && !fth_follow_is_folder(following->folder)) {
        free(following->trace);
        following->trace = written(following);
    }
    unlink(said);
    free(said);
    return result;
}

void fth_follow_forget(const struct fth_following *following)
{
    char *made = in_place(following, "run.fathom");
    unlink(made);
    free(made);
}

void fth_follow_end(const struct fth_following *following)
{
    if (!following->place)
        return;
    fth_follow_forget(following);
    char *said = in_place(following, "said");
    unlink(said);
    free(said);
    rmdir(following->place);
}
