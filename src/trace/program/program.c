/* Looks at programs without running them: the dynamic loader honours LD_PRELOAD only in programs
 * that name it (PT_INTERP) and that have no rights beyond those of their user (ld.so(8),
 * secure-execution mode). */
#include "trace/program/program.h"

#include "trace/program/loader.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
    HEAD = 4096,
    MOST_HEADERS = 256,
    MOST_SCRIPTS = 4, /* as many interpreters of interpreters as Linux allows */
};

static bool can_be_run(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool fth_program_find(const char *name, char *path, size_t size)
{
    const char *at = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, size, "%s", name);
        return strlen(name) < size && can_be_run(path);
    }
    for (at = at ? at : "/bin:/usr/bin"; *name; at++) {
        int folder = (int)(strchrnul(at, ':') - at);
        int length = snprintf(path, size, "%.*s%s%s", folder, at, folder ? "/" : "", name);
        if (length > 0 && (size_t)length < size && can_be_run(path))
            return true;
        at += folder;
        if (!*at)
            break;
    }
    return false;
}

/* The first bytes of a file; 0 when it cannot be read. */
static size_t read_head(const char *path, char head[HEAD + 1])
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    ssize_t length = file < 0 ? -1 : read(file, head, HEAD);
    if (file >= 0)
        close(file);
    head[length > 0 ? length : 0] = 0;
    return length > 0 ? (size_t)length : 0;
}

static bool has_rights_of_its_own(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    return ((status.st_mode & S_ISUID) && status.st_uid != getuid()) ||
           ((status.st_mode & S_ISGID) && status.st_gid != getgid()) ||
           (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

enum kind { DYNAMIC, STATIC, FOREIGN, OTHER_LIBC };

/* `start`: of its file, `bytes` of it. */
static enum kind kind_of(const char *path, const char *start, size_t bytes)
{
    Elf64_Ehdr elf, *head = &elf;
    const char *loader;
    memcpy(&elf, start, sizeof elf);
    if (fth_head_is_foreign(start))
        return FOREIGN;
    loader = fth_head_loader(start, bytes);
    if (loader)
        return fth_is_other_loader(loader) ? OTHER_LIBC : DYNAMIC;
    static Elf64_Phdr headers[MOST_HEADERS];
    size_t count = head->e_phnum < MOST_HEADERS ? head->e_phnum : MOST_HEADERS;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length =
        file < 0 ? -1 : pread(file, headers, count * sizeof *headers, (off_t)head->e_phoff);
    if (file >= 0)
        close(file);
    if (head->e_phentsize != sizeof *headers || length != (ssize_t)(count * sizeof *headers))
        return DYNAMIC; /* broken: it is for the kernel to say so */
    for (size_t i = 0; i < count; i++)
        if (headers[i].p_type == PT_INTERP)
            return DYNAMIC;
    return STATIC;
}

/* Follows scripts to what interprets them: leaves that in `current`. DYNAMIC also for what cannot
 * be known. */
static enum kind follow(const char *path, char current[HEAD + 1], bool *has_rights)
{
    char head[HEAD + 1];
    snprintf(current, HEAD + 1, "%s", path);
    for (int depth = 0; depth <= MOST_SCRIPTS; depth++) {
        *has_rights = has_rights_of_its_own(current);
        size_t length = read_head(current, head);
        const char *interpreter = fth_head_interpreter(head);
        if (*has_rights)
            return DYNAMIC;
        if (!interpreter)
            return fth_head_is_elf(head, length) ? kind_of(current, head, length) : DYNAMIC;
        snprintf(current, HEAD + 1, "%s", interpreter);
    }
    return DYNAMIC;
}

bool fth_program_is_unseen(const char *path, char *why, size_t size)
{
    static const struct fth_stranger other_libc = FTH_STRANGER_OTHER_LIBC,
                                     foreign = FTH_STRANGER_FOREIGN;
    char current[HEAD + 1];
    bool has_rights;
    enum kind kind = follow(path, current, &has_rights);
    if (has_rights)
        snprintf(why, size,
                 "%s is privileged (setuid, setgid or capabilities): the system does not preload "
                 "the tracer",
                 current);
    else if (kind == STATIC)
        snprintf(why, size, "%s is a static program: it does not load the tracer", current);
    else if (kind == FOREIGN)
        snprintf(why, size, "%s is %s", current, foreign.why);
    else if (kind == OTHER_LIBC)
        snprintf(why, size, "%s is %s", current, other_libc.why);
    return has_rights || kind != DYNAMIC;
}

bool fth_program_refuses_tracer(const char *path)
{
    char current[HEAD + 1];
    bool has_rights;
    enum kind kind = follow(path, current, &has_rights);
    return kind == FOREIGN || kind == OTHER_LIBC;
}
