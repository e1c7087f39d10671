/* Finds the slots of a program with static libraries (static.h). */
#include "interpose/reach/static.h"

#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>

/* As the members of the archive write it: distances from where they stand (static/slots.h). */
struct note {
    ElfW(Nhdr) header;
    char name[8]; /* "Fathom" */
    int32_t start, end;
};

static struct {
    struct fth_slot *list, *end;
    void *handle;
} slots;

static const struct note *find_note(const struct fth_object *object)
{
    for (unsigned i = 0; i < object->header_count; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        const char *at = (const char *)(object->base + header->p_vaddr), *end = at;
        size_t align = header->p_align == 8 ? 8 : 4;
        if (header->p_type != PT_NOTE)
            continue;
        end += header->p_memsz;
        while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
            const struct note *note = (const struct note *)at;
            size_t name = (note->header.n_namesz + align - 1) & -align,
                   what = (note->header.n_descsz + align - 1) & -align,
                   length = sizeof note->header + name + what;
            if (length > (size_t)(end - at))
                break;
            if (length == sizeof *note && memcmp(note->name, "Fathom\0", sizeof note->name) == 0)
                return note;
            at += length;
        }
    }
    return NULL;
}

/* Only the program itself: it stays where it is, while other threads may unload other objects, and
 * to hold one of these takes memory, which an allocator that is just beginning does not give. */
bool fth_static_look(const struct fth_object *object)
{
    const struct note *note = slots.list || *object->path ? NULL : find_note(object);
    if (!note)
        return false;
    slots.handle = fth_real_dlopen(NULL, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (!slots.handle)
        return false;
    slots.list = (struct fth_slot *)((uintptr_t)&note->start + (uintptr_t)(intptr_t)note->start);
    slots.end = (struct fth_slot *)((uintptr_t)&note->end + (uintptr_t)(intptr_t)note->end);
    return true;
}

void *fth_static_handle(void)
{
    return slots.handle;
}

void *fth_static_symbol(const char *name)
{
    for (const struct fth_slot *slot = slots.list; slot < slots.end; slot++)
        if (slot->real && strcmp(slot->name, name) == 0)
            return slot->real;
    return NULL;
}

void fth_static_visit(void (*visit)(struct fth_slot *slot, void *context), void *context)
{
    for (struct fth_slot *slot = slots.list; slot < slots.end; slot++)
        if (slot->target && slot->real)
            visit(slot, context);
}

void *fth_library_symbol(void *library, const char *name)
{
    void *symbol = library == slots.handle && library ? fth_static_symbol(name) : NULL;
    return symbol ? symbol : fth_real_dlsym(library, name);
}
