/* Looks for functions of the libraries, and for what `fathom wrap --static` adds, in the symbols
 * of the program. */
#include "trace/program/inside.h"

#include "base/elf.h"
#include "base/memory.h"
#include "catalog/packed.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LIBRARIES = 32 };

/* Every member of the archives of `fathom wrap --static` refers to this one and the name of the
 * library. */
static const char slots[] = "fathom_static_";

static void look_at(const char *name, bool *is_inside, bool *has_slots)
{
    const struct fth_packed_catalog *catalog = &fth_packed_builtin;
    bool are_slots = strncmp(name, slots, sizeof slots - 1) == 0;
    for (size_t i = 0; i < catalog->library_count && i < MOST_LIBRARIES; i++) {
        const struct fth_packed_library *library = &catalog->libraries[i];
        if (strcmp(name, catalog->words + library->symbol) == 0)
            is_inside[i] = true;
        else if (are_slots && strcmp(name + sizeof slots - 1, catalog->words + library->name) == 0)
            has_slots[i] = true;
    }
}

static char *list_names(const struct fth_elf_symbols *symbols)
{
    const struct fth_packed_catalog *catalog = &fth_packed_builtin;
    bool is_inside[MOST_LIBRARIES] = {0}, has_slots[MOST_LIBRARIES] = {0};
    char names[256] = "";
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->list[i].st_shndx != SHN_UNDEF)
            look_at(fth_elf_name(symbols, &symbols->list[i]), is_inside, has_slots);
    for (size_t i = 0; i < catalog->library_count && i < MOST_LIBRARIES; i++) {
        size_t length = strlen(names);
        if (is_inside[i] && !has_slots[i])
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     catalog->words + catalog->libraries[i].name);
    }
    return *names ? fth_text_copy(names) : NULL;
}

char *fth_libraries_inside(const char *path)
{
    struct fth_elf_symbols symbols;
    struct stat facts;
    char *names = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        size_t bytes = (size_t)facts.st_size;
        void *memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            if (fth_elf_symbols(memory, bytes, &symbols) && symbols.is_whole)
                names = list_names(&symbols);
            munmap(memory, bytes);
        }
    }
    close(file);
    return names;
}
