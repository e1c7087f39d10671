/* Handles become slots: the smallest free number of their class in this process. A slot is given
 * back before the real close and taken after the real open, so what another thread opens meanwhile
 * never shares one.
 *
 * A slot's binding (path or name) carries a generation; a thread that meets a generation it has not
 * noted yet notes the binding as a call of its own (binding_notes.c). */
#include "capture/follow/bound_slots.h"

#include "capture/follow/paths.h"
#include "capture/follow/standing.h"
#include "interpose/own/own_memory.h"

#include <string.h>

struct fth_handle_class fth_handle_classes[FTH_CLASSES];
/* Apart from the classes, which every forked child goes through: their pages would be copied. */
static uint64_t slots_taken[FTH_CLASSES][FTH_SLOTS / 64];
uint32_t *fth_generation_of[FTH_CLASSES];
static struct fth_memory_table generation_room[FTH_CLASSES];
static uint32_t generations;
uint32_t fth_inherited_generations;

/* Generations of the first slots are asked for most: those of each class begin at another place of
 * a page, so that they do not take each other's places in the first-level cache. */
enum { LINE = 64 / sizeof **fth_generation_of, LINES_APART = 3, LINES = 64 /* of a page */ };

static bool has_memory(struct fth_handle_class *class, int32_t slot)
{
    size_t number = (size_t)(class - fth_handle_classes),
           first = (number * LINES_APART + 1) % LINES * LINE;
    struct fth_memory_table *generations_room = &generation_room[number];
    class->room.most = FTH_SLOTS;
    generations_room->most = FTH_SLOTS + LINES * LINE;
    class->room.size = sizeof *class->bindings;
    generations_room->size = sizeof **fth_generation_of;
    if (!fth_table_reach(&class->room, (size_t)slot) ||
        !fth_table_reach(generations_room, first + (size_t)slot) ||
        (class == &fth_handle_classes[FTH_CLASS_fd] && !fth_standing_is_kept(slot)))
        return false;
    class->bindings = class->room.start;
    fth_generation_of[number] = (uint32_t *)generations_room->start + first;
    return true;
}

struct fth_handle_name fth_slot_name(const char *path)
{
    return (struct fth_handle_name){path ? path : "", path ? strlen(path) : 0};
}

void fth_slot_renew(uint32_t handle_class, int32_t slot)
{
    __atomic_store_n(&fth_generation_of[handle_class][slot],
                     __atomic_add_fetch(&generations, 1, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
}

/* A slot that stays without a name needs no note that it has none; nor does one that never had a
 * name, but that of a descriptor, which has a number. */
static void bind_slot(struct fth_handle_class *class, int32_t slot, int32_t number,
                      struct fth_handle_name name)
{
    struct fth_slot_binding *binding = &class->bindings[slot];
    uint32_t generation = fth_generation_of[class - fth_handle_classes][slot];
    if (!generation && number == FTH_NO_NUMBER && !name.length)
        return;
    bool is_as_before = generation && binding->number == number && !name.length && !binding->length;
    bool kept = fth_keep_text(&binding->path, &binding->path_size, name.text, name.length);
    binding->length = kept ? (uint32_t)name.length : 0;
    binding->number = number;
    binding->flags = -1;
    binding->underneath = FTH_SLOT_NONE;
    binding->file = (struct fth_identity_known){0};
    binding->real_length = 0;
    binding->has_cut_unnoted = false;
    binding->renames = fth_folder_renames();
    if (!is_as_before)
        fth_slot_renew((uint32_t)(class - fth_handle_classes), slot);
}

int32_t fth_slot_find_free(const struct fth_handle_class *class, int32_t from)
{
    uint64_t mask = UINT64_MAX << from % 64, free = ~class->taken[from / 64] & mask;
    if (free)
        return from / 64 * 64 + __builtin_ctzll(free);
    for (int32_t word = from / 64 + 1; word < FTH_SLOTS / 64; word = (word / 64 + 1) * 64) {
        uint64_t open = ~class->full[word / 64] & UINT64_MAX << word % 64;
        int32_t first = word / 64 * 64 + (open ? __builtin_ctzll(open) : 0);
        if (open)
            return first * 64 + __builtin_ctzll(~class->taken[first]);
    }
    return FTH_SLOT_UNKNOWN;
}

int32_t fth_slot_take(struct fth_handle_class *class, int32_t from, int32_t number,
                      struct fth_handle_name name)
{
    class->taken = slots_taken[class - fth_handle_classes];
    int32_t slot = fth_slot_find_free(class, from);
    if (slot < 0)
        slot = fth_slot_find_free(class, 0);
    if (slot < 0 || !has_memory(class, slot))
        return FTH_SLOT_UNKNOWN;
    class->taken[slot / 64] |= 1ull << slot % 64;
    if (class->taken[slot / 64] == UINT64_MAX)
        class->full[slot / 64 / 64] |= 1ull << slot / 64 % 64;
    bind_slot(class, slot, number, name);
    return slot;
}

void fth_slot_give(struct fth_handle_class *class, int32_t slot)
{
    if (slot < 0)
        return;
    class->taken[slot / 64] &= ~(1ull << slot % 64);
    class->full[slot / 64 / 64] &= ~(1ull << slot / 64 % 64);
}

void fth_handles_forget_class(uint32_t handle_class)
{
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    if (class->taken)
        memset(class->taken, 0, sizeof slots_taken[0]);
    memset(class->full, 0, sizeof class->full);
    fth_places_clear(&class->places);
    fth_unlock(&class->lock);
}

/* In a forked child: locks that other threads held are free. */
void fth_slots_in_child(void)
{
    fth_inherited_generations = generations;
    for (unsigned i = 0; i < FTH_CLASSES; i++) {
        if (fth_handle_classes[i].lock.owner)
            fth_handle_classes[i].lock.owner = NULL;
        fth_places_settle(&fth_handle_classes[i].places);
    }
}
