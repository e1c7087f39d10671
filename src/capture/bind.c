/* Finds an MPI library among the loaded objects, loads libfathom-mpi.so with the wrappers for it, and binds wrappers by rewriting global
 * offset tables (System V gABI, chapter 5, "Dynamic Linking"; the psABI names the relocations).
 *
 * A reference is a relocation of type JUMP_SLOT, GLOB_DAT or a plain address with the function's symbol. What it points to now
 * must be the function itself or the linker's stub that will look it up: a reference that somebody else has taken is theirs. */
#include "capture/bind.h"

#include "capture/process.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    OBJECTS = 8192,
    NAMES = 4096, /* places of the table of names */
};

#if defined __x86_64__
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOB_DAT = R_X86_64_GLOB_DAT, ADDRESS = R_X86_64_64 };
#elif defined __aarch64__
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOB_DAT = R_AARCH64_GLOB_DAT, ADDRESS = R_AARCH64_ABS64 };
#endif

struct object {
    const char *path; /* "" for the program */
    uintptr_t base;
    const ElfW(Phdr) * headers;
    unsigned header_count;
};

struct objects {
    struct object *list; /* OBJECTS of them */
    unsigned count;
    unsigned long long loaded; /* objects ever */
};

/* The tables of one object. */
struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * data, *calls;
    size_t data_count, call_count;
};

struct binder {
    const struct fth_bound_library *library;
    uint16_t names[NAMES]; /* index of the call + 1 */
    size_t prefix_length;
    const struct object *object; /* being bound, and: */
    uintptr_t start, end;
    bool unprotected;
    int bound;
};

/* ---- objects ---- */

static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct objects *objects = data;
    (void)size;
    objects->loaded = info->dlpi_adds;
    if (objects->count == OBJECTS)
        return 1;
    struct object *object = &objects->list[objects->count++];
    object->path = info->dlpi_name ? info->dlpi_name : "";
    object->base = info->dlpi_addr;
    object->headers = info->dlpi_phdr;
    object->header_count = info->dlpi_phnum;
    return 0;
}

/* They are worked on after the walk: inside of it the linker holds a lock that dlsym takes in another order. */
static bool list_objects(struct objects *objects)
{
    memset(objects, 0, sizeof *objects);
    objects->list = fth_map_memory(OBJECTS * sizeof *objects->list);
    if (!objects->list)
        return false;
    dl_iterate_phdr(add_object, objects);
    return true;
}

static void drop_objects(struct objects *objects)
{
    fth_unmap(objects->list, OBJECTS * sizeof *objects->list);
}

static const ElfW(Phdr) * header_of(const struct object *object, ElfW(Word) type)
{
    for (unsigned i = 0; i < object->header_count; i++)
        if (object->headers[i].p_type == type)
            return &object->headers[i];
    return NULL;
}

static void extent(const struct object *object, uintptr_t *start, uintptr_t *end)
{
    *start = UINTPTR_MAX;
    *end = 0;
    for (unsigned i = 0; i < object->header_count; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (object->base + header->p_vaddr < *start)
            *start = object->base + header->p_vaddr;
        if (object->base + header->p_vaddr + header->p_memsz > *end)
            *end = object->base + header->p_vaddr + header->p_memsz;
    }
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Ours, and the plug-ins of Open MPI, which are parts of it. */
static bool is_left_alone(const struct object *object)
{
    const char *file = file_name(object->path);
    return begins(file, "libfathom") || begins(file, "mca_");
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
    const struct fth_bound_library *library = binder->library;
    binder->prefix_length = strlen(library->prefix);
    for (unsigned i = 0; i < library->count; i++) {
        uint32_t at = hash_name(library->calls[i].name) % NAMES;
        while (binder->names[at])
            at = (at + 1) % NAMES;
        binder->names[at] = (uint16_t)(i + 1);
    }
}

static const struct fth_bound_call *find_call(const struct binder *binder, const char *name)
{
    if (strncmp(name, binder->library->prefix, binder->prefix_length) != 0)
        return NULL;
    for (uint32_t at = hash_name(name) % NAMES; binder->names[at]; at = (at + 1) % NAMES) {
        const struct fth_bound_call *call = &binder->library->calls[binder->names[at] - 1];
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

/* The one that references mean: a tool of the profiling interface may stand in front of the library, and stays there. */
static void *find_real(const struct fth_bound_library *library, const char *name)
{
    void *own = dlsym(library->handle, name);
    if (!own)
        return NULL;
    void *after_us = dlsym(RTLD_NEXT, name), *first = dlsym(RTLD_DEFAULT, name);
    if (first && first != after_us && is_definition(first))
        return first;
    return after_us ? after_us : own;
}

/* May the reference be pointed elsewhere, or has somebody else done so? */
static bool is_free(const struct binder *binder, const struct fth_bound_call *call,
                    const void *target)
{
    uintptr_t address = (uintptr_t)target;
    return target == *call->real || (address >= binder->start && address < binder->end) ||
           target == dlsym(RTLD_DEFAULT, call->name) ||
           target == dlsym(binder->library->handle, call->name);
}

/* ---- pages ---- */

/* What the linker made read-only after relocation, as it rounds it; false: nothing. */
static bool read_only_part(const struct object *object, uintptr_t *start, uintptr_t *end)
{
    const ElfW(Phdr) *header = header_of(object, PT_GNU_RELRO);
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

static bool is_in_writable_segment(const struct object *object, uintptr_t address)
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
static const void *table_at(const struct object *object, const ElfW(Dyn) * entry)
{
    uintptr_t address = entry->d_un.d_ptr;
    return (const void *)(address < object->base ? address + object->base : address);
}

static bool find_tables(const struct object *object, struct tables *tables)
{
    const ElfW(Phdr) *dynamic = header_of(object, PT_DYNAMIC);
    size_t relative = 0;
    memset(tables, 0, sizeof *tables);
    if (!dynamic)
        return false;
    for (const ElfW(Dyn) *entry = (const void *)(object->base + dynamic->p_vaddr);
         entry->d_tag != DT_NULL; entry++)
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
    if (target == call->wrapper)
        return;
    if (!*call->real)
        *call->real = find_real(binder->library, call->name);
    if (!*call->real || !is_free(binder, call, target) || !make_writable(binder, address))
        return;
    __atomic_store_n(reference, call->wrapper, __ATOMIC_RELEASE);
    binder->bound++;
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
        if (symbol != last)
            call = find_call(binder, tables->strings + tables->symbols[symbol].st_name);
        last = symbol;
        if (call && (type != ADDRESS || relocations[i].r_addend == 0))
            point_to_wrapper(binder, call, binder->object->base + relocations[i].r_offset);
    }
}

static void bind_object(struct binder *binder, const struct object *object)
{
    struct tables tables;
    uintptr_t inside = (uintptr_t)binder->library->inside;
    extent(object, &binder->start, &binder->end);
    if (is_left_alone(object) || (inside >= binder->start && inside < binder->end) ||
        !find_tables(object, &tables))
        return;
    binder->object = object;
    bind_references(binder, &tables, tables.data, tables.data_count);
    bind_references(binder, &tables, tables.calls, tables.call_count);
    protect_again(binder);
}

int fth_bind(const struct fth_bound_library *library)
{
    struct binder binder = {.library = library};
    struct objects objects;
    if (library->count > NAMES / 2) {
        errno = E2BIG;
        return -1;
    }
    if (!list_objects(&objects))
        return -1;
    fill_names(&binder);
    for (unsigned i = 0; i < objects.count; i++)
        bind_object(&binder, &objects.list[i]);
    drop_objects(&objects);
    return binder.bound;
}

/* ---- MPI ---- */

/* Beside this library, wherever that was installed. */
static void *load_beside_us(const char *file)
{
    Dl_info us;
    char path[4096];
    if (!dladdr((void *)fth_bind_libraries, &us) || !us.dli_fname)
        return NULL;
    int folder = (int)(file_name(us.dli_fname) - us.dli_fname);
    if (snprintf(path, sizeof path, "%.*s%s", folder, us.dli_fname, file) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* The handle of the object if it is an MPI library, not one that stands on it (C++, Fortran). */
static void *mpi_handle(const struct object *object)
{
    uintptr_t start, end;
    if (!begins(file_name(object->path), "libmpi"))
        return NULL;
    void *handle = dlopen(object->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!handle)
        return NULL;
    uintptr_t one = (uintptr_t)dlsym(handle, "MPI_Init"),
              other = (uintptr_t)dlsym(handle, "PMPI_Init");
    extent(object, &start, &end);
    if (one >= start && one < end && other >= start && other < end)
        return handle;
    dlclose(handle);
    return NULL;
}

typedef bool attach_function(void *library, const char *path);

static attach_function *load_wrappers(void)
{
    void *wrappers = load_beside_us("libfathom-mpi.so");
    attach_function *attach =
        wrappers ? (attach_function *)dlsym(wrappers, "fth_mpi_attach") : NULL;
    if (!attach)
        fth_process_note("unseen", "MPI calls: libfathom-mpi.so cannot be loaded");
    return attach;
}

static void bind_mpi(const struct objects *objects)
{
    static attach_function *attach;
    static void *library;
    static const char *path;
    static bool refused;
    for (unsigned i = 0; i < objects->count && !library; i++) {
        library = mpi_handle(&objects->list[i]);
        path = objects->list[i].path;
    }
    if (!library || refused)
        return;
    if (!attach)
        attach = load_wrappers();
    refused = !attach || !attach(library, path);
}

void fth_bind_libraries(void)
{
    static unsigned long long loaded;
    static int working;
    struct objects objects;
    int before = errno;
    if (!__atomic_exchange_n(&working, 1, __ATOMIC_ACQUIRE)) {
        if (list_objects(&objects)) {
            if (objects.loaded != loaded)
                bind_mpi(&objects);
            loaded = objects.loaded;
            drop_objects(&objects);
        }
        dlerror(); /* ours are none of the program's */
        __atomic_store_n(&working, 0, __ATOMIC_RELEASE);
    }
    errno = before;
}
