/* Which dynamic loader a program names (System V gABI, "Program Interpreter"): that of glibc
 * honours LD_PRELOAD and has what the tracer needs. Others do honour it, and end the program for
 * what they cannot find. Used by the tracer, too: nothing here allocates. */
#ifndef FTH_TRACE_PROGRAM_LOADER_H
#define FTH_TRACE_PROGRAM_LOADER_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __x86_64__
#define FTH_ELF_MACHINE EM_X86_64
#elif defined __aarch64__
#define FTH_ELF_MACHINE EM_AARCH64
#endif

/* Loaders of other C libraries, by how the names of their files begin. */
static const char *const fth_other_loaders[] = {"ld-musl-", "ld-uClibc", "ld64-uClibc", "linker64",
                                                "linker_asan64"};

static inline bool fth_head_is_elf(const char *head, size_t length)
{
    return length >= sizeof(Elf64_Ehdr) && memcmp(head, ELFMAG, SELFMAG) == 0;
}

/* Made for another kind of processor, or for another width of it? `head`: the start of a program's
 * file. */
static inline bool fth_head_is_foreign(const char *head)
{
    Elf64_Ehdr elf;
    memcpy(&elf, head, sizeof elf);
    return elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != FTH_ELF_MACHINE;
}

/* The loader that the program names, if that stands in the start of its file, where linkers put it;
 * else NULL. `head` ends with a zero. */
static inline const char *fth_head_loader(const char *head, size_t length)
{
    Elf64_Ehdr elf;
    memcpy(&elf, head, sizeof elf);
    for (uint64_t i = 0; i < elf.e_phnum; i++) {
        Elf64_Phdr header;
        if (elf.e_phentsize != sizeof header || elf.e_phoff > length ||
            (i + 1) * sizeof header > length - elf.e_phoff)
            return NULL;
        memcpy(&header, head + elf.e_phoff + i * sizeof header, sizeof header);
        if (header.p_type == PT_INTERP)
            return header.p_offset < length ? head + header.p_offset : NULL;
    }
    return NULL;
}

static inline bool fth_is_other_loader(const char *loader)
{
    const char *slash = strrchr(loader, '/'), *name = slash ? slash + 1 : loader;
    for (size_t i = 0; i < sizeof fth_other_loaders / sizeof *fth_other_loaders; i++)
        if (strncmp(name, fth_other_loaders[i], strlen(fth_other_loaders[i])) == 0)
            return true;
    return false;
}

/* "#! /bin/sh -e" in place to "/bin/sh"; NULL: no script. `head` ends with a zero. */
static inline char *fth_head_interpreter(char *head)
{
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    head[strcspn(head, "\n")] = 0;
    char *name = head + 2;
    while (*name == ' ' || *name == '\t')
        name++;
    name[strcspn(name, " \t")] = 0;
    return *name ? name : NULL;
}

#endif
