/* The tables by which libc reaches what is underneath its streams ("jump tables" in libio.h). They
 * are data, mostly read-only since it was relocated: every word of it that is the address of one of
 * the functions is taken for an entry. */
#include "interpose/reach/stdio_tables.h"

#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libc's initialized data, and the part of it that is read-only since it was relocated. */
struct data {
    uintptr_t inside; /* an address in libc */
    uintptr_t *start, *end;
    uintptr_t sealed, sealed_end;
};

static int find_data(struct dl_phdr_info *object, size_t size, void *found)
{
    struct data *data = found;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool is_libc = false;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        is_libc |= header->p_type == PT_LOAD && data->inside >= start &&
                   data->inside < start + header->p_memsz;
    }
    for (unsigned i = 0; is_libc && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && (header->p_flags & PF_W)) {
            data->start = (uintptr_t *)((start + sizeof start - 1) & -sizeof start);
            data->end = (uintptr_t *)((start + header->p_filesz) & -sizeof start);
        } else if (header->p_type == PT_GNU_RELRO) {
            data->sealed = start & -page;
            data->sealed_end = (start + header->p_memsz) & -page;
        }
    }
    return is_libc;
}

/* Addresses of functions that are near each other: most words are seen not to be one of them by
 * one comparison. */
struct range {
    uintptr_t first, last;
};

static void reach(struct range *range, uintptr_t address)
{
    range->first = range->last && range->first < address ? range->first : address;
    range->last = range->last > address ? range->last : address;
}

static bool is_in(const struct range *range, uintptr_t word)
{
    return word - range->first <= range->last - range->first;
}

static unsigned replace_entries(const struct data *data, const struct fth_stdio_entry *entries,
                                unsigned count, bool back)
{
    unsigned replaced = 0;
    struct range reals = {0}, wrappers = {0};
    for (unsigned i = 0; i < count; i++) {
        reach(&reals, (uintptr_t)*entries[i].real);
        reach(&wrappers, (uintptr_t)entries[i].wrapper);
    }
    for (uintptr_t *word = data->start; word < data->end; word++)
        for (unsigned i = is_in(&reals, *word) || is_in(&wrappers, *word) ? 0 : count; i < count;
             i++)
            if (*word == (uintptr_t)entries[i].wrapper || *word == (uintptr_t)*entries[i].real) {
                __atomic_store_n(word, (uintptr_t)(back ? *entries[i].real : entries[i].wrapper),
                                 __ATOMIC_RELEASE);
                replaced++;
                break;
            }
    return replaced;
}

static bool protect(const struct data *data, int protection)
{
    size_t length = data->sealed_end - data->sealed;
    return length == 0 || syscall(SYS_mprotect, data->sealed, length, protection) == 0;
}

bool fth_stdio_replace(const struct fth_stdio_entry *entries, unsigned count,
                       void (*found)(unsigned entry, void *real))
{
    struct data data = {0};
    int before = errno;
    bool is_known = true, is_done = false;
    for (unsigned i = 0; i < count; i++) {
        *entries[i].real = dlsym(RTLD_NEXT, entries[i].name);
        is_known &= *entries[i].real != NULL;
        found(i, *entries[i].real);
    }
    data.inside = (uintptr_t)*entries[0].real;
    if (is_known && fth_real_iterate(find_data, &data) && data.start &&
        protect(&data, PROT_READ | PROT_WRITE)) {
        is_done = replace_entries(&data, entries, count, false) >= count;
        protect(&data, PROT_READ);
    }
    errno = before;
    return is_done;
}

void fth_stdio_restore(const struct fth_stdio_entry *entries, unsigned count)
{
    struct data data = {.inside = (uintptr_t)*entries[0].real};
    int before = errno;
    if (fth_real_iterate(find_data, &data) && data.start &&
        protect(&data, PROT_READ | PROT_WRITE)) {
        replace_entries(&data, entries, count, true);
        protect(&data, PROT_READ);
    }
    errno = before;
}
