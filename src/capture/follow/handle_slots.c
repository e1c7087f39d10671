/* Handles other than descriptors (addresses, library integers), and the slots that they have: found
 * through a hash table (slot_table.h), without a lock. */
#include "capture/follow/handle_slots.h"

#include "capture/follow/bound_slots.h"
#include "capture/follow/paths.h"

#include <fcntl.h>
#include <string.h>

void (*fth_name_object)(uint32_t handle_class, uint64_t handle, char *name, size_t size);

/* generated: forms of the classes of the catalogue */
extern const uint8_t fth_class_forms[];

/* Under the lock. */
static int32_t bind_handle(struct fth_handle_class *class, uint64_t handle, int32_t from,
                           struct fth_handle_name name, bool wanted)
{
    int32_t before = fth_places_find(&class->places, handle);
    if (before >= 0)
        fth_slot_give(class, before); /* closed behind our back */
    int32_t slot = FTH_SLOT_UNKNOWN;
    if (fth_places_have_room(&class->places))
        slot = wanted ? fth_slot_take(class, from, FTH_NO_NUMBER, name) : FTH_EXCLUDED;
    if (slot == FTH_SLOT_UNKNOWN)
        fth_places_remove(&class->places, handle);
    else
        fth_places_set(&class->places, handle, slot);
    return slot;
}

static int32_t bind_if(bool wanted, uint32_t handle_class, uint64_t handle,
                       struct fth_handle_name name)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = bind_handle(class, handle, 0, name, wanted);
    fth_unlock(&class->lock);
    return slot;
}

int32_t fth_bind_handle_at(uint32_t handle_class, uint64_t handle, int32_t slot)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    int32_t taken = bind_handle(class, handle, slot < 0 ? 0 : slot, fth_slot_name(NULL), true);
    fth_unlock(&class->lock);
    return taken;
}

int32_t fth_free_slot(uint32_t handle_class, int32_t from)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = from < FTH_SLOTS ? fth_slot_find_free(class, from) : FTH_SLOT_UNKNOWN;
    fth_unlock(&class->lock);
    return slot;
}

int32_t fth_bind_handle(uint32_t handle_class, uint64_t handle, const char *name)
{
    bool wanted = fth_class_forms[handle_class] != FTH_CLASS_FILE ||
                  fth_absolute_path_is_wanted(name, FTH_PATH_READ);
    return bind_if(wanted, handle_class, handle, fth_slot_name(name));
}

bool fth_name_is_wanted(uint32_t handle_class, struct fth_handle_name name)
{
    return fth_class_forms[handle_class] == FTH_CLASS_OBJECT || !*name.text ||
           fth_absolute_path_is_wanted(name.text, FTH_PATH_READ);
}

int32_t fth_bind_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name,
                       bool wanted)
{
    return bind_if(wanted, handle_class, handle, name);
}

int32_t fth_open_handle(uint32_t handle_class, uint64_t handle, const char *path)
{
    int before = errno;
    char *name = fth_self->path;
    *name = 0;
    if (fth_class_forms[handle_class] == FTH_CLASS_FILE && path)
        fth_make_absolute(path, AT_FDCWD);
    else if (fth_class_forms[handle_class] != FTH_CLASS_ANONYMOUS && fth_name_object)
        fth_name_object(handle_class, handle, name, FTH_LONGEST_PATH);
    int32_t slot = fth_bind_handle(handle_class, handle, name);
    errno = before;
    return slot;
}

static __attribute__((noinline)) int32_t find_further(uint32_t handle_class, uint64_t handle)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    int32_t slot;
    if (fth_places_look(&class->places, handle, &slot))
        return slot;
    fth_lock(&class->lock);
    slot = fth_places_find(&class->places, handle);
    fth_unlock(&class->lock);
    return slot;
}

/* Most calls come here several times, and need no more than this: the rest stands apart, so that no
 * registers are saved for it. */
int32_t fth_find_handle(uint32_t handle_class, uint64_t handle)
{
    int32_t slot;
    if (FTH_LIKELY(fth_places_look_first(&fth_handle_classes[handle_class].places, handle, &slot)))
        return slot;
    return find_further(handle_class, handle);
}

size_t fth_handle_name(uint32_t handle_class, int32_t slot, char *to)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    if (slot < 0 || !class->bindings)
        return 0;
    fth_lock(&class->lock);
    size_t length = class->bindings[slot].length;
    memcpy(to, class->bindings[slot].path, length);
    fth_unlock(&class->lock);
    return length;
}

bool fth_handle_is_named(uint32_t handle_class, int32_t slot, struct fth_handle_name name)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    const struct fth_slot_binding *binding = &class->bindings[slot];
    bool same = binding->length == name.length &&
                (!name.length || memcmp(binding->path, name.text, name.length) == 0);
    fth_unlock(&class->lock);
    return same;
}

int32_t fth_close_handle(uint32_t handle_class, uint64_t handle)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = fth_places_remove(&class->places, handle);
    fth_slot_give(class, slot);
    fth_unlock(&class->lock);
    return slot;
}
