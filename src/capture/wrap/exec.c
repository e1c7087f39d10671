/* Wrappers of calls that start another program, which must find in its environment what ours found:
 * exec, spawn. They cannot be generated. What they keep follows from their rows in
 * catalog/process.calls, as for the generated ones. They are not left out by the filters on paths:
 * they show how processes hang together. */
#include "calls.h"
#include "capture/wrap/fork.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/process/environment.h"
#include "capture/process/spill_folder.h"
#include "capture/process/strangers.h"
#include "capture/process/unkept_calls.h"
#include "capture/wrap/real.h"
#include "interpose/own/put.h"
#include "interpose/own/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *real_execve, *real_execvpe, *real_fexecve, *real_execveat, *real_posix_spawn,
    *real_posix_spawnp;

/* A vforked child should not have to look for them. */
__attribute__((constructor)) static void start(void)
{
    int before = errno;
    real_execve = fth_real("execve");
    real_execvpe = fth_real("execvpe");
    real_fexecve = fth_real("fexecve");
    real_execveat = fth_real("execveat");
    errno = before;
}

/* ---- another program in this process ---- */

/* A call of the exec family; its form says what its row keeps. */
struct replacement {
    uint32_t function, context;
    enum { BY_PATH, BY_NAME, BY_DESCRIPTOR, BY_DIRECTORY } form;
    bool one_text; /* execl and its kin keep the first argument only */
    int descriptor;
    const char *name;
    char *const *arguments;
    int flags;
};

/* Returns the slot. */
static int32_t keep_descriptor(struct fth_draft *call, int descriptor)
{
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    if (slot == FTH_EXCLUDED)
        slot = FTH_SLOT_UNKNOWN;
    fth_note_binding(call, FTH_CLASS_fd, slot);
    fth_keep(call, slot);
    return slot;
}

/* error 0: it is going to succeed, and will not come back to be recorded. */
static void record_replacement(const struct replacement *exec, uint64_t begin, int error)
{
    struct fth_draft call;
    if (!fth_begin(&call, exec->function, exec->context))
        return;
    errno = error;
    call.begin = begin;
    call.worked = error == 0;
    fth_end(&call);
    fth_note_handed_over(&call);
    if (exec->form == BY_PATH)
        fth_note_directory(&call, fth_given_text(&call, exec->name));
    if (exec->form == BY_DESCRIPTOR)
        fth_about_now(&call, fth_class_ordinals[FTH_CLASS_fd],
                      keep_descriptor(&call, exec->descriptor));
    if (exec->form == BY_DIRECTORY)
        keep_descriptor(&call, exec->descriptor);
    if (exec->form != BY_DESCRIPTOR)
        fth_keep(&call, fth_text(&call, exec->name));
    fth_keep(&call, exec->one_text ? fth_command(&call, exec->arguments[0])
                                   : fth_texts(&call, exec->arguments));
    if (exec->form == BY_DIRECTORY)
        fth_keep(&call, exec->flags);
    fth_keep(&call, error ? fth_failure(&call) : 0);
    fth_commit(&call);
}

/* Can the new program be given what it is? If not, exec says EFAULT. */
static bool is_given(const struct replacement *exec)
{
    return (exec->form == BY_DESCRIPTOR || fth_is_readable_text(exec->name)) &&
           (!exec->arguments || fth_are_readable_texts(exec->arguments));
}

static struct fth_new_program new_program(const struct replacement *exec, char *const *environment)
{
    struct fth_new_program program = {.directory = AT_FDCWD,
                                      .path = exec->name,
                                      .flags = exec->flags,
                                      .in_path = exec->form == BY_NAME,
                                      .arguments = exec->arguments,
                                      .environment = environment};
    if (exec->form == BY_DESCRIPTOR) {
        program.path = "";
        program.flags = AT_EMPTY_PATH;
    }
    if (exec->form == BY_DESCRIPTOR || exec->form == BY_DIRECTORY)
        program.directory = exec->descriptor;
    return program;
}

static bool will_succeed(const struct replacement *exec, const struct fth_new_program *program)
{
    int before = errno;
    /* behind a filter, a system call to find out may be the last */
    bool found = is_given(exec) && (fth_is_filtered || fth_new_program_is_there(program));
    errno = before;
    return found;
}

static void call_real(const struct replacement *exec, char *const *environment)
{
    switch (exec->form) {
    case BY_PATH:
        REAL(execve)(exec->name, exec->arguments, environment);
        break;
    case BY_NAME:
        REAL(execvpe)(exec->name, exec->arguments, environment);
        break;
    case BY_DESCRIPTOR:
        REAL(fexecve)(exec->descriptor, exec->arguments, environment);
        break;
    case BY_DIRECTORY:
        REAL(execveat)(exec->descriptor, exec->name, exec->arguments, environment, exec->flags);
        break;
    }
}

/* Will the program that comes have no right to write into the spill folder? It is not asked for
 * directly: rights that setpriv has kept for itself are gone after the exec. */
static bool is_locked_out(void)
{
    struct stat facts;
    uid_t user = geteuid();
    int before = errno;
    if (user == 0 || fth_is_filtered)
        return false;
    bool found = syscall(SYS_newfstatat, AT_FDCWD, fth_spill_folder(), &facts, 0) == 0;
    bool hidden = !found && errno == EACCES;
    errno = before;
    return hidden || (found && facts.st_uid != user);
}

/* Says that process `pid` becomes this program: when no image of it turns up, the merger says that
 * it was not seen. `strange`: the key of why it is not going to be, or NULL. */
static void note_program(pid_t pid, const char *name, const char *strange)
{
    char key[48];
    if (!name || pid < 0)
        return;
    char *end = fth_put_text(key, strange ? strange : is_locked_out() ? "locked_out" : "program");
    fth_put_text(fth_put_decimal(fth_put_text(end, "="), (uint64_t)pid), " ");
    fth_process_note(key, name);
}

static void note_new_program(pid_t pid, const struct fth_new_program *program, const char *strange)
{
    note_program(pid, strange ? fth_new_program_name(program, strange) : program->path, strange);
}

static pid_t this_process(void)
{
    return fth_vforked || !fth_process ? (pid_t)syscall(SYS_getpid) : (pid_t)fth_process->pid;
}

/* The environment for a program; `strange`: see note_program. */
static char **environment_for(char *const *environment, const char *strange)
{
    return strange ? fth_environment_without_us(environment) : fth_environment_with_us(environment);
}

/* A successful exec never returns, so it is recorded when it looks as if it will succeed. When it
 * fails all the same, the call that failed follows. */
static int replace(const struct replacement *exec, char *const *environment)
{
    bool recorded = fth_process_is_recorded();
    const struct fth_new_program program = new_program(exec, environment);
    bool goes =
        (recorded || fth_vforked || fth_environment_is_passed_on()) && will_succeed(exec, &program);
    const char *strange = goes && fth_environment_is_readable(environment)
                              ? fth_new_program_is_strange(&program)
                              : NULL;
    char **with_us = environment_for(environment, strange);
    if (goes && (recorded || fth_vforked))
        note_new_program(this_process(), &program, strange);
    if (goes && recorded)
        fth_unkept_process_replaced();
    if (recorded) {
        if (goes)
            record_replacement(exec, fth_ticks(), 0);
        fth_process_ended(FTH_END_EXEC, 0);
    }
    uint64_t begin = recorded ? fth_ticks() : 0;
    call_real(exec, with_us);
    int error = errno;
    fth_environment_done(with_us, environment);
    if (recorded) {
        fth_process_ended(FTH_END_UNKNOWN, 0);
        record_replacement(exec, begin, error);
    }
    errno = error;
    return -1;
}

#define REPLACEMENT(call, ...)                                                                     \
    &(struct replacement)                                                                          \
    {                                                                                              \
        FTH_CALL_##call, FTH_CONTEXT_##call, __VA_ARGS__                                           \
    }

FTH_PUBLIC int execve(const char *path, char *const arguments[], char *const environment[])
{
    return replace(REPLACEMENT(execve, BY_PATH, .name = path, .arguments = arguments), environment);
}

FTH_PUBLIC int execv(const char *path, char *const arguments[])
{
    return replace(REPLACEMENT(execv, BY_PATH, .name = path, .arguments = arguments), environ);
}

FTH_PUBLIC int execvp(const char *file, char *const arguments[])
{
    return replace(REPLACEMENT(execvp, BY_NAME, .name = file, .arguments = arguments), environ);
}

FTH_PUBLIC int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    return replace(REPLACEMENT(execvpe, BY_NAME, .name = file, .arguments = arguments),
                   environment);
}

FTH_PUBLIC int fexecve(int file, char *const arguments[], char *const environment[])
{
    return replace(REPLACEMENT(fexecve, BY_DESCRIPTOR, .descriptor = file, .arguments = arguments),
                   environment);
}

FTH_PUBLIC int execveat(int directory, const char *path, char *const arguments[],
                        char *const environment[], int flags)
{
    return replace(REPLACEMENT(execveat, BY_DIRECTORY, .descriptor = directory, .name = path,
                               .arguments = arguments, .flags = flags),
                   environment);
}

/* execl's arguments up to their NULL, from `first` on. */
static size_t count_arguments(const char *first, va_list arguments)
{
    size_t count = 0;
    for (const char *argument = first; argument; argument = va_arg(arguments, const char *))
        count++;
    return count;
}

/* Leaves `from` behind the NULL, where execle has its environment. */
static void take_arguments(char **to, const char *first, va_list *from)
{
    for (const char *argument = first; argument; argument = va_arg(*from, const char *))
        *to++ = (char *)argument;
    *to = NULL;
}

#define TAKE_ARGUMENTS(first, list)                                                                \
    va_list counted, list;                                                                         \
    va_start(counted, first);                                                                      \
    size_t count = count_arguments(first, counted);                                                \
    va_end(counted);                                                                               \
    char *arguments[count + 1];                                                                    \
    va_start(list, first);                                                                         \
    take_arguments(arguments, first, &list)

FTH_PUBLIC int execl(const char *path, const char *argument, ...)
{
    TAKE_ARGUMENTS(argument, list);
    va_end(list);
    return replace(REPLACEMENT(execl, BY_PATH, true, .name = path, .arguments = arguments),
                   environ);
}

FTH_PUBLIC int execle(const char *path, const char *argument, ...)
{
    TAKE_ARGUMENTS(argument, list);
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return replace(REPLACEMENT(execle, BY_PATH, true, .name = path, .arguments = arguments),
                   environment);
}

FTH_PUBLIC int execlp(const char *file, const char *argument, ...)
{
    TAKE_ARGUMENTS(argument, list);
    va_end(list);
    return replace(REPLACEMENT(execlp, BY_NAME, true, .name = file, .arguments = arguments),
                   environ);
}

/* ---- another program in another process ---- */

/* Keeps what all spawns have behind their first parameter, and commits. */
static void record_spawn(struct fth_draft *call, const char *name, char *const *arguments,
                         int result)
{
    fth_keep(call, fth_text(call, name));
    fth_keep(call, fth_texts(call, arguments));
    fth_keep(call, result);
    fth_commit(call);
}

typedef int spawner(pid_t *, const char *, const posix_spawn_file_actions_t *,
                    const posix_spawnattr_t *, char *const[], char *const[]);

struct spawn {
    uint32_t function, context;
    spawner *real;
    bool in_path, descriptor; /* the name is looked for in PATH; a pidfd is made, not a pid */
};

static const char *spawn_is_strange(const struct fth_new_program *program)
{
    bool can_be_asked = fth_environment_is_passed_on() && fth_is_readable_text(program->path) &&
                        (!program->arguments || fth_are_readable_texts(program->arguments)) &&
                        fth_environment_is_readable(program->environment);
    return can_be_asked ? fth_new_program_is_strange(program) : NULL;
}

static int spawn(const struct spawn *kind, pid_t *made, const char *name,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const arguments[], char *const environment[])
{
    struct fth_draft call;
    const struct fth_new_program program = {.directory = AT_FDCWD,
                                            .path = name,
                                            .in_path = kind->in_path,
                                            .arguments = arguments,
                                            .environment = environment};
    fth_process_is_recorded(); /* the new program learns which image it comes from */
    const char *strange = spawn_is_strange(&program);
    char **with_us = environment_for(environment, strange);
    bool recorded = fth_begin(&call, kind->function, kind->context);
    if (recorded)
        fth_start(&call);
    int result = kind->real(made, name, actions, attributes, arguments, with_us);
    if (recorded) {
        fth_end(&call);
        call.worked = result == 0;
        fth_note_handed_over(&call);
        if (!kind->in_path)
            fth_note_directory(&call, fth_given_text(&call, name));
        if (kind->descriptor) {
            int32_t slot = result ? FTH_SLOT_UNKNOWN
                                  : fth_open_descriptor(FTH_CLASS_fd, *made, NULL, AT_FDCWD);
            fth_keep(&call, result ? FTH_FAILED + result : slot);
            fth_keep(&call, result ? 0 : *made - slot);
        } else {
            fth_keep(&call, made && !result ? *made : FTH_ABSENT);
        }
        record_spawn(&call, name, arguments, result);
    }
    if (result == 0 && made && !kind->descriptor)
        note_new_program(*made, &program, strange);
    fth_environment_done(with_us, environment);
    return result;
}

#define SPAWN(call, ...)                                                                           \
    &(struct spawn)                                                                                \
    {                                                                                              \
        FTH_CALL_##call, FTH_CONTEXT_##call, REAL(call), __VA_ARGS__                               \
    }

/* The program's calls on what is opened for it are recorded, but not that it is cut off. */
FTH_PUBLIC int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int file,
                                                const char *path, int flags, mode_t mode)
{
    static void *real;
    static bool noted;
    __typeof__(&posix_spawn_file_actions_addopen) add =
        (__typeof__(add))fth_find_real(&real, "posix_spawn_file_actions_addopen");
    int result = add(actions, file, path, flags, mode);
    if (result == 0 && (flags & O_TRUNC) && strncmp(path, "/dev/", 5) != 0 &&
        fth_process_is_recorded() && !__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
        fth_process_note("unseen=", "files that posix_spawn opens for a program and truncates");
    return result;
}

FTH_PUBLIC int posix_spawn(pid_t *restrict child, const char *restrict path,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attributes,
                           char *const arguments[restrict], char *const environment[restrict])
{
    return spawn(SPAWN(posix_spawn, false, false), child, path, actions, attributes, arguments,
                 environment);
}

FTH_PUBLIC int posix_spawnp(pid_t *child, const char *file,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const arguments[],
                            char *const environment[])
{
    return spawn(SPAWN(posix_spawnp, true, false), child, file, actions, attributes, arguments,
                 environment);
}

#if __GLIBC_PREREQ(2, 39)
static void *real_pidfd_spawn, *real_pidfd_spawnp;

FTH_PUBLIC int pidfd_spawn(int *restrict pidfd, const char *restrict path,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attributes,
                           char *const arguments[restrict], char *const environment[restrict])
{
    return spawn(SPAWN(pidfd_spawn, false, true), pidfd, path, actions, attributes, arguments,
                 environment);
}

FTH_PUBLIC int pidfd_spawnp(int *restrict pidfd, const char *restrict file,
                            const posix_spawn_file_actions_t *restrict actions,
                            const posix_spawnattr_t *restrict attributes,
                            char *const arguments[restrict], char *const environment[restrict])
{
    return spawn(SPAWN(pidfd_spawnp, true, true), pidfd, file, actions, attributes, arguments,
                 environment);
}
#endif
