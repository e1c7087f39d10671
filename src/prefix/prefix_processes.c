/* Forks, programs that a process becomes, and ends. */
#include "prefix/prefix_processes.h"

#include "prefix/publishing.h"
#include "prefix/prefix_calls.h"
#include "prefix/descriptors.h"
#include "prefix/prefix_paths.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- copies ---- */

static pid_t (*real_fork)(void), (*real_Fork)(void);

/* What the parent wrote before is older than what either writes from now on, so it is attached,
 * under any model: the child has it to begin with, and it cannot come over the child's bytes. */
static pid_t copy(pid_t (*real)(void))
{
    if (!fth_prefix.is_on)
        return real();
    uint64_t signals = fth_prefix_forks();
    pid_t child = fth_prefix_publish_all() ? real() : -1;
    fth_prefix_forked(signals);
    return child;
}

static pid_t in_place_of_fork(void)
{
    return copy(real_fork);
}

static pid_t in_place_of_Fork(void)
{
    return copy(real_Fork);
}

/* ---- programs ---- */

/* Can wrappers be loaded into it? Scripts are read by programs that can. */
static bool is_dynamic_program(int program)
{
    Elf64_Ehdr head;
    Elf64_Phdr part;
    if (syscall(SYS_pread64, program, &head, sizeof head, 0) != sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return true;
    for (unsigned i = 0; i < head.e_phnum; i++)
        if (syscall(SYS_pread64, program, &part, sizeof part,
                    head.e_phoff + i * (uint64_t)head.e_phentsize) == sizeof part &&
            part.p_type == PT_INTERP)
            return true;
    return false;
}

static bool is_dynamic(int directory, const char *path)
{
    int program = (int)syscall(SYS_openat, directory, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool is = program < 0 || is_dynamic_program(program);
    if (program >= 0)
        syscall(SYS_close, program);
    return is;
}

/* What a process does before a program starts. The child of a vfork is in the memory of its parent,
 * but has descriptors of its own: where it had to connect to the server, its parent, which has no
 * such descriptor, connects again. */
struct last_turn {
    uint64_t signals;
    int socket;
};

static struct last_turn begin_last_turn(void)
{
    uint64_t signals = fth_prefix_enter();
    return (struct last_turn){signals, fth_client.connection.socket};
}

static void end_last_turn(const struct last_turn *turn)
{
    if (fth_client.connection.socket != turn->socket && fth_prefix_is_borrowed())
        fth_connection_close(&fth_client.connection);
    fth_prefix_leave(turn->signals);
}

static void settle_all(void)
{
    struct last_turn turn = begin_last_turn();
    fth_prefix_settle(NULL);
    end_last_turn(&turn);
}

/* The system reads this file past us, or starts a program that does: all of the folder below is
 * made what it has to be. A file in it is not opened but as a path: to close it would give up the
 * locks of fcntl that the process has on it. */
static void settle_for(int directory, const char *path)
{
    char name[PATH_MAX];
    int file = (int)syscall(SYS_openat, directory, path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    if (fth_prefix_is_below(file, name) || !is_dynamic(directory, path))
        settle_all();
    syscall(SYS_close, file);
}

/* A name without a slash is looked for as execvp does it, in the folders of the program's PATH. The
 * path in the folder below, or the name as it was, where it is none there. */
static const char *look_for(const char *name, char path[PATH_MAX])
{
    char named[PATH_MAX];
    const char *folders = fth_prefix.is_on ? getenv("PATH") : NULL, *end;
    for (; folders; folders = *end ? end + 1 : NULL) {
        end = strchrnul(folders, ':');
        int length = snprintf(named, sizeof named, "%.*s%s%s", (int)(end - folders), folders,
                              end == folders ? "" : "/", name);
        if (length >= (int)sizeof named)
            continue;
        const char *found = fth_prefix_path(named, path);
        if (syscall(SYS_faccessat, AT_FDCWD, found, X_OK) == 0)
            return strcpy(path, found);
    }
    return name;
}

static const char *find_program(const char *name, char path[PATH_MAX])
{
    return strchr(name, '/') ? fth_prefix_path(name, path) : look_for(name, path);
}

/* What is written behind this, by handlers of signals that waited for the lock and by other
 * threads, nobody would publish any more: it publishes itself. */
static void publish_last(void)
{
    fth_prefix.ends++;
    fth_prefix_publish_all();
}

/* This process, with all that it knows, is about to start another program. */
static void before_program(int directory, const char *path)
{
    int before = errno;
    if (!fth_prefix.is_on)
        return;
    struct last_turn turn = begin_last_turn();
    fth_prefix_publish_all();
    end_last_turn(&turn);
    if (path)
        settle_for(directory, path);
    errno = before;
}

/* Or to be one. Returns whether it is its own process that ends so: what the child of a vfork has
 * in its memory is its parent's, which goes on. */
static bool before_exec(int directory, const char *path)
{
    int before = errno;
    bool ends = fth_prefix.is_on && !fth_prefix_is_borrowed();
    if (ends) {
        uint64_t signals = fth_prefix_enter();
        publish_last();
        fth_prefix_leave(signals);
    }
    before_program(directory, path);
    errno = before;
    return ends;
}

static int exec_failed(int result, bool ends)
{
    int error = errno;
    if (ends) {
        uint64_t signals = fth_prefix_enter();
        fth_prefix.ends--;
        fth_prefix_leave(signals);
    }
    errno = error;
    return result;
}

static int (*real_execve)(const char *, char *const *, char *const *),
    (*real_execvpe)(const char *, char *const *, char *const *),
    (*real_fexecve)(int, char *const *, char *const *),
    (*real_execveat)(int, const char *, char *const *, char *const *, int);

static int in_place_of_execve(const char *path, char *const *arguments, char *const *environment)
{
    char room[PATH_MAX];
    path = fth_prefix_path(path, room);
    bool ends = before_exec(AT_FDCWD, path);
    return exec_failed(real_execve(path, arguments, environment), ends);
}

static int in_place_of_execvpe(const char *file, char *const *arguments, char *const *environment)
{
    char room[PATH_MAX];
    file = find_program(file, room);
    bool ends = before_exec(AT_FDCWD, file);
    return exec_failed(real_execvpe(file, arguments, environment), ends);
}

static int in_place_of_fexecve(int file, char *const *arguments, char *const *environment)
{
    bool ends = before_exec(AT_FDCWD, NULL);
    return exec_failed(real_fexecve(file, arguments, environment), ends);
}

static int in_place_of_execveat(int directory, const char *path, char *const *arguments,
                                char *const *environment, int flags)
{
    char room[PATH_MAX];
    path = fth_prefix_path_at(directory, path, room);
    bool ends = before_exec(directory, path);
    return exec_failed(real_execveat(directory, path, arguments, environment, flags), ends);
}

typedef int spawner(pid_t *, const char *, const void *, const void *, char *const *,
                    char *const *);
static spawner *real_posix_spawn, *real_posix_spawnp;

/* Files that the kernel opens for new programs, with names in the folder below. Once it is to cut
 * one off, everything is brought there before it does such things. */
static bool may_cut_off;
static int (*real_posix_spawn_file_actions_addopen)(posix_spawn_file_actions_t *, int,
                                                    const char *, int, mode_t);

static int in_place_of_posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions,
                                                        int file, const char *path, int flags,
                                                        mode_t mode)
{
    char room[PATH_MAX];
    if (flags & O_TRUNC && strncmp(path, "/dev/", 5) != 0)
        may_cut_off = true;
    return real_posix_spawn_file_actions_addopen(actions, file, fth_prefix_path(path, room), flags,
                                                 mode);
}

static int spawn(spawner *real, bool by_name, pid_t *made, const char *path,
                 const posix_spawn_file_actions_t *actions,
                 const void *attributes, char *const *arguments, char *const *environment)
{
    char room[PATH_MAX];
    path = by_name ? find_program(path, room) : fth_prefix_path(path, room);
    before_program(AT_FDCWD, path);
    if (fth_prefix.is_on && may_cut_off && actions && actions->__used)
        settle_all();
    return real(made, path, actions, attributes, arguments, environment);
}

static int in_place_of_posix_spawn(pid_t *made, const char *path, const void *actions,
                                   const void *attributes, char *const *arguments,
                                   char *const *environment)
{
    return spawn(real_posix_spawn, false, made, path, actions, attributes, arguments, environment);
}

static int in_place_of_posix_spawnp(pid_t *made, const char *file, const void *actions,
                                    const void *attributes, char *const *arguments,
                                    char *const *environment)
{
    return spawn(real_posix_spawnp, true, made, file, actions, attributes, arguments, environment);
}

/* libc starts the shell behind our back. */
static int (*real_system)(const char *);
static FILE *(*real_popen)(const char *, const char *);

static int in_place_of_system(const char *command)
{
    before_program(AT_FDCWD, NULL);
    return real_system(command);
}

static FILE *in_place_of_popen(const char *command, const char *mode)
{
    before_program(AT_FDCWD, NULL);
    return real_popen(command, mode);
}

/* A library; those that it needs were written whole when they were closed (descriptors.c). */
void fth_prefix_loads(const char *path)
{
    char name[PATH_MAX];
    int before = errno;
    int file = fth_prefix.is_on && strchr(path, '/')
                   ? (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC)
                   : -1;
    if (file >= 0 && fth_prefix_is_below(file, name))
        settle_all();
    if (file >= 0)
        syscall(SYS_close, file);
    errno = before;
}

/* ---- ends ---- */

void fth_prefix_ends(void)
{
    if (!fth_prefix.is_on || fth_prefix_is_borrowed())
        return;
    uint64_t signals = fth_prefix_enter();
    publish_last();
    fth_own_buffer_end(&fth_client.buffer);
    fth_prefix_leave(signals);
}

static void (*real__exit)(int), (*real_quick_exit)(int);

static void in_place_of__exit(int status)
{
    fth_prefix_ends();
    real__exit(status);
}

static void in_place_of_quick_exit(int status)
{
    fth_prefix_ends();
    real_quick_exit(status);
}

const struct fth_prefix_call fth_prefix_process_calls[] = {
    FTH_PREFIX_ROW(fork, fork),
    FTH_PREFIX_ROW(_Fork, Fork),
    FTH_PREFIX_ROW(execve, execve),
    FTH_PREFIX_ROW(execvpe, execvpe),
    FTH_PREFIX_ROW(fexecve, fexecve),
    FTH_PREFIX_ROW(execveat, execveat),
    FTH_PREFIX_ROW(posix_spawn_file_actions_addopen, posix_spawn_file_actions_addopen),
    FTH_PREFIX_ROW(posix_spawn, posix_spawn),
    FTH_PREFIX_ROW(posix_spawnp, posix_spawnp),
    FTH_PREFIX_ROW(system, system),
    FTH_PREFIX_ROW(popen, popen),
    FTH_PREFIX_ROW(_exit, _exit),
    FTH_PREFIX_ROW(_Exit, _exit),
    FTH_PREFIX_ROW(quick_exit, quick_exit),
    {NULL, NULL, NULL}};
