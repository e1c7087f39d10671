/* Binds wrappers by rewriting global offset tables (System V gABI, chapter 5, "Dynamic Linking";
 * the psABI names the relocations).
 *
 * A reference is a relocation of type JUMP_SLOT, GLOB_DAT or a plain address with the function's
 * symbol. What it points to now must be the function itself or the linker's stub that will look it
 * up: a reference that somebody else has taken is theirs. */
#include "interpose/reach/bind.h"

#include "interpose/own/own_memory.h"
#include "interpose/reach/load.h"
#include "interpose/reach/loaded_objects.h"
#include "interpose/reach/recognize.h"
#include "interpose/reach/static.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    LIBRARIES = 16, /* that wrappers are bound for */
    NAMES = 8192,   /* places of the table of names */
};

#if defined __x86_64__
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOB_DAT = R_X86_64_GLOB_DAT, ADDRESS = R_X86_64_64 };
#elif defined __aarch64__
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOB_DAT = R_AARCH64_GLOB_DAT, ADDRESS = R_AARCH64_ABS64 };
#endif

/* The tables of one object. */
struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * data, *calls;
    size_t data_count, call_count;
};

struct binder {
    struct fth_bound_library library;
    uint16_t names[NAMES]; /* index of the call + 1 */
    bool back;             /* references are pointed to the functions again */
    bool is_of_libc,
        deep; /* deep: the object looks in what it needs before it looks in what the program has */
    const struct fth_object *object; /* being bound, and: */
    void *handle;                    /* of dlopen */
    uintptr_t start, end;
    bool unprotected;
    bool is_for_fortran;
    /* somebody refers to a function for Fortran that is in the library itself */
    bool fortran_is_called;
    int bound;
};

bool fth_is_attached;

static struct binder *binders[LIBRARIES];
static unsigned binder_count;
static struct binder *libc_binder; /* none of those: its wrappers are mostly found by the linker */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_ours(const struct fth_object *object)
{
    return begins(fth_object_file(object->path), "libfathom");
}

/* Ours; and the plug-ins of Open MPI and the libraries for Fortran, which are parts of MPI. */
static bool is_left_alone(const struct fth_object *object)
{
    return is_ours(object) || begins(fth_object_file(object->path), "mca_") ||
           fth_is_fortran_of_mpi(object);
}

/* ---- names ---- */

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 0x811c9dc5; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x01000193;
    return hash;
}

static void fill_names(struct binder *binder)
{
    const struct fth_bound_library *library = &binder->library;
    for (unsigned i = 0; i < library->count; i++) {
        uint32_t at = hash_name(library->calls[i].name) % NAMES;
        while (binder->names[at])
            at = (at + 1) % NAMES;
        binder->names[at] = (uint16_t)(i + 1);
    }
}

/* Of a prefix of letters and underscores. */
static bool begins_in_any_case(const char *name, const char *prefix)
{
    while (*prefix && (*name | 0x20) == (*prefix | 0x20)) {
        name++;
        prefix++;
    }
    return !*prefix;
}

static const struct fth_bound_call *find_call(const struct binder *binder, const char *name)
{
    if (!begins_in_any_case(name, binder->library.prefix))
        return NULL;
    for (uint32_t at = hash_name(name) % NAMES; binder->names[at]; at = (at + 1) % NAMES) {
        const struct fth_bound_call *call = &binder->library.calls[binder->names[at] - 1];
        if (strcmp(call->name, name) == 0)
            return call;
    }
    return NULL;
}

/* ---- the real function ---- */

/* Is this the function, not a stub for it in a program that is not position-independent? */
static bool is_definition(void *address)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    return dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           symbol->st_shndx != SHN_UNDEF;
}

/* The one that references mean: a tool of the profiling interface may stand in front of the
 * library, and stays there. */
static void *find_real(const struct fth_bound_library *library, const char *name)
{
    void *own = fth_real_dlsym(library->handle, name);
    if (!own)
        return NULL;
    void *after_us = fth_real_dlsym(RTLD_NEXT, name), *first = fth_real_dlsym(RTLD_DEFAULT, name);
    if (first && first != after_us && is_definition(first))
        return first;
    return after_us ? after_us : own;
}

/* What the linker would find for a reference of the object that it has not looked up yet. */
static const void *will_find(const struct binder *binder, const char *name)
{
    const void *found = fth_real_dlsym(binder->deep ? binder->handle : RTLD_DEFAULT, name);
    return found ? found : fth_real_dlsym(binder->deep ? RTLD_DEFAULT : binder->handle, name);
}

/* May the reference be pointed elsewhere, or has somebody else done so, or does it mean another
 * library with the same names? */
static bool is_free(const struct binder *binder, const struct fth_bound_call *call,
                    const void *target)
{
    uintptr_t address = (uintptr_t)target;
    if (address >= binder->start && address < binder->end)
        target = will_find(binder, call->name);
    if (binder->is_of_libc)
        return target == *call->real;
    return !target || target == *call->real || target == fth_real_dlsym(RTLD_DEFAULT, call->name) ||
           target == fth_real_dlsym(binder->library.handle, call->name);
}

/* ---- pages ---- */

/* What the linker made read-only after relocation, as it rounds it; false: nothing. */
static bool read_only_part(const struct fth_object *object, uintptr_t *start, uintptr_t *end)
{
    const ElfW(Phdr) *header = fth_object_header(object, PT_GNU_RELRO);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (!header)
        return false;
    *start = (object->base + header->p_vaddr) & -page;
    *end = (object->base + header->p_vaddr + header->p_memsz) & -page;
    return *start < *end;
}

static bool protect(uintptr_t start, uintptr_t end, int protection)
{
    return syscall(SYS_mprotect, start, end - start, protection) == 0;
}

static bool is_in_writable_segment(const struct fth_object *object, uintptr_t address)
{
    for (unsigned i = 0; i < object->header_count; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        uintptr_t start = object->base + header->p_vaddr;
        if (header->p_type == PT_LOAD && address >= start && address < start + header->p_memsz)
            return header->p_flags & PF_W;
    }
    return false;
}

static bool make_writable(struct binder *binder, uintptr_t address)
{
    uintptr_t start, end;
    if (!is_in_writable_segment(binder->object, address))
        return false;
    if (binder->unprotected || !read_only_part(binder->object, &start, &end) || address < start ||
        address >= end)
        return true;
    binder->unprotected = protect(start, end, PROT_READ | PROT_WRITE);
    return binder->unprotected;
}

static void protect_again(struct binder *binder)
{
    uintptr_t start, end;
    if (binder->unprotected && read_only_part(binder->object, &start, &end))
        protect(start, end, PROT_READ);
    binder->unprotected = false;
}

/* ---- relocations ---- */

/* glibc has made these absolute on most machines, but not in the vDSO. */
static const void *table_at(const struct fth_object *object, const ElfW(Dyn) * entry)
{
    uintptr_t address = entry->d_un.d_ptr;
    return (const void *)(address < object->base ? address + object->base : address);
}

static bool find_tables(const struct fth_object *object, struct tables *tables)
{
    const ElfW(Dyn) *dynamic = fth_object_dynamic(object);
    size_t relative = 0;
    memset(tables, 0, sizeof *tables);
    if (!dynamic)
        return false;
    for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++)
        switch (entry->d_tag) {
        case DT_SYMTAB:
            tables->symbols = table_at(object, entry);
            break;
        case DT_STRTAB:
            tables->strings = table_at(object, entry);
            break;
        case DT_RELA:
            tables->data = table_at(object, entry);
            break;
        case DT_RELASZ:
            tables->data_count = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_RELACOUNT: /* those without a symbol; they come first */
            relative = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            tables->calls = table_at(object, entry);
            break;
        case DT_PLTRELSZ:
            tables->call_count = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        }
    if (!tables->data || relative > tables->data_count)
        tables->data_count = 0;
    else if (relative) {
        tables->data += relative;
        tables->data_count -= relative;
    }
    if (!tables->calls)
        tables->call_count = 0;
    return tables->symbols && tables->strings;
}

static void point_to_wrapper(struct binder *binder, const struct fth_bound_call *call,
                             uintptr_t address)
{
    void **reference = (void **)address;
    void *target = __atomic_load_n(reference, __ATOMIC_RELAXED);
    bool is_bound = target == call->wrapper || (target && target == call->fortran);
    if (binder->back) {
        if (is_bound && *call->real && make_writable(binder, address))
            __atomic_store_n(reference, *call->real, __ATOMIC_RELEASE);
        return;
    }
    if (is_bound)
        return;
    if (!*call->real)
        *call->real = find_real(&binder->library, call->name);
    if (!*call->real || !is_free(binder, call, target) || !make_writable(binder, address))
        return;
    __atomic_store_n(reference, binder->is_for_fortran ? call->fortran : call->wrapper,
                     __ATOMIC_RELEASE);
    binder->bound++;
}

static bool is_inside(const struct binder *binder, const void *address)
{
    return (uintptr_t)address >= binder->start && (uintptr_t)address < binder->end;
}

static bool has_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strstr(name, *words))
            return true;
    return false;
}

/* Does the program refer to functions for Fortran that are in the library itself? */
static void note_fortran(struct binder *binder, const char *name)
{
    const struct fth_bound_fortran *fortran = binder->library.fortran;
    if (fortran && fortran->inside && !binder->fortran_is_called &&
        !is_inside(binder, fortran->inside))
        binder->fortran_is_called = has_one_of(name, fortran->words);
}

static void bind_references(struct binder *binder, const struct tables *tables,
                            const ElfW(Rela) * relocations, size_t count)
{
    const struct fth_bound_call *call = NULL;
    size_t last = 0; /* linkers sort by symbol, so the next one is mostly the same */
    for (size_t i = 0; i < count; i++) {
        unsigned type = (unsigned)ELF64_R_TYPE(relocations[i].r_info);
        size_t symbol = ELF64_R_SYM(relocations[i].r_info);
        if (!symbol || (type != JUMP_SLOT && type != GLOB_DAT && type != ADDRESS))
            continue;
        if (symbol != last) {
            const char *name = tables->strings + tables->symbols[symbol].st_name;
            call = find_call(binder, name);
            note_fortran(binder, name);
        }
        last = symbol;
        if (call && (type != ADDRESS || relocations[i].r_addend == 0))
            point_to_wrapper(binder, call, binder->object->base + relocations[i].r_offset);
    }
}

static bool is_for_fortran(const struct binder *binder, const struct fth_object *object)
{
    const struct fth_bound_fortran *fortran = binder->library.fortran;
    const char *file = fth_object_file(object->path);
    if (!fortran)
        return false;
    if (fortran->inside)
        return is_inside(binder, fortran->inside) && binder->fortran_is_called;
    return begins(file, fortran->stem) && has_one_of(file, fortran->words);
}

static void bind_held(struct binder *binder, const struct fth_object *object, void *handle)
{
    struct tables tables;
    fth_object_extent(object, &binder->start, &binder->end);
    if (is_inside(binder, binder->library.inside) || !find_tables(object, &tables))
        return;
    binder->is_for_fortran = is_for_fortran(binder, object);
    binder->object = object;
    binder->handle = handle;
    bind_references(binder, &tables, tables.data, tables.data_count);
    bind_references(binder, &tables, tables.calls, tables.call_count);
    protect_again(binder);
}

/* ---- slots ---- */

/* Of a library that is linked statically: what the program calls is said there, not looked up. */
static void bind_slot(struct fth_slot *slot, void *context)
{
    struct binder *binder = context;
    const struct fth_bound_call *call = find_call(binder, slot->name);
    if (!call || (*call->real && *call->real != slot->real))
        return;
    *call->real = slot->real;
    __atomic_store_n(&slot->target, binder->back ? slot->real : call->wrapper, __ATOMIC_RELEASE);
    binder->bound++;
}

static void bind_slots(struct binder *binder)
{
    if (binder->library.handle && binder->library.handle == fth_static_handle())
        fth_static_visit(bind_slot, binder);
}

/* ---- objects ---- */

/* Holds the object as it is: while another thread loads it, this waits until all is in place. NULL:
 * it has gone. */
static void *hold(const struct fth_object *object)
{
    struct link_map *map =
        fth_real_dlopen(*object->path ? object->path : NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (!map || map->l_addr == object->base)
        return map;
    fth_real_dlclose(map);
    return NULL;
}

static void bind_object(struct binder **them, unsigned count, const struct fth_object *object)
{
    void *held = count && !is_left_alone(object) ? hold(object) : NULL;
    if (!held)
        return;
    for (unsigned i = 0; i < count; i++)
        bind_held(them[i], object, held);
    fth_real_dlclose(held);
}

static struct binder *make_binder(const struct fth_bound_library *library)
{
    struct binder *binder = library->count <= NAMES / 2 ? fth_map_memory(sizeof *binder) : NULL;
    if (!binder)
        return NULL;
    binder->library = *library;
    fill_names(binder);
    return binder;
}

int fth_bind(const struct fth_bound_library *library)
{
    struct fth_objects objects;
    struct binder *binder = binder_count < LIBRARIES ? make_binder(library) : NULL;
    if (!binder || !fth_objects_list(&objects))
        return -1;
    bind_slots(binder);
    for (unsigned i = 0; i < objects.count; i++)
        bind_object(&binder, 1, &objects.list[i]);
    fth_objects_drop(&objects);
    binders[binder_count] = binder;
    __atomic_store_n(&binder_count, binder_count + 1, __ATOMIC_RELEASE);
    return binder->bound;
}

unsigned fth_bound_libraries(void)
{
    return binder_count;
}

void fth_bind_object(const struct fth_object *object, unsigned libraries)
{
    bind_object(binders, libraries, object);
}

/* ---- the C library ---- */

bool fth_bind_libc(const struct fth_object *object, bool deep)
{
    struct fth_bound_library library;
    if (!libc_binder && fth_libc_calls(&library)) {
        libc_binder = make_binder(&library);
        if (libc_binder)
            libc_binder->is_of_libc = true;
    }
    void *held = libc_binder && !is_ours(object) ? hold(object) : NULL;
    if (!held)
        return false;
    libc_binder->deep = deep;
    bind_held(libc_binder, object, held);
    fth_real_dlclose(held);
    return true;
}

static void bind_libc_back(const struct fth_object *object)
{
    if (libc_binder)
        libc_binder->back = true;
    fth_bind_libc(object, false);
    if (libc_binder)
        libc_binder->back = false;
}

bool fth_bind_all(bool back)
{
    struct fth_objects objects;
    if (!fth_objects_list(&objects))
        return false;
    for (unsigned i = 0; i < binder_count; i++) {
        binders[i]->back = back;
        bind_slots(binders[i]);
    }
    for (unsigned i = 0; i < objects.count; i++) {
        if (back)
            bind_libc_back(&objects.list[i]);
        else
            fth_bind_libc(&objects.list[i], false);
        bind_object(binders, binder_count, &objects.list[i]);
    }
    for (unsigned i = 0; i < binder_count; i++)
        binders[i]->back = false;
    fth_objects_drop(&objects);
    return true;
}

/* ---- asked by name ---- */

static const struct fth_bound_call *find_bound(const char *name, const struct binder **binder)
{
    unsigned count = __atomic_load_n(&binder_count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < count; i++) {
        const struct fth_bound_call *call = find_call(binders[i], name);
        *binder = binders[i];
        if (call)
            return call;
    }
    *binder = libc_binder;
    return fth_is_attached && libc_binder ? find_call(libc_binder, name) : NULL;
}

bool fth_is_bound(const char *name)
{
    const struct binder *binder;
    return find_bound(name, &binder) != NULL;
}

void *fth_bound_wrapper(const char *name, const void *function)
{
    const struct binder *binder;
    const struct fth_bound_call *call = find_bound(name, &binder);
    if (call && !*call->real)
        *call->real = find_real(&binder->library, name);
    return call && function && function == *call->real ? call->wrapper : NULL;
}
