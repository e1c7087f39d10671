/* The intercepted functions of libc, as a library to bind. Preloading finds ours first, except
 * in libraries loaded with RTLD_DEEPBIND, which look in libc first, and in programs that are
 * already running (attach). Our own symbol table lists these functions. */
#include "interpose/own/own_memory.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <elf.h>
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
