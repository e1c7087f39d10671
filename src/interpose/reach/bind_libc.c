/* The intercepted functions of libc, as a library to bind. Preloading finds ours first, except
 * in libraries loaded with RTLD_DEEPBIND, which look in libc first, in programs that are already
 * running (attach), and where a program asks for a function by a handle of libc (ctypes of Python
 * does). Our own symbol table lists these functions. */
#include "interpose/own/own_memory.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

enum { MOST_CALLS = 1024 };

/* What the linker looks through for our symbols. */
struct own_symbols {
    const ElfW(Sym) * symbols;
    const char *strings;
    uint32_t count;
};

/* The table of hashes ends where the longest chain of symbols does. */
static uint32_t count_symbols(const uint32_t *hashes)
{
    uint32_t buckets = hashes[0], first = hashes[1], filter_words = hashes[2], last = 0;
    const uint32_t *bucket = (const uint32_t *)((const ElfW(Addr) *)(hashes + 4) + filter_words);
    const uint32_t *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < first)
        return 0;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

static bool find_own_symbols(struct own_symbols *own)
{
    Dl_info info;
    const struct link_map *us = NULL;
    if (!dladdr1((void *)fth_libc_calls, &info, (void **)&us, RTLD_DL_LINKMAP) || !us)
        return false;
    for (const ElfW(Dyn) *entry = us->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SYMTAB)
            own->symbols = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRTAB)
            own->strings = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_GNU_HASH)
            own->count = count_symbols((const void *)entry->d_un.d_ptr);
    return own->symbols && own->strings && own->count;
}

static bool is_wrapper(const ElfW(Sym) * symbol, const char *name)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
           strncmp(name, "fth_", 4) != 0;
}

static unsigned list_calls(const struct own_symbols *own, struct fth_bound_call *calls,
                           void **reals)
{
    unsigned count = 0;
    Dl_info us;
    dladdr((void *)fth_libc_calls, &us);
    for (uint32_t i = 1; i < own->count && count < MOST_CALLS; i++) {
        const char *name = own->strings + own->symbols[i].st_name;
        if (!is_wrapper(&own->symbols[i], name))
            continue;
        reals[count] = fth_real_dlsym(RTLD_NEXT, name);
        if (reals[count])
            calls[count] = (struct fth_bound_call){
                name, (char *)us.dli_fbase + own->symbols[i].st_value, &reals[count], NULL};
        count += reals[count] != NULL;
    }
    return count;
}

bool fth_libc_calls(struct fth_bound_library *library)
{
    struct own_symbols own = {0};
    struct {
        struct fth_bound_call calls[MOST_CALLS];
        void *reals[MOST_CALLS];
    } *made = find_own_symbols(&own) ? fth_map_memory(sizeof *made) : NULL;
    if (!made)
        return false;
    *library = (struct fth_bound_library){
        .prefix = "", .calls = made->calls, .count = list_calls(&own, made->calls, made->reals)};
    return true;
}

/* ---- asked by a handle ---- */

/* dladdr looks through all symbols, for microseconds: it is asked once where libc lies. */
static bool is_of_libc(const void *function)
{
    static uintptr_t begin, end;
    uintptr_t address = (uintptr_t)function;
    Dl_info libc;
    if (!__atomic_load_n(&end, __ATOMIC_ACQUIRE) && dladdr((void *)gnu_get_libc_version, &libc)) {
        const ElfW(Ehdr) *header = libc.dli_fbase;
        const ElfW(Phdr) *part = (const void *)((const char *)libc.dli_fbase + header->e_phoff);
        uintptr_t last = 0;
        for (unsigned i = 0; i < header->e_phnum; i++)
            if (part[i].p_type == PT_LOAD && part[i].p_vaddr + part[i].p_memsz > last)
                last = part[i].p_vaddr + part[i].p_memsz;
        __atomic_store_n(&begin, (uintptr_t)header, __ATOMIC_RELAXED);
        __atomic_store_n(&end, (uintptr_t)header + last, __ATOMIC_RELEASE);
    }
    return address >= begin && address < end;
}

/* Made by the first who asks; who asks at the same time makes another one, which stays. */
static const struct fth_bound_library *known_calls(void)
{
    static struct fth_bound_library *known;
    struct fth_bound_library *calls = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    if (calls)
        return calls;
    calls = fth_map_memory(sizeof *calls);
    if (!calls || !fth_libc_calls(calls))
        return NULL;
    __atomic_store_n(&known, calls, __ATOMIC_RELEASE);
    return calls;
}

void *fth_libc_wrapper(const char *name, const void *function)
{
    const struct fth_bound_library *known = is_of_libc(function) ? known_calls() : NULL;
    for (unsigned i = 0; known && i < known->count; i++)
        if (strcmp(known->calls[i].name, name) == 0)
            return function == *known->calls[i].real ? known->calls[i].wrapper : NULL;
    return NULL;
}
