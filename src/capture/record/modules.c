/* A table of the modules that are or were loaded. It only grows: who looks an address up may be in
 * the middle of it while another thread adds to it, and no lock of the dynamic linker is taken for
 * a lookup, as another thread may hold it while it waits for this one. */
#include "capture/record/modules.h"

#include "interpose/own/own_memory.h"
#include "interpose/reach/loaded_objects.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MOST_MODULES = 4096,
    TEXT_ROOM = 1 << 20, /* mapped as far as it is used */
    MOST_ID = 64,        /* bytes of a build-id */
};

struct module {
    uintptr_t start, end, base;
    uint32_t text, length;
    bool ours, gone;
};

static struct modules {
    uint32_t count, used;
    struct module list[MOST_MODULES];
    char text[TEXT_ROOM];
} * modules;

bool fth_lines_are_kept, fth_modules_are_known;
uint16_t fth_code_generation;
static bool was_asked_in_vain; /* since the last look */

bool fth_code_place(uintptr_t address, struct fth_code_place *place)
{
    uint32_t count = modules ? __atomic_load_n(&modules->count, __ATOMIC_ACQUIRE) : 0;
    while (count--) {
        const struct module *module = &modules->list[count];
        if (address < module->start || address >= module->end ||
            __atomic_load_n(&module->gone, __ATOMIC_RELAXED))
            continue;
        place->module = modules->text + module->text;
        place->length = module->length;
        place->offset = address - module->base;
        return !module->ours;
    }
    was_asked_in_vain = true;
    return false;
}

/* ---- what a module is called ---- */

static char *put_hex(char *to, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count && i < MOST_ID; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    return to;
}

static size_t padded(size_t bytes, size_t to)
{
    return (bytes + to - 1) & ~(to - 1);
}

/* The note NT_GNU_BUILD_ID, as the linker has put it into memory. */
static char *put_build_id(char *to, const struct fth_object *object)
{
    for (unsigned i = 0; i < object->header_count; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        size_t align = header->p_align == 8 ? 8 : 4;
        const char *at = (const char *)(object->base + header->p_vaddr),
                   *end = at + header->p_memsz;
        if (header->p_type != PT_NOTE)
            continue;
        while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note, *id = name + padded(note->n_namesz, align);
            size_t room = (size_t)(end - name), size = padded(note->n_namesz, align);
            if (size > room || note->n_descsz > room - size)
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4))
                return put_hex(to, (const uint8_t *)id, note->n_descsz);
            at = id + padded(note->n_descsz, align);
        }
    }
    return to;
}

/* Writes the path of the object, absolute; "linux-vdso.so.1" is the name of no file. */
static char *put_path(char *to, const struct fth_object *object)
{
    if (!*object->path) {
        long length = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", to, FTH_LONGEST_PATH - 1);
        return to + (length > 0 ? length : 0);
    }
    if (*object->path != '/' && strchr(object->path, '/')) {
        long length = syscall(SYS_getcwd, to, FTH_LONGEST_PATH); /* with its zero */
        to += length > 1 ? length - 1 : 0;
        *to++ = '/';
    }
    size_t length = strnlen(object->path, FTH_LONGEST_PATH - 1);
    memcpy(to, object->path, length);
    return to + length;
}

/* ---- looking ---- */

static bool is_same(const struct module *module, const struct fth_object *object, uintptr_t start,
                    uintptr_t end)
{
    return module->base == object->base && module->start == start && module->end == end;
}

static void add(const struct fth_object *object, uintptr_t start, uintptr_t end)
{
    if (modules->count == MOST_MODULES ||
        TEXT_ROOM - modules->used < 2 * FTH_LONGEST_PATH + 2 * MOST_ID + 2)
        return;
    char *text = modules->text + modules->used, *id = put_path(text, object) + 1, *to;
    id[-1] = 0;
    to = put_build_id(id, object);
    for (uint32_t i = 0; i < modules->count; i++) {
        struct module *other = &modules->list[i];
        if (start < other->end && other->start < end)
            fth_code_generation++; /* what was there is gone */
    }
    modules->list[modules->count] =
        (struct module){.start = start,
                        .end = end,
                        .base = object->base,
                        .text = modules->used,
                        .length = (uint32_t)(to - text),
                        .ours = !strncmp(fth_object_file(text), "libfathom", 9)};
    modules->used += (uint32_t)(to - text) + 1;
    __atomic_store_n(&modules->count, modules->count + 1, __ATOMIC_RELEASE);
}

void fth_modules_look(const struct fth_objects *objects)
{
    uint32_t before = modules ? modules->count : 0;
    int error = errno;
    if (!modules)
        modules = fth_map_memory(sizeof *modules);
    if (!modules)
        return;
    bool *found = fth_map_memory(MOST_MODULES);
    for (unsigned i = 0; found && i < objects->count; i++) {
        const struct fth_object *object = &objects->list[i];
        uintptr_t start, end;
        uint32_t at = 0;
        fth_object_extent(object, &start, &end);
        while (at < before && (modules->list[at].gone ||
                               !is_same(&modules->list[at], object, start, end) || object->is_new))
            at++;
        if (at < before)
            found[at] = true;
        else if (start < end)
            add(object, start, end);
    }
    for (uint32_t i = 0; found && i < before; i++)
        if (!found[i])
            __atomic_store_n(&modules->list[i].gone, true, __ATOMIC_RELAXED);
    if (was_asked_in_vain && modules->count > before)
        fth_code_generation++;
    was_asked_in_vain = false;
    fth_unmap(found, MOST_MODULES);
    errno = error;
}
