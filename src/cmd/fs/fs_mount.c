/* The mount of an instance: its process, and how it ends. */
#include "cmd/fs/fs_mount.h"

#include "base/settings.h"
#include "cmd/fs/fs_model.h"
#include "cmd/fs/fs_mount_place.h"
#include "cmd/shared/installed.h"
#include "fs/protocol/mount_note.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef FATHOM_FUSE
const bool fth_cmd_fs_mount_is_built_in = true;
#else
const bool fth_cmd_fs_mount_is_built_in = false;
#endif

enum { WAIT = 10000 /* ms */, STEP = 2 /* ms */ };

static void write_note(int note, enum fth_mount_word word, const char *text)
{
    if (fth_mount_note_write(note, word, text))
        fprintf(stderr, "fathom fs: what is mounted cannot be noted: %s\n", strerror(errno));
}

/* ---- its end ---- */

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = STEP * 1000000L}, NULL);
}

/* false: it lives on. */
static bool wait_for_end(int note)
{
    for (int waited = 0; fth_mount_note_process(note); waited += STEP) {
        if (waited >= WAIT)
            return false;
        rest();
    }
    return true;
}

static void end_process(int note, bool is_lost)
{
    pid_t process = fth_mount_note_process(note);
    if (process > 0)
        kill(process, is_lost ? SIGKILL : SIGTERM);
    if (!wait_for_end(note) && (process = fth_mount_note_process(note)) > 0) {
        kill(process, SIGKILL);
        wait_for_end(note);
    }
}

/* ---- starting it ---- */

/* It is preloaded as any other program of the instance, and by nothing else. */
static int set_environment(const struct fth_fs_instance *instance)
{
    enum { LENGTH = sizeof FTH_SETTING_PREFIX - 1 };
    char *preload;
    for (char **at = environ; at && *at;)
        if (strncmp(*at, FTH_SETTING_PREFIX, LENGTH) == 0) {
            char *name = strndup(*at, strcspn(*at, "="));
            if (!name || unsetenv(name))
                return -1;
            free(name);
        } else {
            at++;
        }
    unsetenv("LD_PRELOAD");
    if (fth_cmd_fs_preload(&preload, NULL))
        return -1;
    int failed =
        setenv("LD_PRELOAD", preload, 1) || setenv(FTH_SETTING_NAME(FS), instance->path, 1);
    free(preload);
    return failed ? -1 : 0;
}

/* Nothing of who started it stays open. */
static void become_mount(const struct fth_fs_instance *instance, const char *program,
                         const char *place, int note, int output)
{
    enum { LOG = 3 };
    int log = openat(instance->folder, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int high[] = {fcntl(note, F_DUPFD_CLOEXEC, 10), fcntl(output, F_DUPFD_CLOEXEC, 10),
                  fcntl(log, F_DUPFD_CLOEXEC, 10)};
    setsid();
    if (chdir("/") || set_environment(instance) || dup2(high[0], STDIN_FILENO) < 0 ||
        dup2(high[1], STDOUT_FILENO) < 0 || dup2(high[1], STDERR_FILENO) < 0 ||
        dup2(high[2], LOG) < 0)
        return;
    close_range(LOG + 1, ~0U, 0);
    execl(program, program, instance->under_path, place, (char *)NULL);
}

/* Twice, so that nobody has to wait for it. -1: errno is set. */
static int begin_process(const struct fth_fs_instance *instance, const char *program,
                         const char *place, int note, int output)
{
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            become_mount(instance, program, place, note, output);
            dprintf(output, "'%s' cannot be started: %s\n", program, strerror(errno));
        }
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return child < 0 ? -1 : 0;
}

/* What it says until it is mounted or gone, but for the end of the line. */
static bool hear(int from, char said[FTH_MOUNT_TEXT])
{
    size_t length = 0;
    struct pollfd waited = {.fd = from, .events = POLLIN};
    *said = 0;
    while (!strstr(said, "mounted\n") && length < FTH_MOUNT_TEXT - 1) {
        if (poll(&waited, 1, WAIT) <= 0)
            break;
        ssize_t count = read(from, said + length, FTH_MOUNT_TEXT - 1 - length);
        if (count <= 0)
            break;
        said[length += (size_t)count] = 0;
    }
    bool is_mounted = strstr(said, "mounted\n") != NULL;
    said[strcspn(said, "\n")] = 0;
    return is_mounted;
}

/* false: `said` tells why. */
static bool start_process(const struct fth_fs_instance *instance, const char *place, int note,
                          char said[FTH_MOUNT_TEXT])
{
    char program[PATH_MAX];
    int ends[2];
    if (!fth_cmd_installed(NULL, "fathom-mount", program)) {
        snprintf(said, FTH_MOUNT_TEXT,
                 "fathom-mount is not installed beside this program (it is built where libfuse "
                 "3.12 or newer is)");
        return false;
    }
    if (pipe2(ends, O_CLOEXEC)) {
        snprintf(said, FTH_MOUNT_TEXT, "%s", strerror(errno));
        return false;
    }
    int failed = begin_process(instance, program, place, note, ends[1]), error = errno;
    close(ends[1]);
    bool is_mounted = !failed && hear(ends[0], said);
    close(ends[0]);
    if (failed)
        snprintf(said, FTH_MOUNT_TEXT, "%s", strerror(error));
    else if (!is_mounted && !*said)
        snprintf(said, FTH_MOUNT_TEXT, "the process that is mounted did not answer within 10 s");
    if (!is_mounted)
        end_process(note, true);
    return is_mounted;
}

/* false: `said` tells why. */
static bool try_to_mount(const struct fth_fs_instance *instance, bool is_wanted, int note,
                         char said[FTH_MOUNT_TEXT])
{
    struct fth_cmd_fs_place place;
    if (!fth_cmd_fs_place_find(instance, is_wanted, &place, said, FTH_MOUNT_TEXT))
        return false;
    if (start_process(instance, place.path, note, said)) {
        write_note(note, place.was_made ? FTH_MOUNT_MADE : FTH_MOUNTED, place.path);
        return true;
    }
    if (place.was_made)
        rmdir(place.path);
    return false;
}

int fth_cmd_fs_mount(const struct fth_fs_instance *instance, enum fth_cmd_fs_mount choice,
                     struct fth_error **error)
{
    char said[FTH_MOUNT_TEXT] = "--mount no";
    bool is_wanted = choice == FTH_CMD_FS_MOUNT_YES;
    int note = fth_mount_note_open(instance->folder, O_RDWR | O_CREAT);
    if (note < 0)
        return fth_fail_errno(error, "what is mounted cannot be noted in '%s'", instance->path);
    flock(note, LOCK_EX);
    bool is_mounted =
        choice != FTH_CMD_FS_MOUNT_NO && try_to_mount(instance, is_wanted, note, said);
    if (!is_mounted)
        write_note(note, FTH_NOT_MOUNTED, said);
    flock(note, LOCK_UN);
    close(note);
    if (is_mounted || !is_wanted)
        return 0;
    return fth_fail(error, "'%s' cannot be a mount: %s",
                    *instance->prefix ? instance->prefix : instance->under_path, said);
}

int fth_cmd_fs_mount_again(const struct fth_fs_instance *instance, struct fth_error **error)
{
    char place[FTH_MOUNT_TEXT], said[FTH_MOUNT_TEXT];
    int note = fth_mount_note_open(instance->folder, O_RDWR), result = 0;
    if (note < 0)
        return 0;
    flock(note, LOCK_EX);
    if (fth_mount_note_read(note, place) != FTH_NOT_MOUNTED && !fth_mount_note_process(note)) {
        fth_cmd_fs_place_clear(place);
        mkdir(place, 0700);
        result = start_process(instance, place, note, said) ? 1 : -1;
    }
    if (result < 0)
        fth_fail(error, "'%s' cannot be mounted again: %s", place, said);
    flock(note, LOCK_UN);
    close(note);
    return result;
}

/* As long as files of it are open, its process does what they need. */
static bool is_unmounted(int note, const char *place)
{
    pid_t process = fth_mount_note_process(note);
    return process && !fth_cmd_fs_place_is_mounted(place, process);
}

static void end_mount(int note, const char *place, bool is_lost)
{
    bool asks = fth_mount_note_process(note) && !is_lost;
    if (!fth_cmd_fs_place_leave(place, asks))
        fprintf(stderr,
                "fathom fs: '%s' is still in use: programs that are there get ENOTCONN from now "
                "on\n",
                place);
    end_process(note, is_lost);
    fth_cmd_fs_place_clear(place);
}

void fth_cmd_fs_unmount(const struct fth_fs_instance *instance, bool is_lost)
{
    char place[FTH_MOUNT_TEXT];
    int note = fth_mount_note_open(instance->folder, O_RDWR);
    if (fth_mount_note_read(note, place) != FTH_NOT_MOUNTED)
        end_mount(note, place, is_lost);
    if (note >= 0)
        close(note);
}

void fth_cmd_fs_remove(const struct fth_fs_instance *instance)
{
    char place[FTH_MOUNT_TEXT];
    int note = fth_mount_note_open(instance->folder, O_RDONLY);
    if (fth_mount_note_read(note, place) == FTH_MOUNT_MADE)
        rmdir(place);
    if (note >= 0)
        close(note);
    fth_instance_remove(instance);
}

enum fth_cmd_fs_mount_state fth_cmd_fs_mount_state(const struct fth_fs_instance *instance,
                                                   char text[FTH_MOUNT_TEXT])
{
    int note = fth_mount_note_open(instance->folder, O_RDWR);
    bool is = fth_mount_note_read(note, text) != FTH_NOT_MOUNTED;
    enum fth_cmd_fs_mount_state state = !is                            ? FTH_CMD_FS_NOT_MOUNTED
                                        : is_unmounted(note, text)     ? FTH_CMD_FS_UNMOUNTED
                                        : fth_mount_note_process(note) ? FTH_CMD_FS_MOUNTED
                                                                       : FTH_CMD_FS_MOUNT_ENDED;
    if (note >= 0)
        close(note);
    return state;
}
