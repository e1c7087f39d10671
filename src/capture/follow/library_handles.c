/* Handles of libraries other than MPI (capture/mpi/mpi_handles.c): integers or addresses that mean
 * something to their library alone.
 *
 * A handle may be open several times (HDF5 counts its identifiers): it keeps its slot until it has
 * been closed as often. One that was never seen opened is unknown, but for those that the library
 * itself has made: they have names (fth_predefined). */
#include "capture/follow/library_handles.h"

#include "calls.h"
#include "capture/follow/handle_slots.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/readable.h"

#include <string.h>

enum { SLOTS = 16384 };

extern const uint8_t fth_class_forms[]; /* generated */

/* A lock is there before it is seen. */
static bool any_lock(uint64_t handle, char *name, size_t size)
{
    (void)handle, (void)size;
    *name = 0;
    return true;
}

fth_predefined_function *fth_predefined[FTH_CLASSES] = {[FTH_CLASS_lock] = any_lock};
fth_find_function *fth_find_in_mpi;

static void *opened[FTH_CLASSES]; /* by slot: how often, since it was taken; or NULL */

static bool is_slot(int32_t slot)
{
    return slot >= 0 && slot < SLOTS;
}

/* NULL: there is no such slot, or no memory to count. */
static uint32_t *opened_at(uint32_t handle_class, int32_t slot)
{
    uint32_t *counts = __atomic_load_n(&opened[handle_class], __ATOMIC_ACQUIRE);
    return counts && is_slot(slot) ? &counts[slot] : NULL;
}

static void opened_first(uint32_t handle_class, int32_t slot)
{
    uint32_t *count = fth_map_once(&opened[handle_class], SLOTS * sizeof *count)
                          ? opened_at(handle_class, slot)
                          : NULL;
    if (count)
        __atomic_store_n(count, 1, __ATOMIC_RELAXED);
}

/* ---- names ---- */

static struct fth_handle_name append(char *room, size_t length, const char *text, size_t more)
{
    size_t left = FTH_LONGEST_PATH - 1 - length;
    if (more > left)
        more = left;
    memcpy(room + length, text, more);
    room[length + more] = 0;
    return (struct fth_handle_name){room, length + more};
}

/* An object called `name` in the file or object that is bound to what stands in `room`. */
static struct fth_handle_name name_inside(char *room, size_t length, const char *name)
{
    size_t path = strnlen(room, length), more = name ? strlen(name) : 0;
    bool is_the_file = path == length;
    room[length] = 0;
    if (!more || strcmp(name, ".") == 0)
        return (struct fth_handle_name){room, length};
    if (is_the_file && *name != '/')
        length = append(room, length, "\0/", 2).length;
    else if (is_the_file || *name == '/')
        length = append(room, path, "\0", 1).length;
    else if (room[length - 1] != '/')
        length = append(room, length, "/", 1).length;
    return append(room, length, name, more);
}

/* ---- one handle ---- */

/* `is_inside`: in something that the filters want, so that they want it, too. */
static int32_t open_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name,
                          bool is_inside)
{
    int32_t slot = fth_find_handle(handle_class, handle);
    uint32_t *count = opened_at(handle_class, slot);
    if (count && *count && fth_handle_is_named(handle_class, slot, name)) {
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
        return slot;
    }
    slot = fth_bind_named(handle_class, handle, name,
                          is_inside || fth_name_is_wanted(handle_class, name));
    opened_first(handle_class, slot);
    return slot;
}

int32_t fth_library_open_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name)
{
    return open_named(handle_class, handle, name, false);
}

int32_t fth_library_open(uint32_t handle_class, uint64_t handle, const char *path)
{
    int before = errno;
    path = path ? fth_absolute_path(path) : "";
    int32_t slot =
        fth_library_open_named(handle_class, handle, (struct fth_handle_name){path, strlen(path)});
    errno = before;
    return slot;
}

int32_t fth_library_open_in(struct fth_draft *draft, uint32_t handle_class, uint64_t handle,
                            int32_t parent, const char *name)
{
    int before = errno;
    char *room = draft->recorder->path;
    size_t length = fth_handle_name(handle_class, parent, room);
    int32_t slot = FTH_EXCLUDED;
    if (parent != FTH_EXCLUDED)
        slot = open_named(handle_class, handle,
                          name_inside(room, length, fth_given_text(draft, name)), true);
    errno = before;
    return slot;
}

/* Two threads may meet it at once: the second one takes nothing. */
static int32_t adopt(uint32_t handle_class, uint64_t handle)
{
    static struct fth_lock lock;
    char name[128] = "";
    if (!fth_predefined[handle_class] ||
        !fth_predefined[handle_class](handle, name + 1, sizeof name - 1))
        return FTH_SLOT_UNKNOWN;
    fth_lock(&lock);
    int32_t slot = fth_find_handle(handle_class, handle);
    if (slot == FTH_SLOT_UNKNOWN)
        slot = fth_bind_named(handle_class, handle,
                              (struct fth_handle_name){name, strlen(name + 1) + 1}, true);
    fth_unlock(&lock);
    return slot;
}

int32_t fth_library_find(uint32_t handle_class, uint64_t handle)
{
    int32_t slot = fth_find_handle(handle_class, handle);
    if (FTH_LIKELY(slot != FTH_SLOT_UNKNOWN))
        return slot;
    return handle ? adopt(handle_class, handle) : FTH_SLOT_NONE;
}

void fth_library_open_again(uint32_t handle_class, uint64_t handle)
{
    uint32_t *count = opened_at(handle_class, fth_find_handle(handle_class, handle));
    if (count)
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

static bool is_last(uint32_t handle_class, int32_t slot)
{
    uint32_t *count = opened_at(handle_class, slot);
    return count && *count && __atomic_sub_fetch(count, 1, __ATOMIC_RELAXED) == 0;
}

int32_t fth_library_close(uint32_t handle_class, uint64_t handle)
{
    int32_t slot = fth_find_handle(handle_class, handle);
    if (slot == FTH_SLOT_UNKNOWN)
        return handle ? slot : FTH_SLOT_NONE;
    if (slot == FTH_EXCLUDED || is_last(handle_class, slot))
        fth_close_handle(handle_class, handle);
    return slot;
}

/* ---- several ---- */

static uint64_t element(const void *handles, int64_t i, unsigned width)
{
    int32_t narrow;
    uint64_t wide;
    if (width == 4) {
        memcpy(&narrow, (const char *)handles + i * 4, 4);
        return (uint64_t)(int64_t)narrow;
    }
    memcpy(&wide, (const char *)handles + i * 8, 8);
    return wide;
}

void fth_library_save(struct fth_draft *draft, uint32_t handle_class, const void *handles,
                      int64_t n, unsigned width, struct fth_library_handles *saved)
{
    saved->nulls = 0;
    saved->count = handles && n >= 0 ? (n < FTH_LIBRARY_MOST ? n : FTH_LIBRARY_MOST) : -1;
    if (saved->count > 0 && !fth_is_readable(handles, (size_t)saved->count * width))
        saved->count = -1;
    for (int64_t i = 0; i < saved->count; i++) {
        saved->handles[i] = element(handles, i, width);
        saved->slots[i] = fth_library_find(handle_class, saved->handles[i]);
        if (fth_class_forms[handle_class] != FTH_CLASS_ANONYMOUS)
            fth_note_binding(draft, handle_class, saved->slots[i]);
    }
}

int64_t fth_library_list(struct fth_draft *draft, const struct fth_library_handles *saved)
{
    int before = errno;
    int64_t list = fth_list(draft, saved->slots, saved->count, sizeof *saved->slots);
    errno = before;
    return list;
}

/* A library that waits for requests sets those to null that are complete. */
void fth_library_close_all(uint32_t handle_class, const void *handles, unsigned width,
                           const struct fth_library_handles *saved)
{
    for (int64_t i = 0; i < saved->count; i++)
        if (is_slot(saved->slots[i]) && element(handles, i, width) != saved->handles[i])
            fth_library_close(handle_class, saved->handles[i]);
}

/* ---- those of MPI ---- */

int32_t fth_library_find_in_mpi(uint32_t handle_class, uintptr_t handle)
{
    fth_find_function *find = __atomic_load_n(&fth_find_in_mpi, __ATOMIC_ACQUIRE);
    return find ? find(handle_class, handle) : FTH_SLOT_UNKNOWN;
}
