/* The symbols of an ELF file in memory. Everything in it is checked against its size. */
#ifndef FTH_BASE_ELF_H
#define FTH_BASE_ELF_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

struct fth_elf_symbols {
    const ElfW(Sym) * list;
    size_t count;
    const char *names; /* ends with a zero */
    size_t name_bytes;
    bool is_whole; /* else the file was stripped, and these are those that the loader needs */
};

/* The table of symbols. `file` is aligned as a page is. False: there is none, or it is damaged. */
bool fth_elf_symbols(const void *file, size_t bytes, struct fth_elf_symbols *symbols);

/* "" where the name of a symbol is not in the file. */
static inline const char *fth_elf_name(const struct fth_elf_symbols *symbols,
                                       const ElfW(Sym) * symbol)
{
    return symbol->st_name < symbols->name_bytes ? symbols->names + symbol->st_name : "";
}

/* Are there `length` bytes at `at`, where numbers of 8 bytes may stand? */
static inline bool fth_elf_has(size_t bytes, uint64_t at, uint64_t length)
{
    return at % 8 == 0 && at <= bytes && length <= bytes - at;
}

#endif
