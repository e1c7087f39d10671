/* The symbol table of a module's file, mapped when the first of its functions is met, with a table
 * of hashes by address beside it. Threads may do that at the same time: each makes its own, and one
 * of them stays. No lock: a function may be met in any place, in a signal handler, in a forked
 * child. */
#include "capture/functions/symbols.h"

#include "base/elf.h"
#include "capture/record/modules.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"

#include <fcntl.h>
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
    struct fth_elf_symbols table;
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
    if (!fth_elf_has(symbols->bytes, header->e_phoff, (uint64_t)header->e_phnum * sizeof *segments))
        return false;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_NOTE && segments[i].p_offset <= symbols->bytes &&
            segments[i].p_filesz <= symbols->bytes - segments[i].p_offset &&
            memmem(symbols->file + segments[i].p_offset, segments[i].p_filesz, id, length))
            return true;
    return false;
}

/* ---- by address ---- */

static uint32_t place_of(const struct symbols *symbols, uint64_t address)
{
    return (uint32_t)(address * 0x9E3779B97F4A7C15u >> 32) & symbols->mask;
}

static bool is_function(const ElfW(Sym) * symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value;
}

static bool sort_by_address(struct symbols *symbols)
{
    size_t functions = 0, room = 64;
    for (size_t i = 0; i < symbols->table.count; i++)
        functions += is_function(&symbols->table.list[i]);
    while (room < 2 * functions)
        room *= 2;
    symbols->mask = (uint32_t)room - 1;
    symbols->by_address = fth_map_memory(room * sizeof *symbols->by_address);
    if (!symbols->by_address)
        return false;
    for (size_t i = 0; i < symbols->table.count; i++) {
        if (!is_function(&symbols->table.list[i]))
            continue;
        uint32_t at = place_of(symbols, symbols->table.list[i].st_value);
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
    if (!fth_elf_symbols(symbols->file, symbols->bytes, &symbols->table) ||
        symbols->table.count > UINT32_MAX / 4 || !has_build_id(symbols, build_id) ||
        !sort_by_address(symbols))
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
        const ElfW(Sym) *symbol = &symbols->table.list[symbols->by_address[at] - 1];
        if (symbol->st_value != place->offset)
            continue;
        const char *name = fth_elf_name(&symbols->table, symbol);
        size_t length = strnlen(name, room - 1);
        memcpy(to, name, length);
        to[length] = 0;
        return length > 0;
    }
    return false;
}
