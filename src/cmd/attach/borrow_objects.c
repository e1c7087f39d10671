/* What a running program consists of, and whether the tracer can come into it at all. */
#include "base/memory.h"
#include "cmd/attach/borrow.h"
#include "trace/program/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 100 }; /* looks at who traces it, 10 ms apart */

/* ---- files of the program ---- */

/* A file as it is in memory; NULL: it cannot be read. */
struct image {
    const uint8_t *bytes;
    size_t size;
};

static bool open_image(struct image *image, pid_t pid, const char *path)
{
    char seen[PATH_MAX + 32];
    struct stat status;
    snprintf(seen, sizeof seen, "/proc/%d/root%s", (int)pid, path); /* it may have another root */
    int file = open(seen, O_RDONLY | O_CLOEXEC);
    image->bytes = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        image->size = (size_t)status.st_size;
        void *memory = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, file, 0);
        image->bytes = memory == MAP_FAILED ? NULL : memory;
    }
    if (file >= 0)
        close(file);
    return image->bytes != NULL;
}

static void close_image(struct image *image)
{
    munmap((void *)(uintptr_t)image->bytes, image->size);
}

/* `count` items of this size at this place, if the file has them. */
static const void *part(const struct image *image, uint64_t at, uint64_t count, uint64_t size)
{
    if (at > image->size || (count && size > (image->size - at) / count) || at % 8)
        return NULL;
    return image->bytes + at;
}

/* The value of a function's symbol, 0: it defines none of this name. */
static uint64_t find_symbol(const struct image *image, const char *name)
{
    const Elf64_Ehdr *head = (const void *)image->bytes;
    const Elf64_Shdr *sections = part(image, head->e_shoff, head->e_shnum, sizeof *sections);
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shentsize != sizeof *sections)
        return 0;
    for (unsigned i = 0; sections && i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= head->e_shnum)
            continue;
        const Elf64_Shdr *names = &sections[sections[i].sh_link];
        uint64_t count = sections[i].sh_size / sizeof(Elf64_Sym);
        const Elf64_Sym *symbols = part(image, sections[i].sh_offset, count, sizeof *symbols);
        if (!symbols || names->sh_offset > image->size ||
            names->sh_size > image->size - names->sh_offset)
            continue;
        const char *strings = (const char *)image->bytes + names->sh_offset;
        size_t length = strlen(name) + 1;
        for (uint64_t j = 0; j < count; j++)
            if (ELF64_ST_TYPE(symbols[j].st_info) == STT_FUNC && symbols[j].st_shndx != SHN_UNDEF &&
                symbols[j].st_name < names->sh_size &&
                names->sh_size - symbols[j].st_name >= length &&
                memcmp(strings + symbols[j].st_name, name, length) == 0)
                return symbols[j].st_value;
    }
    return 0;
}

/* The place in memory, counted from the start of the object, of these bytes among its instructions;
 * 0: they are not there. */
static uint64_t find_instructions(const struct image *image, const void *bytes, size_t size)
{
    const Elf64_Ehdr *head = (const void *)image->bytes;
    const Elf64_Phdr *parts = part(image, head->e_phoff, head->e_phnum, sizeof *parts);
    for (unsigned i = 0; parts && i < head->e_phnum; i++) {
        if (parts[i].p_type != PT_LOAD || !(parts[i].p_flags & PF_X) ||
            parts[i].p_offset > image->size || parts[i].p_filesz > image->size - parts[i].p_offset)
            continue;
        const uint8_t *start = image->bytes + parts[i].p_offset;
        const uint8_t *found = memmem(start, parts[i].p_filesz, bytes, size);
        if (found)
            return parts[i].p_vaddr + (uint64_t)(found - start);
    }
    return 0;
}

/* ---- objects ---- */

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const struct fth_borrow_object *fth_borrow_object(const struct fth_borrowed *borrowed,
                                                  const char *object)
{
    for (size_t i = 0; i < borrowed->object_count; i++)
        if (begins(file_of(borrowed->objects[i].path), object))
            return &borrowed->objects[i];
    return NULL;
}

uint64_t fth_borrow_find(const struct fth_borrowed *borrowed, const char *object,
                         const char *function)
{
    const struct fth_borrow_object *in = fth_borrow_object(borrowed, object);
    struct image image;
    if (!in || !open_image(&image, borrowed->pid, in->path))
        return 0;
    uint64_t value = find_symbol(&image, function);
    close_image(&image);
    return value ? in->start + value : 0;
}

/* libc.so.6, and what it was called before 2.34. */
static bool is_libc(const char *file)
{
    return begins(file, "libc.so.6") || begins(file, "libc-2.");
}

static void judge(struct fth_borrow_object *object, pid_t pid)
{
    const char *file = file_of(object->path);
    struct image image;
    object->is_libc = is_libc(file);
    object->loads = begins(file, "ld-") || begins(file, "ld.so") || begins(file, "libfathom");
    object->allocates = object->is_libc;
    if (open_image(&image, pid, object->path)) {
        object->allocates = object->allocates || find_symbol(&image, "malloc");
        close_image(&image);
    }
}

static void add_mapping(struct fth_borrowed *borrowed, uint64_t start, uint64_t end,
                        const char *path)
{
    size_t last = borrowed->object_count;
    if (last && strcmp(borrowed->objects[last - 1].path, path) == 0) {
        borrowed->objects[last - 1].end = end;
        return;
    }
    FTH_GROW(borrowed->objects, borrowed->object_count);
    borrowed->objects[borrowed->object_count++] =
        (struct fth_borrow_object){.path = fth_text_copy(path), .start = start, .end = end};
}

static int list_objects(struct fth_borrowed *borrowed, struct fth_error **error)
{
    char name[64], *line = NULL;
    size_t room = 0;
    snprintf(name, sizeof name, "/proc/%d/maps", (int)borrowed->pid);
    FILE *maps = fopen(name, "re");
    if (!maps)
        return fth_fail_errno(error, "cannot inspect process %d", (int)borrowed->pid);
    while (getline(&line, &room, maps) > 0) {
        uint64_t start, end;
        int path = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &start, &end, &path) == 2 &&
            path && line[path] == '/')
            add_mapping(borrowed, start, end, line + path);
    }
    free(line);
    fclose(maps);
    return 0;
}

static int read_maps(struct fth_borrowed *borrowed, struct fth_error **error)
{
    if (list_objects(borrowed, error))
        return -1;
    for (size_t i = 0; i < borrowed->object_count; i++)
        judge(&borrowed->objects[i], borrowed->pid);
    return 0;
}

uint64_t fth_borrow_stat(pid_t pid, unsigned word)
{
    char name[64], text[1024];
    uint64_t value = 0;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(name, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *at = strrchr(text, ')'); /* the second word, which may have blanks in it */
    for (unsigned i = 2; at && i < word; i++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, " %" SCNu64, &value) == 1 ? value : 0;
}

static bool has_object(const struct fth_borrowed *in, const struct fth_borrow_object *object)
{
    for (size_t i = 0; i < in->object_count; i++)
        if (in->objects[i].start == object->start && strcmp(in->objects[i].path, object->path) == 0)
            return true;
    return false;
}

/* The program itself, and all that is called or decided by: libc, the linker, the tracer. Not
 * ld.so.cache, which the linker maps for a moment. */
static bool stays(const struct fth_borrow_object *object, size_t place)
{
    return place == 0 || object->is_libc || (object->loads && !strstr(object->path, ".cache"));
}

static bool looks_the_same(const struct fth_borrowed *borrowed)
{
    struct fth_borrowed now = {.pid = borrowed->pid};
    bool same = fth_borrow_stat(now.pid, FTH_STAT_START) == borrowed->started &&
                list_objects(&now, NULL) == 0;
    for (size_t i = 0; i < borrowed->object_count && same; i++) {
        const struct fth_borrow_object *object = &borrowed->objects[i];
        same = !stays(object, i) || has_object(&now, object);
    }
    fth_borrow_forget(&now);
    return same;
}

/* Its other threads map memory meanwhile, and then a part may be missing in what the system
 * lists. */
bool fth_borrow_is_same(const struct fth_borrowed *borrowed)
{
    enum { LOOKS = 10 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < LOOKS; i++) {
        if (looks_the_same(borrowed))
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* ---- can it be borrowed from? ---- */

/* A number of /proc/PID/status, or -1. */
static long status_of(pid_t pid, const char *key)
{
    char name[64], line[256];
    long value = -1;
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    FILE *file = fopen(name, "re");
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (begins(line, key) && line[strlen(key)] == ':')
            value = strtol(line + strlen(key) + 1, NULL, 10);
    if (file)
        fclose(file);
    return value;
}

pid_t fth_borrow_tracer(pid_t pid)
{
    long tracer = status_of(pid, "TracerPid");
    return tracer > 0 ? (pid_t)tracer : 0;
}

/* Another `fathom attach` is done with it in a moment; a debugger is not. */
static pid_t await_tracer(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    pid_t tracer = fth_borrow_tracer(pid);
    for (int i = 0; i < PATIENCE && tracer; i++) {
        nanosleep(&pause, NULL);
        tracer = fth_borrow_tracer(pid);
    }
    return tracer;
}

static bool is_stopped(pid_t pid)
{
    char name[64], line[256];
    bool stopped = false;
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file))
        stopped |= begins(line, "State:\tT") || begins(line, "State:\tt");
    if (file)
        fclose(file);
    return stopped;
}

static int check_process(pid_t pid, struct fth_error **error)
{
    char name[64], program[PATH_MAX];
    snprintf(name, sizeof name, "/proc/%d/exe", (int)pid);
    long filters = status_of(pid, "Seccomp_filters");
    pid_t tracer = await_tracer(pid);
    ssize_t length = readlink(name, program, sizeof program - 1);
    if (length < 0 && errno == ENOENT)
        return status_of(pid, "Threads") < 0
                   ? fth_fail(error, "there is no process %d", (int)pid)
                   : fth_fail(error, "%d is not a program: it is a kernel thread, or it has ended",
                              (int)pid);
    if (length < 0)
        return fth_fail(error,
                        "cannot inspect process %d: %s; it belongs to another user or has "
                        "privileges: run this as that user, or as root",
                        (int)pid, strerror(errno));
    program[length] = 0;
    if (tracer > 0)
        return fth_fail(error,
                        "process %d is being traced by process %d (a debugger, strace?): end that "
                        "first",
                        (int)pid, (int)tracer);
    if (is_stopped(pid))
        return fth_fail(error, "process %d is stopped: continue it first (kill -CONT %d)", (int)pid,
                        (int)pid);
    if (status_of(pid, "Seccomp") == 1 || filters > status_of(getpid(), "Seccomp_filters"))
        return fth_fail(
            error, "%s (%d) filters system calls (seccomp), and those of the tracer might kill it",
            program, (int)pid);
    return 0;
}

/* After its objects are known. */
static int check_objects(const struct fth_borrowed *borrowed, struct fth_error **error)
{
    char why[PATH_MAX + 200], program[64], link[PATH_MAX];
    snprintf(program, sizeof program, "/proc/%d/exe", (int)borrowed->pid);
    ssize_t length = readlink(program, link, sizeof link - 1);
    link[length > 0 ? length : 0] = 0;
    if (fth_borrow_object(borrowed, "ld-musl"))
        return fth_fail(error, "%s (%d) runs with musl, and the tracer is made for glibc", link,
                        (int)borrowed->pid);
    if (fth_program_is_unseen(program, why, sizeof why))
        return fth_fail(error, "%s (process %d: %s)",
                        strstr(why, "static") ? "a static program cannot load the tracer"
                                              : "the program has privileges (setuid), or is built "
                                                "for another kind of processor than the tracer",
                        (int)borrowed->pid, link);
    for (size_t i = 0; i < borrowed->object_count; i++)
        if (borrowed->objects[i].is_libc)
            return 0;
    return fth_fail(error, "%s (%d) has no C library that the tracer knows", link,
                    (int)borrowed->pid);
}

#if defined __x86_64__
/* syscall; and: mov $15, %rax; syscall (rt_sigreturn). */
static const uint8_t gate[] = {0x0f, 0x05},
                     restorer[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
#else
static const uint8_t gate[] = {0}, restorer[] = {0};
#endif

static int find_places(struct fth_borrowed *borrowed, struct fth_error **error)
{
    for (size_t i = 0; i < borrowed->object_count; i++) {
        const struct fth_borrow_object *libc = &borrowed->objects[i];
        struct image image;
        if (!libc->is_libc || !open_image(&image, borrowed->pid, libc->path))
            continue;
        uint64_t at = find_instructions(&image, gate, sizeof gate);
        uint64_t back = find_instructions(&image, restorer, sizeof restorer);
        close_image(&image);
        borrowed->gate = at ? libc->start + at : 0;
        borrowed->restorer = back ? libc->start + back : 0;
    }
    return borrowed->gate
               ? 0
               : fth_fail(error, "cannot read the C library of process %d", (int)borrowed->pid);
}

int fth_borrow_look(struct fth_borrowed *borrowed, pid_t pid, struct fth_error **error)
{
    *borrowed = (struct fth_borrowed){.pid = pid, .started = fth_borrow_stat(pid, FTH_STAT_START)};
    if (check_process(pid, error) || read_maps(borrowed, error) || check_objects(borrowed, error) ||
        find_places(borrowed, error)) {
        fth_borrow_forget(borrowed);
        return -1;
    }
    return 0;
}

void fth_borrow_forget(struct fth_borrowed *borrowed)
{
    for (size_t i = 0; i < borrowed->object_count; i++)
        free(borrowed->objects[i].path);
    free(borrowed->objects);
    *borrowed = (struct fth_borrowed){0};
}
