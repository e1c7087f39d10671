/* What a slot is bound to becomes a call of its own where a thread meets it for the first time. */
#include "capture/follow/bound_slots.h"

#include "capture/follow/paths.h"
#include "capture/follow/standing.h"
#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "capture/record/steps.h"
#include "interpose/own/put.h"
#include "interpose/own/stack.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* generated: names of the classes of the catalogue */
extern const char *fth_class_names[];

static void forget_cursor(struct fth_recorder *recorder, uint32_t handle_class, int32_t slot)
{
    int ordinal = fth_class_ordinals[handle_class];
    if (ordinal >= 0 && slot < FTH_CURSOR_SLOTS)
        recorder->cursors[ordinal][slot] = (struct fth_cursor){0, 0};
    if (ordinal >= 0)
        fth_trails_forget(&recorder->stepping->trails, (uint32_t)ordinal, slot);
}

/* A slot whose file is to be noted. */
struct noting {
    struct fth_draft *draft;
    uint32_t handle_class;
    int32_t slot;
};

static void note_file(void *argument)
{
    const struct noting *noting = argument;
    struct fth_draft *draft = noting->draft;
    uint32_t handle_class = noting->handle_class;
    int32_t slot = noting->slot;
    struct fth_handle_class *class = &fth_handle_classes[FTH_CLASS_fd];
    const struct fth_slot_binding *binding = &fth_handle_classes[handle_class].bindings[slot];
    fth_lock(&class->lock);
    uint32_t basis = binding->basis;
    int32_t underneath = handle_class == FTH_CLASS_fd ? slot : binding->underneath;
    binding = &class->bindings[underneath];
    struct fth_identity_known file = binding->file;
    size_t length = binding->real_length;
    if (length)
        memcpy(draft->recorder->path, binding->real, length);
    bool is_it =
        handle_class == FTH_CLASS_fd || fth_generation_of[FTH_CLASS_fd][underneath] == basis;
    fth_unlock(&class->lock);
    if (is_it)
        fth_identity_note(draft, fth_class_names[handle_class], slot, &file, draft->recorder->path,
                          length);
}

/* What is known of the file of a descriptor, or of that underneath a stream; mostly nothing has to
 * be noted. Whoever changes it meanwhile makes another binding, which is noted then. */
static void note_identity(struct fth_draft *draft, uint32_t handle_class, int32_t slot)
{
    const struct fth_slot_binding *binding = &fth_handle_classes[handle_class].bindings[slot];
    struct noting noting = {draft, handle_class, slot};
    int32_t underneath = handle_class == FTH_CLASS_fd ? slot : binding->underneath;
    if (underneath < 0)
        return;
    binding = &fth_handle_classes[FTH_CLASS_fd].bindings[underneath];
    if (binding->real_length || binding->file.is_reported || binding->file.tells_size)
        fth_on_own_stack(note_file, &noting);
}

/* Where a thread keeps that it has noted the slot. */
static inline uint32_t place_of_bound(uint32_t handle_class, int32_t slot)
{
    return ((uint32_t)slot + handle_class * 131) & (FTH_BOUND - 1);
}

static __attribute__((noinline)) void note_binding(struct fth_draft *draft, uint32_t handle_class,
                                                   int32_t slot, uint32_t generation)
{
    struct fth_recorder *recorder = draft->recorder;
    if (!fth_process || fth_process->stopped)
        return;
    int before = errno;
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    const struct fth_slot_binding *binding = &class->bindings[slot];
    fth_lock(&class->lock);
    size_t length = binding->length;
    memcpy(recorder->path, binding->path, length);
    int64_t number = binding->number == FTH_NO_NUMBER ? 0 : binding->number - slot;
    int32_t flags = binding->flags, descriptor = binding->number;
    fth_unlock(&class->lock);
    forget_cursor(recorder, handle_class, slot);
    bool noted = fth_record_binding(draft, fth_class_names[handle_class], slot, number,
                                    recorder->path, length);
    if (flags < 0 && descriptor != FTH_NO_NUMBER && generation <= fth_inherited_generations)
        flags = (int32_t)syscall(SYS_fcntl, descriptor, F_GETFL);
    if (flags >= 0)
        fth_record_binding(draft, FTH_FLAGS_CLASS, slot, flags, "", 0);
    if (noted)
        note_identity(draft, handle_class, slot);
    class->bindings[slot].has_cut_unnoted = false;
    uint32_t at = place_of_bound(handle_class, slot);
    recorder->bound[at].slot = slot;
    recorder->bound[at].generation = noted ? generation : 0;
    recorder->bound[at].handle_class = handle_class;
    errno = before;
}

/* Each call comes here for each of its handles, and mostly that is all. */
void fth_note_binding(struct fth_draft *draft, uint32_t handle_class, int32_t slot)
{
    if (slot < 0)
        return;
    uint32_t generation = __atomic_load_n(&fth_generation_of[handle_class][slot], __ATOMIC_ACQUIRE);
    if (!generation)
        return; /* it never had a name */
    const struct fth_recorder *recorder = draft->recorder;
    uint32_t at = place_of_bound(handle_class, slot);
    if (FTH_UNLIKELY(recorder->bound[at].generation != generation ||
                     recorder->bound[at].slot != slot ||
                     recorder->bound[at].handle_class != handle_class))
        note_binding(draft, handle_class, slot, generation);
}

void fth_note_folder(struct fth_draft *draft, int descriptor)
{
    int before = errno;
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    struct fth_handle_class *class = &fth_handle_classes[FTH_CLASS_fd];
    uint64_t renames = fth_folder_renames();
    if (slot < 0 || class->bindings[slot].renames == renames)
        return;
    const char *path = fth_path_of_descriptor(descriptor);
    size_t length = strlen(path);
    fth_lock(&class->lock);
    struct fth_slot_binding *binding = &class->bindings[slot];
    bool is_moved = length && (binding->length != length || !binding->path ||
                               memcmp(binding->path, path, length) != 0);
    if (is_moved && fth_keep_text(&binding->path, &binding->path_size, path, length)) {
        binding->length = (uint32_t)length;
        fth_slot_renew(FTH_CLASS_fd, slot);
    }
    binding->renames = renames;
    fth_unlock(&class->lock);
    if (is_moved)
        fth_note_binding(draft, FTH_CLASS_fd, slot);
    errno = before;
}

void fth_note_handed_over(struct fth_draft *draft)
{
    struct fth_handle_class *class = &fth_handle_classes[FTH_CLASS_fd];
    fth_standings_copied();
    for (int32_t slot = 0; class->bindings && slot < FTH_SLOTS; slot++) {
        uint64_t taken = __atomic_load_n(&class->taken[slot / 64], __ATOMIC_RELAXED);
        struct fth_identity_known *file = &class->bindings[slot].file;
        if (!taken)
            slot |= 63; /* and on to the next word */
        else if ((taken >> slot % 64 & 1) && file->inode && !file->is_reported) {
            bool was_cut = class->bindings[slot].has_cut_unnoted;
            fth_note_binding(draft, FTH_CLASS_fd, slot);
            class->bindings[slot].has_cut_unnoted = was_cut; /* no call is about it */
            file->is_reported = true;
            file->tells_size = false; /* the binding has said it */
            note_identity(draft, FTH_CLASS_fd, slot);
        }
    }
}

void fth_note_unused_cuts(void)
{
    static char text[FTH_LONGEST_PATH + 64];
    struct fth_handle_class *class = &fth_handle_classes[FTH_CLASS_fd];
    for (int32_t slot = 0; class->bindings && slot < FTH_SLOTS; slot++) {
        if (!class->taken[slot / 64])
            slot |= 63; /* and on to the next word */
        else if ((class->taken[slot / 64] >> slot % 64 & 1) &&
                 class->bindings[slot].has_cut_unnoted) {
            char *end = fth_put_text(text, "which file was emptied by the name ");
            memcpy(end, class->bindings[slot].path, class->bindings[slot].length);
            end[class->bindings[slot].length] = 0;
            class->bindings[slot].has_cut_unnoted = false;
            fth_process_note("unseen=", text);
            return;
        }
    }
}
