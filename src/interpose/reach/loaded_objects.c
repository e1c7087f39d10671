/* Walks through the loaded objects, and remembers them from look to look. */
#include "interpose/reach/loaded_objects.h"

#include "interpose/own/own_memory.h"
#include "interpose/reach/load.h"

#include <string.h>

enum { OBJECTS = 8192 };

/* That of the program is looked through for everybody. */
static bool has_rpath(const struct fth_object *object)
{
    bool old = false;
    for (const ElfW(Dyn) *entry = fth_object_dynamic(object); entry && entry->d_tag != DT_NULL;
         entry++) {
        if (entry->d_tag == DT_RUNPATH)
            return false;
        old = old || entry->d_tag == DT_RPATH;
    }
    return old && *object->path;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct fth_objects *objects = data;
    (void)size;
    objects->loaded = info->dlpi_adds;
    objects->unloaded = info->dlpi_subs;
    if (objects->count == OBJECTS)
        return 1;
    struct fth_object *object = &objects->list[objects->count++];
    object->path = info->dlpi_name ? info->dlpi_name : "";
    object->base = info->dlpi_addr;
    object->headers = info->dlpi_phdr;
    object->header_count = info->dlpi_phnum;
    object->is_new = false;
    object->has_rpath = has_rpath(object);
    return 0;
}

bool fth_objects_list(struct fth_objects *objects)
{
    memset(objects, 0, sizeof *objects);
    objects->list = fth_map_memory(OBJECTS * sizeof *objects->list);
    if (!objects->list)
        return false;
    fth_real_iterate(add_object, objects);
    return true;
}

void fth_objects_drop(struct fth_objects *objects)
{
    fth_unmap(objects->list, OBJECTS * sizeof *objects->list);
}

/* ---- what is new ---- */

static struct fth_objects seen;

static int read_numbers(struct dl_phdr_info *info, size_t size, void *data)
{
    struct fth_objects *now = data;
    (void)size;
    now->loaded = info->dlpi_adds;
    now->unloaded = info->dlpi_subs;
    return 1;
}

static bool is_same(const struct fth_object *one, const struct fth_object *other)
{
    return one->base == other->base && one->headers == other->headers &&
           one->header_count == other->header_count;
}

/* Both lists are in the order of loading, so what is in both is in the same order. */
static void mark_new(struct fth_objects *objects)
{
    unsigned from = 0;
    for (unsigned i = 0; i < objects->count; i++) {
        unsigned at = from;
        while (at < seen.count && !is_same(&objects->list[i], &seen.list[at]))
            at++;
        objects->list[i].is_new = at == seen.count;
        if (at < seen.count)
            from = at + 1;
    }
}

static void remember(const struct fth_objects *objects)
{
    if (seen.list)
        fth_objects_drop(&seen);
    seen = *objects;
}

static bool have_rpath;

bool fth_objects_have_rpath(void)
{
    return have_rpath;
}

bool fth_objects_look(struct fth_objects *objects)
{
    struct fth_objects now = {0};
    fth_real_iterate(read_numbers, &now);
    if (now.loaded == seen.loaded && now.unloaded == seen.unloaded)
        return false;
    if (!fth_objects_list(objects))
        return false;
    mark_new(objects);
    for (unsigned i = 0; i < objects->count; i++)
        have_rpath = have_rpath || objects->list[i].has_rpath;
    remember(objects);
    return true;
}

void fth_objects_look_again(void)
{
    seen.loaded = 0; /* at no time are there none */
}

/* ---- one object ---- */

const ElfW(Phdr) * fth_object_header(const struct fth_object *object, ElfW(Word) type)
{
    for (unsigned i = 0; i < object->header_count; i++)
        if (object->headers[i].p_type == type)
            return &object->headers[i];
    return NULL;
}

const ElfW(Dyn) * fth_object_dynamic(const struct fth_object *object)
{
    const ElfW(Phdr) *header = fth_object_header(object, PT_DYNAMIC);
    return header ? (const void *)(object->base + header->p_vaddr) : NULL;
}

void fth_object_extent(const struct fth_object *object, uintptr_t *start, uintptr_t *end)
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

const char *fth_object_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
