/* Looks at programs without running them: the dynamic loader honours LD_PRELOAD only in programs that name it (PT_INTERP) and
 * that have no rights beyond those of their user (ld.so(8), secure-execution mode). */
#include "trace/program.h"

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

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#endif

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

enum kind { DYNAMIC, STATIC, FOREIGN };

static enum kind kind_of(const char *path, const Elf64_Ehdr *head)
{
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != MACHINE)
        return FOREIGN;
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

/* "#! /bin/sh -e" in place to "/bin/sh"; NULL: no script. */
static char *interpreter_of(char *head)
{
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    head[strcspn(head, "\n")] = 0;
    char *name = head + 2 + strspn(head + 2, " \t");
    name[strcspn(name, " \t")] = 0;
    return *name ? name : NULL;
}

bool fth_program_is_unseen(const char *path, char *why, size_t size)
{
    char head[HEAD + 1], current[HEAD + 1];
    Elf64_Ehdr elf;
    snprintf(current, sizeof current, "%s", path);
    for (int depth = 0; depth <= MOST_SCRIPTS; depth++) {
        if (has_rights_of_its_own(current)) {
            snprintf(why, size,
                     "%s runs with rights of its own (setuid, setgid or capabilities): the "
                     "system lets no tracer into it",
                     current);
            return true;
        }
        size_t length = read_head(current, head);
        const char *interpreter = interpreter_of(head);
        if (interpreter) {
            snprintf(current, sizeof current, "%s", interpreter);
            continue;
        }
        memcpy(&elf, head, sizeof elf);
        if (length < sizeof elf || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0)
            return false;
        enum kind kind = kind_of(current, &elf);
        if (kind == STATIC)
            snprintf(why, size, "%s is a static program: it does not load the tracer", current);
        else if (kind == FOREIGN)
            snprintf(why, size, "%s is made for another kind of processor than the tracer",
                     current);
        return kind != DYNAMIC;
    }
    return false;
}
