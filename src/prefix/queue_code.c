/* The objects of a process, and what has been found in their files. */
#include "prefix/queue_code.h"

#include "prefix/code_file.h"
#include "prefix/queue_instructions.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- what others have looked at: the file `code` of the instance ---- */

enum { KNOWN = 8192, TRIES = 16 };

static uint64_t *known; /* of files: a number with a bit that says what was found; 0: none */

void fth_prefix_begin_queue_code(int folder)
{
    int file = openat(folder, "code", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    void *map =
        file < 0 || posix_fallocate(file, 0, KNOWN * sizeof *known)
            ? MAP_FAILED
            : mmap(NULL, KNOWN * sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    known = map == MAP_FAILED ? NULL : map;
}

static uint64_t mix(uint64_t number, uint64_t more)
{
    number = (number ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ number >> 29;
}

/* Even, and not 0. */
static uint64_t number_of(const struct stat *facts)
{
    uint64_t number =
        mix(mix(mix(facts->st_dev, facts->st_ino), (uint64_t)facts->st_size),
            (uint64_t)facts->st_ctim.tv_sec * 1000000000 + (uint64_t)facts->st_ctim.tv_nsec);
    return number < 2 ? 2 : number & ~UINT64_C(1);
}

static bool is_known(uint64_t number, bool *has)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t found = __atomic_load_n(&known[(number / 2 + i) % KNOWN], __ATOMIC_RELAXED);
        *has = found & 1;
        if ((found & ~UINT64_C(1)) == number)
            return true;
    }
    return false;
}

static void remember(uint64_t number, bool has)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t none = 0;
        if (__atomic_compare_exchange_n(&known[(number / 2 + i) % KNOWN], &none, number | has,
                                        false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

/* ---- objects ---- */

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD &&
            address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

/* libc and the dynamic linker make no queue but by syscall(2), which is wrapped. Ours knows the
 * numbers, and makes none. What has no file is the system's. */
static bool is_of_others(const struct dl_phdr_info *object)
{
    const char *path = object->dlpi_name, *name = strrchr(path, '/');
    if (has_address(object, (uintptr_t)gnu_get_libc_version) ||
        (*path && object->dlpi_addr == getauxval(AT_BASE)))
        return false;
    return !*path || (name && strncmp(name, "/libfathom", 10) != 0);
}

static bool look_at_memory(const struct dl_phdr_info *object)
{
    const struct fth_code code = {object->dlpi_addr, object->dlpi_phdr, object->dlpi_phnum};
    return fth_code_makes_queues(&code, NULL);
}

static bool look_at_object(const struct dl_phdr_info *object)
{
    const char *path = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
    struct stat facts;
    bool has;
    if (!is_of_others(object))
        return false;
    int file = known ? open(path, O_PATH | O_CLOEXEC) : -1;
    bool is_file = file >= 0 && fstat(file, &facts) == 0;
    if (file >= 0)
        close(file);
    if (is_file && is_known(number_of(&facts), &has))
        return has;
    has = look_at_memory(object);
    if (is_file)
        remember(number_of(&facts), has);
    return has;
}

static unsigned long long loaded; /* objects, ever, at the last look */

struct look {
    unsigned long long before;
    bool has;
};

static int look_at_next(struct dl_phdr_info *object, size_t size, void *data)
{
    struct look *look = data;
    (void)size;
    if (object->dlpi_adds == look->before)
        return 1;
    loaded = object->dlpi_adds;
    look->has = look_at_object(object);
    return look->has;
}

bool fth_prefix_has_queue_code(void)
{
    struct look look = {.before = loaded};
    dl_iterate_phdr(look_at_next, &look);
    return look.has;
}

/* ---- files that come ---- */

/* What is no library fails in the linker. */
static bool look_at_file(int file)
{
    struct fth_code_file mapped;
    if (!fth_code_file_map(file, &mapped))
        return false;
    bool has = fth_code_makes_queues(&mapped.code, NULL);
    fth_code_file_unmap(&mapped);
    return has;
}

bool fth_prefix_file_has_queue_code(const char *path)
{
    struct stat facts;
    bool has = false;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
        !(known && is_known(number_of(&facts), &has))) {
        has = look_at_file(file);
        if (known)
            remember(number_of(&facts), has);
    }
    close(file);
    return has;
}
