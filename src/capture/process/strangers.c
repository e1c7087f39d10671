/* Looks at a program before it is executed: would its loader, or what it runs in, end it because of
 * us? Then it is started without us, and that is noted. A program whose C library is not glibc, or
 * that is for another processor, cannot load us; valgrind and rr refuse system calls that we make,
 * or show them; a filter of system calls may end a program for them. */
#include "capture/process/strangers.h"

#include "capture/process/process.h"
#include "capture/process/shared_page.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/stack.h"
#include "trace/program/loader.h"
#include "trace/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    HEAD = 1024, /* bytes of a file: headers, and the name of the loader */
    LONGEST = 4096,
    MOST_SCRIPTS = 4, /* as many interpreters of interpreters as Linux allows */
};

static const struct fth_stranger other_libc = FTH_STRANGER_OTHER_LIBC,
                                 foreign = FTH_STRANGER_FOREIGN, emulated = FTH_STRANGER_EMULATED,
                                 filtered = FTH_STRANGER_FILTERED;

/* What runs a program in itself says so in the environment that it gives it. */
static const struct {
    const char *variable;
    struct fth_stranger stranger;
} hosts[] = {{"VALGRIND_LAUNCHER=", FTH_STRANGER_VALGRIND}, {"RUNNING_UNDER_RR=", FTH_STRANGER_RR}};

/* ---- is it there? ---- */

static bool is_program(int directory, const char *path, int flags)
{
    struct stat status;
    return syscall(SYS_newfstatat, directory, path, &status, flags) == 0 &&
           S_ISREG(status.st_mode) &&
           ((flags & AT_EMPTY_PATH) || syscall(SYS_faccessat, directory, path, X_OK) == 0);
}

/* As execvp looks for it. */
static bool find_in_path(const char *name, char path[LONGEST])
{
    const char *at = getenv("PATH");
    size_t length = strlen(name);
    if (!at)
        at = "/bin:/usr/bin";
    for (;; at++) {
        size_t folder = (size_t)(strchrnul(at, ':') - at);
        if (folder + length + 2 <= LONGEST) {
            memcpy(path, at, folder);
            path[folder] = '/';
            memcpy(path + folder + (folder != 0), name, length + 1);
            if (is_program(AT_FDCWD, path, 0))
                return true;
        }
        at += folder;
        if (!*at)
            return false;
    }
}

static bool is_looked_for(const struct fth_new_program *program)
{
    return program->in_path && !strchr(program->path, '/');
}

struct search {
    const char *name;
    bool found;
};

/* On a stack of our own, for the path. */
static void search(void *argument)
{
    struct search *search = argument;
    char path[LONGEST];
    search->found = find_in_path(search->name, path);
}

bool fth_new_program_is_there(const struct fth_new_program *program)
{
    struct search looked_for = {program->path, false};
    if (!is_looked_for(program))
        return is_program(program->directory, program->path, program->flags);
    if (*program->path)
        fth_on_own_stack(search, &looked_for);
    return looked_for.found;
}

/* ---- its file ---- */

struct look {
    const struct fth_new_program *program;
    const char *path;
    bool is_elf;
    const struct fth_stranger *found; /* NULL: nothing strange */
};

static int open_plainly(const char *path)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* NULL: nobody knows, or it is named by a descriptor, which a task of our own does not have. */
static const char *path_of(const struct fth_new_program *program, char room[LONGEST])
{
    if (is_looked_for(program))
        return find_in_path(program->path, room) ? room : NULL;
    bool is_path = *program->path && (program->directory == AT_FDCWD || *program->path == '/');
    return is_path ? program->path : NULL;
}

static const struct fth_stranger *judge(char *head, size_t length)
{
    const char *loader;
    if (!fth_head_is_elf(head, length))
        return NULL;
    if (fth_head_is_foreign(head))
        return &foreign;
    loader = fth_head_loader(head, length);
    return loader && fth_is_other_loader(loader) ? &other_libc : NULL;
}

/* In a task of our own: descriptors are none of the program's. */
static void look_at_file(void *argument)
{
    struct look *look = argument;
    char head[HEAD + 1];
    int file = open_plainly(look->path);
    for (int depth = 0; file >= 0 && depth <= MOST_SCRIPTS; depth++) {
        long length = syscall(SYS_read, file, head, HEAD);
        fth_own_read(length > 0 ? (uint64_t)length : 0);
        head[length > 0 ? length : 0] = 0;
        fth_file_close(file);
        const char *interpreter = fth_head_interpreter(head);
        file = interpreter ? open_plainly(interpreter) : -1;
        if (!interpreter)
            look->found = judge(head, length > 0 ? (size_t)length : 0);
        look->is_elf = !depth && fth_head_is_elf(head, length > 0 ? (size_t)length : 0);
    }
    if (file >= 0)
        fth_file_close(file);
}

/* A number for the file as it is now; 0: nobody knows, or it has changed so lately that it may
 * change once more without being given another time. */
static uint64_t number_of_file(const char *path)
{
    struct stat facts;
    struct timespec now;
    const int64_t settled = 2; /* seconds */
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &facts, 0) != 0 ||
        clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec - facts.st_ctim.tv_sec < settled)
        return 0;
    const uint64_t parts[] = {facts.st_dev, facts.st_ino, (uint64_t)facts.st_size,
                              (uint64_t)facts.st_ctim.tv_sec, (uint64_t)facts.st_ctim.tv_nsec};
    uint64_t number = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        number = (number ^ parts[i]) * 0x9E3779B97F4A7C15u;
        number ^= number >> 29;
    }
    return number;
}

/* Where it is, or can go. */
static uint64_t *place_in_page(uint64_t number)
{
    uint64_t *place = &fth_shared_page->plain[number % FTH_SPILL_PLAIN],
             *other = &fth_shared_page->plain[number % FTH_SPILL_PLAIN ^ 1];
    bool is_other = __atomic_load_n(other, __ATOMIC_RELAXED) == number;
    return is_other || (*place && *place != number && !*other) ? other : place;
}

/* To look at a file takes a task, as long as all else that is done here; a program is started many
 * times, and most are plain. */
static void look_once(void *argument)
{
    struct look *look = argument;
    char room[LONGEST];
    look->path = path_of(look->program, room);
    uint64_t number = look->path && fth_shared_page ? number_of_file(look->path) : 0;
    uint64_t *place = number ? place_in_page(number) : NULL;
    if (!look->path || (place && __atomic_load_n(place, __ATOMIC_RELAXED) == number))
        return;
    fth_apart(look_at_file, look);
    if (place && look->is_elf && !look->found)
        __atomic_store_n(place, number, __ATOMIC_RELAXED);
}

static const struct fth_stranger *look_at(const struct fth_new_program *program)
{
    struct look look = {.program = program};
    fth_on_own_stack(look_once, &look);
    return look.found;
}

/* ---- what it runs in, and what runs in it ---- */

static const struct fth_stranger *find_host(char *const *environment)
{
    for (; environment && *environment; environment++)
        for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
            if (strncmp(*environment, hosts[i].variable, strlen(hosts[i].variable)) == 0)
                return &hosts[i].stranger;
    return NULL;
}

/* An emulator (qemu-aarch64) passes its environment on to a program whose loader would complain
 * about us. */
static bool runs_foreign_program(const struct fth_new_program *program)
{
    static const char emulator[] = "qemu-";
    const char *slash = strrchr(program->path, '/');
    if (strncmp(slash ? slash + 1 : program->path, emulator, sizeof emulator - 1) != 0 ||
        !program->arguments || !program->arguments[0])
        return false;
    for (char *const *word = program->arguments + 1; *word; word++) {
        struct fth_new_program inner = {.directory = AT_FDCWD, .path = *word};
        if (**word != '-' && look_at(&inner) == &foreign)
            return true;
    }
    return false;
}

const char *fth_new_program_is_strange(const struct fth_new_program *program)
{
    int before = errno;
    const struct fth_stranger *found = find_host(program->environment);
    if (!found && fth_is_filtered)
        found = &filtered;
    if (!found && runs_foreign_program(program))
        found = &emulated;
    if (!found)
        found = look_at(program);
    errno = before;
    return found ? found->key : NULL;
}

/* Of the tool that valgrind executes, the program that it is given: its options begin with a dash,
 * and have their values in them. */
const char *fth_new_program_name(const struct fth_new_program *program, const char *key)
{
    if (strcmp(key, hosts[0].stranger.key) != 0 || !program->arguments || !*program->arguments)
        return program->path;
    for (char *const *word = program->arguments + 1; *word; word++)
        if (**word != '-')
            return *word;
    return program->path;
}

/* A request to valgrind (valgrind.h, "client request"): a sequence of instructions that does
 * nothing on a processor. */
static bool is_in_valgrind(void)
{
#if defined __x86_64__
    volatile uint64_t request[6] = {0x1001}; /* VG_USERREQ__RUNNING_ON_VALGRIND */
    uint64_t answer = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "=d"(answer)
                     : "a"(&request[0]), "0"(answer)
                     : "cc", "memory");
    return answer != 0;
#elif defined __aarch64__
    volatile uint64_t request[6] = {0x1001};
    register uint64_t answer __asm__("x3") = 0;
    register volatile uint64_t *arguments __asm__("x4") = request;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, "
                     "#61\n\torr x10, x10, x10"
                     : "+r"(answer)
                     : "r"(arguments)
                     : "cc", "memory");
    return answer != 0;
#else
    return false;
#endif
}

bool fth_is_in_stranger(void)
{
    return is_in_valgrind() || find_host(environ);
}
