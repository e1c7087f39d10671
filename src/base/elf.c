/* Finds the symbol table of an ELF file and its strings. */
#include "base/elf.h"

#include <string.h>

bool fth_elf_symbols(const void *file, size_t bytes, struct fth_elf_symbols *symbols)
{
    const ElfW(Ehdr) *header = file;
    const ElfW(Shdr) * sections, *found = NULL;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !fth_elf_has(bytes, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections))
        return false;
    sections = (const void *)((const char *)file + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && !found))
            found = &sections[i];
    if (!found || found->sh_link >= header->e_shnum ||
        !fth_elf_has(bytes, found->sh_offset, found->sh_size))
        return false;
    const ElfW(Shdr) *names = &sections[found->sh_link];
    if (names->sh_offset > bytes || names->sh_size > bytes - names->sh_offset || !names->sh_size)
        return false;
    symbols->list = (const void *)((const char *)file + found->sh_offset);
    symbols->count = found->sh_size / sizeof *symbols->list;
    symbols->names = (const char *)file + names->sh_offset;
    symbols->name_bytes = names->sh_size;
    symbols->is_whole = found->sh_type == SHT_SYMTAB;
    return symbols->names[symbols->name_bytes - 1] == 0;
}
