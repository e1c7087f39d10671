/* The symbol table of a module's file, mapped when the first of its functions is met, with a table of hashes by address beside it. Threads may do that at the
 * same time: each makes its own, and one of them stays. No lock: a function may be met in any place, in a signal handler, in a forked child. */
#include "capture/functions/symbols.h"

#include "capture/files.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_ID = 64 };

struct symbols {
    struct symbols *next;
    const char *module; /* what fth_code_place calls it */
    const char *file;
    size_t bytes;
    const ElfW(Sym) * list;
    const char *names;
    size_t count, name_bytes;
    uint32_t *by_address; /* numbers of symbols plus one */
    uint32_t mask;
};

static struct symbols *known;

/* ---- the file ---- */

struct mapping {
    const char *path;
    void *memory;
    size_t bytes;
};

static void map_apart(void *argument)
{
    struct mapping *mapping = argument;
    struct stat facts;
    long file = syscall(SYS_openat, AT_FDCWD, mapping->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (file < 0)
        return;
    if (syscall(SYS_fstat, file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        long memory = syscall(SYS_mmap, NULL, facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        mapping->memory = (void *)memory;
        mapping->bytes = (size_t)facts.st_size;
    }
    fth_file_close((int)file);
}

/* Is there room for `bytes` at `at`? */
static bool is_inside(const struct symbols *symbols, uint64_t at, uint64_t bytes)
{
    return at <= symbols->bytes && bytes <= symbols->bytes - at && at % sizeof(uint32_t) == 0;
}

static int value_of(char digit)
{
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' ? digit - 'a' + 10 : 0;
}

/* Is it the file that was loaded? A module without a build-id is believed. */
static bool has_build_id(const struct symbols *symbols, const char *digits)
{
    const ElfW(Ehdr) *header = (const void *)symbols->file;
    const ElfW(Phdr) *segments = (const void *)(symbols->file + header->e_phoff);
    char id[MOST_ID];
    size_t length = strlen(digits) / 2;
    if (!length || length > sizeof id)
        return true;
    for (size_t i = 0; i < length; i++)
        id[i] = (char)(value_of(digits[2 * i]) << 4 | value_of(digits[2 * i + 1]));
    if (!is_inside(symbols, header->e_phoff, (uint64_t)header->e_phnum * sizeof *segments))
        return false;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_NOTE &&
            is_inside(symbols, segments[i].p_offset, segments[i].p_filesz) &&
            memmem(symbols->file + segments[i].p_offset, segments[i].p_filesz, id, length))
            return true;
    return false;
}

/* The whole table of symbols, or, of a file that was stripped, the one that the loader needs. */
static bool find_list(struct symbols *symbols)
{
    const ElfW(Ehdr) *header = (const void *)symbols->file;
    const ElfW(Shdr) * sections, *found = NULL;
    if (symbols->bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shoff % 8 ||
        !is_inside(symbols, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections))
        return false;
    sections = (const void *)(symbols->file + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && !found))
            found = &sections[i];
    if (!found || found->sh_link >= header->e_shnum || found->sh_offset % 8 ||
        !is_inside(symbols, found->sh_offset, found->sh_size))
        return false;
    const ElfW(Shdr) *names = &sections[found->sh_link];
    if (names->sh_offset > symbols->bytes || names->sh_size > symbols->bytes - names->sh_offset ||
        !names->sh_size || symbols->file[names->sh_offset + names->sh_size - 1] != 0)
        return false;
    symbols->list = (const void *)(symbols->file + found->sh_offset);
    symbols->count = found->sh_size / sizeof *symbols->list;
    symbols->names = symbols->file + names->sh_offset;
    symbols->name_bytes = names->sh_size;
    return symbols->count < UINT32_MAX / 4;
}

/* ---- by address ---- */

static uint32_t place_of(const struct symbols *symbols, uint64_t address)
{
    return (uint32_t)(address * 0x9E3779B97F4A7C15u >> 32) & symbols->mask;
}

static bool is_function(const struct symbols *symbols, const ElfW(Sym) * symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value &&
           symbol->st_name < symbols->name_bytes;
}

static bool sort_by_address(struct symbols *symbols)
{
    size_t functions = 0, room = 64;
    for (size_t i = 0; i < symbols->count; i++)
        functions += is_function(symbols, &symbols->list[i]);
    while (room < 2 * functions)
        room *= 2;
    symbols->mask = (uint32_t)room - 1;
    symbols->by_address = fth_map_memory(room * sizeof *symbols->by_address);
    if (!symbols->by_address)
        return false;
    for (size_t i = 0; i < symbols->count; i++) {
        if (!is_function(symbols, &symbols->list[i]))
            continue;
        uint32_t at = place_of(symbols, symbols->list[i].st_value);
        while (symbols->by_address[at])
            at = (at + 1) & symbols->mask;
        symbols->by_address[at] = (uint32_t)i + 1;
    }
    return true;
}

/* ---- modules ---- */

static void drop(struct symbols *symbols)
{
    if (symbols->by_address)
        fth_unmap(symbols->by_address, ((size_t)symbols->mask + 1) * sizeof *symbols->by_address);
    if (symbols->file)
        fth_unmap((void *)symbols->file, symbols->bytes);
    symbols->by_address = NULL;
    symbols->file = NULL;
}

static struct symbols *find(const char *module)
{
    struct symbols *symbols = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    while (symbols && symbols->module != module)
        symbols = symbols->next;
    return symbols;
}

static void read_file(struct symbols *symbols, const char *build_id)
{
    struct mapping mapping = {.path = symbols->module};
    fth_apart(map_apart, &mapping);
    if (!mapping.memory || mapping.memory == MAP_FAILED)
        return;
    symbols->file = mapping.memory;
    symbols->bytes = mapping.bytes;
    if (!find_list(symbols) || !has_build_id(symbols, build_id) || !sort_by_address(symbols))
        drop(symbols);
}

/* What cannot be read is known, too: it is not tried for each function. */
static struct symbols *read_module(const struct fth_code_place *place)
{
    struct symbols *symbols = fth_map_memory(sizeof *symbols), *another;
    if (!symbols)
        return NULL;
    symbols->module = place->module;
    read_file(symbols, place->module + strlen(place->module) + 1);
    symbols->next = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    do {
        another = find(place->module);
        if (another) {
            drop(symbols);
            fth_unmap(symbols, sizeof *symbols);
            return another;
        }
    } while (!__atomic_compare_exchange_n(&known, &symbols->next, symbols, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return symbols;
}

bool fth_function_symbol(const struct fth_code_place *place, char *to, size_t room)
{
    const struct symbols *symbols = find(place->module);
    if (!symbols)
        symbols = read_module(place);
    if (!symbols || !symbols->by_address)
        return false;
    for (uint32_t at = place_of(symbols, place->offset); symbols->by_address[at];
         at = (at + 1) & symbols->mask) {
        const ElfW(Sym) *symbol = &symbols->list[symbols->by_address[at] - 1];
        if (symbol->st_value != place->offset)
            continue;
        const char *name = symbols->names + symbol->st_name;
        size_t length = strnlen(name, room - 1);
        memcpy(to, name, length);
        to[length] = 0;
        return length > 0;
    }
    return false;
}
