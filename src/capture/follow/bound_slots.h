/* Slots of handles, and what each is bound to. Inner header of the follow room's handle_slots.h. */
#ifndef FTH_CAPTURE_FOLLOW_BOUND_SLOTS_H
#define FTH_CAPTURE_FOLLOW_BOUND_SLOTS_H

#include "calls.h"
#include "capture/follow/descriptor_identity.h"
#include "capture/follow/handle_slots.h"
#include "capture/follow/slot_table.h"
#include "interpose/own/own_memory.h"

enum { FTH_NO_NUMBER = -1 };

struct fth_slot_binding {
    uint32_t basis; /* of a stream: generation of the descriptor underneath, and its slot */
    int32_t underneath;
    int32_t number; /* the descriptor itself, or FTH_NO_NUMBER */
    int32_t flags;  /* of a descriptor that was there before, as F_GETFL gives them; else -1 */
    /* NULL: none is known; a path may be followed by a zero and the name of an object in that
     * file */
    char *path;
    uint32_t path_size, length;
    struct fth_identity_known file; /* of a descriptor */
    uint64_t renames;               /* that there had been when its path was asked for */
    char *real; /* where its file is, if `path` is another way to it; without a zero; or NULL */
    uint32_t real_size, real_length;
    /* the file was cut off when it was opened, and which one that was has to be noted */
    bool has_cut_unnoted;
};

struct fth_handle_class {
    struct fth_lock lock;
    uint64_t *taken;                    /* bits of slots; NULL: none was ever taken */
    uint64_t full[FTH_SLOTS / 64 / 64]; /* bits of these words: it has no free slot */
    struct fth_slot_binding *bindings;  /* by slot; NULL: none was ever taken */
    struct fth_memory_table room;       /* that they are in */
    struct fth_slot_places places;      /* not of descriptors */
};

extern struct fth_handle_class fth_handle_classes[FTH_CLASSES];
/* Of bindings, by slot, as far as these were taken; 0: it never had a name. Apart from them, as
 * each call asks for those of its handles, and mostly for nothing else. */
extern uint32_t *fth_generation_of[FTH_CLASSES];
/* up to this one bindings are those of the process that forked this one */
extern uint32_t fth_inherited_generations;

struct fth_handle_name fth_slot_name(const char *path); /* NULL: none */

/* Under the lock of the class: */
/* The smallest free slot from this one on; FTH_SLOT_UNKNOWN: there is none. */
int32_t fth_slot_find_free(const struct fth_handle_class *class, int32_t from);
/* The smallest free slot from this one on, or else at all, is bound. */
int32_t fth_slot_take(struct fth_handle_class *class, int32_t from, int32_t number,
                      struct fth_handle_name name);
/* `slot`: below 0, if there is none. */
void fth_slot_give(struct fth_handle_class *class, int32_t slot);
/* What it is bound to counts as new from now on. */
void fth_slot_renew(uint32_t handle_class, int32_t slot);

/* In a forked child (bound_slots.c). */
void fth_slots_in_child(void);

#endif
