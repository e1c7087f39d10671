/* Handles become slots: the smallest free number of their class in this process. A slot is given
 * back before the real close and taken after the real open, so what another thread opens meanwhile
 * never shares one.
 *
 * Descriptors are found through an array, other handles (addresses, library integers) through a
 * hash table (slot_table.h), without a lock. A slot's binding (path or name) carries a generation;
 * a thread that meets a generation it has not noted yet notes the binding as a call of its own. */
#include "capture/follow/handle_slots.h"

#include "calls.h"
#include "capture/follow/descriptor_identity.h"
#include "capture/follow/paths.h"
#include "capture/follow/slot_table.h"
#include "capture/follow/standing.h"
#include "capture/follow/written_files.h"
#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "capture/record/steps.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"
#include "interpose/own/stack.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SLOTS = FTH_SLOTS,
    DESCRIPTORS = 65536,
    NO_NUMBER = -1,
};

struct binding {
    uint32_t basis; /* of a stream: generation of the descriptor underneath, and its slot */
    int32_t underneath;
    int32_t number; /* the descriptor itself, or NO_NUMBER */
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

struct handle_class {
    struct fth_lock lock;
    uint64_t *taken;                /* bits of slots; NULL: none was ever taken */
    uint64_t full[SLOTS / 64 / 64]; /* bits of these words: it has no free slot */
    struct binding *bindings;       /* by slot; NULL: none was ever taken */
    struct fth_memory_table room;   /* that they are in */
    struct fth_slot_places places;  /* not of descriptors */
};

static struct handle_class classes[FTH_CLASSES];
/* Apart from the classes, which every forked child goes through: their pages would be copied. */
static uint64_t slots_taken[FTH_CLASSES][SLOTS / 64];
/* Of bindings, by slot, as far as these were taken; 0: it never had a name. Apart from them, as
 * each call asks for those of its handles, and mostly for nothing else. */
static uint32_t *generation_of[FTH_CLASSES];
static struct fth_memory_table generation_room[FTH_CLASSES];
static uint32_t generations;
static uint32_t
    /* up to this one bindings are those of the process that forked this one */
    inherited_generations;
/* slot + 1; 0: never seen; EXCLUDED_DESCRIPTOR: left out by the filters, as EXCLUDED_COUNTER, one
 * of eventfd, or as EXCLUDED_LINKS, in /proc or /dev, from
 * which links lead anywhere */
static int32_t slot_of_descriptor[DESCRIPTORS];
enum { EXCLUDED_DESCRIPTOR = -1, EXCLUDED_COUNTER = -2, EXCLUDED_LINKS = -3 };

void (*fth_name_object)(uint32_t handle_class, uint64_t handle, char *name, size_t size);

/* generated: names and forms of the classes of the catalogue */
extern const char *fth_class_names[];
extern const uint8_t fth_class_forms[];

/* ---- slots and bindings ---- */

static bool has_memory(struct handle_class *class, int32_t slot)
{
    struct fth_memory_table *generations_room = &generation_room[class - classes];
    class->room.most = generations_room->most = SLOTS;
    class->room.size = sizeof *class->bindings;
    generations_room->size = sizeof **generation_of;
    if (!fth_table_reach(&class->room, (size_t)slot) ||
        !fth_table_reach(generations_room, (size_t)slot) ||
        (class == &classes[FTH_CLASS_fd] && !fth_standing_is_kept(slot)))
        return false;
    class->bindings = class->room.start;
    generation_of[class - classes] = generations_room->start;
    return true;
}

static struct fth_handle_name name_of(const char *path)
{
    return (struct fth_handle_name){path ? path : "", path ? strlen(path) : 0};
}

/* A slot that stays without a name needs no note that it has none; nor does one that never had a
 * name, but that of a descriptor, which has a number. */
static void bind_slot(struct handle_class *class, int32_t slot, int32_t number,
                      struct fth_handle_name name)
{
    struct binding *binding = &class->bindings[slot];
    uint32_t *generation = &generation_of[class - classes][slot];
    if (!*generation && number == NO_NUMBER && !name.length)
        return;
    bool is_as_before =
        *generation && binding->number == number && !name.length && !binding->length;
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
        __atomic_store_n(generation, __atomic_add_fetch(&generations, 1, __ATOMIC_RELAXED),
                         __ATOMIC_RELEASE);
}

/* Under the lock of the class, as what follows. */
static int32_t free_slot(const struct handle_class *class, int32_t from)
{
    uint64_t mask = UINT64_MAX << from % 64, free = ~class->taken[from / 64] & mask;
    if (free)
        return from / 64 * 64 + __builtin_ctzll(free);
    for (int32_t word = from / 64 + 1; word < SLOTS / 64; word = (word / 64 + 1) * 64) {
        uint64_t open = ~class->full[word / 64] & UINT64_MAX << word % 64;
        int32_t first = word / 64 * 64 + (open ? __builtin_ctzll(open) : 0);
        if (open)
            return first * 64 + __builtin_ctzll(~class->taken[first]);
    }
    return FTH_SLOT_UNKNOWN;
}

/* The smallest free slot from this one on, or else at all. */
static int32_t take_slot(struct handle_class *class, int32_t from, int32_t number,
                         struct fth_handle_name name)
{
    class->taken = slots_taken[class - classes];
    int32_t slot = free_slot(class, from);
    if (slot < 0)
        slot = free_slot(class, 0);
    if (slot < 0 || !has_memory(class, slot))
        return FTH_SLOT_UNKNOWN;
    class->taken[slot / 64] |= 1ull << slot % 64;
    if (class->taken[slot / 64] == UINT64_MAX)
        class->full[slot / 64 / 64] |= 1ull << slot / 64 % 64;
    bind_slot(class, slot, number, name);
    return slot;
}

static void give_slot(struct handle_class *class, int32_t slot)
{
    if (slot < 0)
        return;
    class->taken[slot / 64] &= ~(1ull << slot % 64);
    class->full[slot / 64 / 64] &= ~(1ull << slot / 64 % 64);
}

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
    struct handle_class *class = &classes[FTH_CLASS_fd];
    const struct binding *binding = &classes[handle_class].bindings[slot];
    fth_lock(&class->lock);
    uint32_t basis = binding->basis;
    int32_t underneath = handle_class == FTH_CLASS_fd ? slot : binding->underneath;
    binding = &class->bindings[underneath];
    struct fth_identity_known file = binding->file;
    size_t length = binding->real_length;
    if (length)
        memcpy(draft->recorder->path, binding->real, length);
    bool is_it = handle_class == FTH_CLASS_fd || generation_of[FTH_CLASS_fd][underneath] == basis;
    fth_unlock(&class->lock);
    if (is_it)
        fth_identity_note(draft, fth_class_names[handle_class], slot, &file, draft->recorder->path,
                          length);
}

/* What is known of the file of a descriptor, or of that underneath a stream; mostly nothing has to
 * be noted. Whoever changes it meanwhile makes another binding, which is noted then. */
static void note_identity(struct fth_draft *draft, uint32_t handle_class, int32_t slot)
{
    const struct binding *binding = &classes[handle_class].bindings[slot];
    struct noting noting = {draft, handle_class, slot};
    int32_t underneath = handle_class == FTH_CLASS_fd ? slot : binding->underneath;
    if (underneath < 0)
        return;
    binding = &classes[FTH_CLASS_fd].bindings[underneath];
    if (binding->real_length || binding->file.is_reported || binding->file.tells_size)
        fth_on_own_stack(note_file, &noting);
}

void fth_note_binding(struct fth_draft *draft, uint32_t handle_class, int32_t slot)
{
    struct fth_recorder *recorder = draft->recorder;
    uint32_t generation =
        slot < 0 ? 0 : __atomic_load_n(&generation_of[handle_class][slot], __ATOMIC_ACQUIRE);
    if (!generation)
        return; /* it never had a name */
    uint32_t at = ((uint32_t)slot + handle_class * 131) & (FTH_BOUND - 1);
    if (FTH_LIKELY(recorder->bound[at].generation == generation &&
                   recorder->bound[at].slot == slot &&
                   recorder->bound[at].handle_class == handle_class))
        return;
    if (!fth_process || fth_process->stopped)
        return;
    int before = errno;
    struct handle_class *class = &classes[handle_class];
    const struct binding *binding = &class->bindings[slot];
    fth_lock(&class->lock);
    size_t length = binding->length;
    memcpy(recorder->path, binding->path, length);
    int64_t number = binding->number == NO_NUMBER ? 0 : binding->number - slot;
    int32_t flags = binding->flags, descriptor = binding->number;
    fth_unlock(&class->lock);
    forget_cursor(recorder, handle_class, slot);
    bool noted = fth_record_binding(draft, fth_class_names[handle_class], slot, number,
                                    recorder->path, length);
    if (flags < 0 && descriptor != NO_NUMBER && generation <= inherited_generations)
        flags = (int32_t)syscall(SYS_fcntl, descriptor, F_GETFL);
    if (flags >= 0)
        fth_record_binding(draft, FTH_FLAGS_CLASS, slot, flags, "", 0);
    if (noted)
        note_identity(draft, handle_class, slot);
    class->bindings[slot].has_cut_unnoted = false;
    recorder->bound[at].slot = slot;
    recorder->bound[at].generation = noted ? generation : 0;
    recorder->bound[at].handle_class = handle_class;
    errno = before;
}

void fth_note_folder(struct fth_draft *draft, int descriptor)
{
    int before = errno;
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, descriptor);
    struct handle_class *class = &classes[FTH_CLASS_fd];
    uint64_t renames = fth_folder_renames();
    if (slot < 0 || class->bindings[slot].renames == renames)
        return;
    const char *path = fth_path_of_descriptor(descriptor);
    size_t length = strlen(path);
    fth_lock(&class->lock);
    struct binding *binding = &class->bindings[slot];
    bool is_moved = length && (binding->length != length || !binding->path ||
                               memcmp(binding->path, path, length) != 0);
    if (is_moved && fth_keep_text(&binding->path, &binding->path_size, path, length)) {
        binding->length = (uint32_t)length;
        __atomic_store_n(&generation_of[FTH_CLASS_fd][slot],
                         __atomic_add_fetch(&generations, 1, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
    }
    binding->renames = renames;
    fth_unlock(&class->lock);
    if (is_moved)
        fth_note_binding(draft, FTH_CLASS_fd, slot);
    errno = before;
}

void fth_note_handed_over(struct fth_draft *draft)
{
    struct handle_class *class = &classes[FTH_CLASS_fd];
    fth_standings_copied();
    for (int32_t slot = 0; class->bindings && slot < SLOTS; slot++) {
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

/* ---- descriptors ---- */

static bool is_descriptor(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS;
}

/* Does a reader, who knows the paths of calls and what slots are bound to, take the folder for the
 * one that `absolute` begins with? */
static bool is_known_folder(int directory, const char *absolute)
{
    if (directory == AT_FDCWD || !is_descriptor(directory) || slot_of_descriptor[directory] <= 0)
        return !fth_leads_elsewhere(directory);
    struct handle_class *class = &classes[FTH_CLASS_fd];
    fth_lock(&class->lock);
    const struct binding *binding = &class->bindings[slot_of_descriptor[directory] - 1];
    bool known = binding->path && strncmp(binding->path, absolute, binding->length) == 0 &&
                 (binding->length == 1 || absolute[binding->length] == '/');
    fth_unlock(&class->lock);
    return known;
}

/* Under the lock. `real`: NULL where the path is the file's own. */
static void set_file(struct binding *binding, struct fth_identity_known file, const char *real)
{
    size_t length = real ? strlen(real) : 0;
    binding->file = file;
    if (length && fth_keep_text(&binding->real, &binding->real_size, real, length))
        binding->real_length = (uint32_t)length;
}

/* Sockets that a library makes inside one of its calls are its own: what goes through them is known
 * from the call (messages of MPI). */
static bool is_wanted(const char *path, bool is_made)
{
    bool of_library = is_made && fth_self->depth > 1 && strncmp(path, "socket:", 7) == 0;
    return fth_absolute_path_is_wanted(path, FTH_PATH_READ) &&
           (!of_library || fth_absolute_path_is_wanted("library socket", FTH_PATH_READ));
}

/* Counters of events (eventfd), and descriptors of signals (signalfd), as the system reports it. */
static bool is_of_counter(const char *path)
{
    return strcmp(path, "anon_inode:[eventfd]") == 0 || strcmp(path, "anon_inode:[signalfd]") == 0;
}

uint64_t fth_counter_handle(int descriptor)
{
    return (uint64_t)descriptor + 1; /* 0 is none */
}

/* A file that was opened without a name (O_TMPFILE) is called what the system calls it, in the
 * folder that open was given: "/tmp/#1234 (deleted)". `path` stands where that goes. */
static const char *nameless(int descriptor, const char *path)
{
    size_t length = strlen(path) + 1;
    memcpy(fth_self->text, path, length);
    const char *name = fth_path_of_descriptor(descriptor), *last = strrchr(name, '/');
    if (last && last[1] == '#')
        return name;
    memcpy(fth_self->path, fth_self->text, length);
    return fth_self->path;
}

/* `flags`: of one that was there before; else -1. `directory`: what the path that it was opened by
 * is relative to. */
static int32_t bind_descriptor(uint32_t handle_class, int descriptor, const char *path, long flags,
                               int directory)
{
    bool wanted = is_wanted(path, flags < 0), counts = !wanted && is_of_counter(path);
    struct handle_class *class = &classes[handle_class];
    struct fth_identity_known file = {0};
    const char *real = NULL;
    if (wanted)
        file = fth_identity_of(descriptor);
    if (file.inode && !file.links && flags < 0 && !file.is_folder)
        path = nameless(descriptor, path);
    if (file.inode && (file.links || flags < 0))
        real = fth_real_path(descriptor, is_known_folder(directory, path) ? path : "", &file);
    if (!real && *path != '/') /* that of its folder is longer than a path may be */
        file.is_reported = true;
    if (file.is_folder) /* its path says which one it is, and where names relative to it are */
        file = (struct fth_identity_known){0};
    file.is_reported = file.inode && (file.is_reported || flags >= 0);
    if (file.links > 1 && (syscall(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY)
        fth_names_are_written(&file, path);
    if (counts)
        fth_close_handle(FTH_CLASS_counter, fth_counter_handle(descriptor));
    fth_lock(&class->lock);
    int32_t known = slot_of_descriptor[descriptor];
    if (known > 0)
        give_slot(class, known - 1); /* closed behind our back */
    int32_t slot = FTH_EXCLUDED;
    if (wanted)
        slot = take_slot(class, 0, descriptor, name_of(path));
    if (slot >= 0) {
        class->bindings[slot].flags = (int32_t)flags;
        set_file(&class->bindings[slot], file, real);
        fth_standing_begins(slot, flags < 0);
    }
    __atomic_store_n(&slot_of_descriptor[descriptor],
                     wanted   ? slot + 1
                     : counts ? EXCLUDED_COUNTER
                     : strncmp(path, "/proc", 5) == 0 || strncmp(path, "/dev", 4) == 0
                         ? EXCLUDED_LINKS
                         : EXCLUDED_DESCRIPTOR,
                     __ATOMIC_RELEASE);
    fth_unlock(&class->lock);
    return slot;
}

int32_t fth_open_descriptor(uint32_t handle_class, int descriptor, const char *path, int directory)
{
    int before = errno;
    if (!is_descriptor(descriptor))
        return FTH_SLOT_UNKNOWN;
    const char *absolute =
        path ? fth_make_absolute(path, directory) : fth_path_of_descriptor(descriptor);
    int32_t slot = bind_descriptor(handle_class, descriptor, absolute, -1, directory);
    if (!path) /* it may be a copy of one that others have */
        fth_standing_begins(slot, false);
    errno = before;
    return slot;
}

/* What it may make longer: where its end was says which bytes were there before. */
void fth_opened_with(int64_t slot, int flags)
{
    if (slot < 0)
        return;
    struct binding *binding = &classes[FTH_CLASS_fd].bindings[slot];
    struct fth_identity_known *file = &binding->file;
    bool lengthens = (flags & O_ACCMODE) != O_RDONLY && !(flags & (O_TRUNC | O_EXCL));
    if (flags & O_APPEND)
        fth_standing_is_asked(slot);
    if (lengthens && file->size)
        file->tells_size = fth_identity_is_first(file);
    binding->has_cut_unnoted = (flags & O_TRUNC) && (binding->real_length || file->is_reported);
}

void fth_note_unused_cuts(void)
{
    static char text[FTH_LONGEST_PATH + 64];
    struct handle_class *class = &classes[FTH_CLASS_fd];
    for (int32_t slot = 0; class->bindings && slot < SLOTS; slot++) {
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

/* It was opened where nobody saw it: the trace has to say with which flags, and where it stands. */
void fth_descriptor_is_taken_out(int descriptor)
{
    int32_t slot = is_descriptor(descriptor) ? slot_of_descriptor[descriptor] - 1 : -1;
    struct binding *binding = slot < 0 ? NULL : &classes[FTH_CLASS_fd].bindings[slot];
    if (!binding || binding->flags >= 0)
        return;
    int before = errno;
    binding->flags = (int32_t)syscall(SYS_fcntl, descriptor, F_GETFL);
    fth_standing_is_asked(slot);
    errno = before;
}

int32_t fth_find_descriptor(uint32_t handle_class, int descriptor)
{
    if (FTH_UNLIKELY(!is_descriptor(descriptor)))
        return descriptor == AT_FDCWD ? FTH_SLOT_NONE
               : descriptor == -1     ? FTH_SLOT_NO_DESCRIPTOR
                                      : FTH_SLOT_UNKNOWN;
    int32_t known = __atomic_load_n(&slot_of_descriptor[descriptor], __ATOMIC_ACQUIRE);
    if (FTH_LIKELY(known > 0))
        return known - 1;
    if (known < 0)
        return FTH_EXCLUDED;
    int before = errno;
    /* a program may try one that is not open often; to ask for its path takes 20 times as long */
    long flags = syscall(SYS_fcntl, descriptor, F_GETFL);
    const char *path = flags < 0 ? "" : fth_path_of_descriptor(descriptor);
    int32_t slot = FTH_SLOT_UNKNOWN;
    if (*path)
        slot = bind_descriptor(handle_class, descriptor, path, flags, AT_FDCWD);
    errno = before;
    return slot;
}

bool fth_is_left_out_counter(int descriptor)
{
    return is_descriptor(descriptor) &&
           __atomic_load_n(&slot_of_descriptor[descriptor], __ATOMIC_ACQUIRE) == EXCLUDED_COUNTER;
}

bool fth_leads_elsewhere(int descriptor)
{
    return is_descriptor(descriptor) &&
           __atomic_load_n(&slot_of_descriptor[descriptor], __ATOMIC_ACQUIRE) == EXCLUDED_LINKS;
}

uint32_t fth_descriptor_generation(uint32_t handle_class, int descriptor)
{
    int32_t slot = fth_find_descriptor(handle_class, descriptor);
    return slot < 0 ? 0 : __atomic_load_n(&generation_of[handle_class][slot], __ATOMIC_ACQUIRE);
}

int32_t fth_close_descriptor(uint32_t handle_class, int descriptor)
{
    int32_t slot = fth_find_descriptor(handle_class, descriptor);
    if (!is_descriptor(descriptor))
        return slot;
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    give_slot(class, slot);
    __atomic_store_n(&slot_of_descriptor[descriptor], 0, __ATOMIC_RELEASE);
    fth_unlock(&class->lock);
    return slot;
}

/* ---- other handles ---- */

/* Under the lock. */
static int32_t bind_handle(struct handle_class *class, uint64_t handle, int32_t from,
                           struct fth_handle_name name, bool wanted)
{
    int32_t before = fth_places_find(&class->places, handle);
    if (before >= 0)
        give_slot(class, before); /* closed behind our back */
    int32_t slot = FTH_SLOT_UNKNOWN;
    if (fth_places_have_room(&class->places))
        slot = wanted ? take_slot(class, from, NO_NUMBER, name) : FTH_EXCLUDED;
    if (slot == FTH_SLOT_UNKNOWN)
        fth_places_remove(&class->places, handle);
    else
        fth_places_set(&class->places, handle, slot);
    return slot;
}

static int32_t bind_if(bool wanted, uint32_t handle_class, uint64_t handle,
                       struct fth_handle_name name)
{
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = bind_handle(class, handle, 0, name, wanted);
    fth_unlock(&class->lock);
    return slot;
}

int32_t fth_bind_handle_at(uint32_t handle_class, uint64_t handle, int32_t slot)
{
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    int32_t taken = bind_handle(class, handle, slot < 0 ? 0 : slot, name_of(NULL), true);
    fth_unlock(&class->lock);
    return taken;
}

int32_t fth_free_slot(uint32_t handle_class, int32_t from)
{
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = from < SLOTS ? free_slot(class, from) : FTH_SLOT_UNKNOWN;
    fth_unlock(&class->lock);
    return slot;
}

int32_t fth_bind_handle(uint32_t handle_class, uint64_t handle, const char *name)
{
    bool wanted = fth_class_forms[handle_class] != FTH_CLASS_FILE ||
                  fth_absolute_path_is_wanted(name, FTH_PATH_READ);
    return bind_if(wanted, handle_class, handle, name_of(name));
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

int32_t fth_find_handle(uint32_t handle_class, uint64_t handle)
{
    struct handle_class *class = &classes[handle_class];
    int32_t slot;
    if (FTH_LIKELY(fth_places_look(&class->places, handle, &slot)))
        return slot;
    fth_lock(&class->lock);
    slot = fth_places_find(&class->places, handle);
    fth_unlock(&class->lock);
    return slot;
}

size_t fth_handle_name(uint32_t handle_class, int32_t slot, char *to)
{
    struct handle_class *class = &classes[handle_class];
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
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    const struct binding *binding = &class->bindings[slot];
    bool same = binding->length == name.length &&
                (!name.length || memcmp(binding->path, name.text, name.length) == 0);
    fth_unlock(&class->lock);
    return same;
}

uint32_t fth_handle_basis(uint32_t handle_class, int32_t slot, uint32_t basis)
{
    return slot < 0 ? basis : classes[handle_class].bindings[slot].basis;
}

void fth_handle_stands_on(uint32_t handle_class, int32_t slot, int descriptor)
{
    uint32_t basis = descriptor < 0 ? 0 : fth_descriptor_generation(FTH_CLASS_fd, descriptor);
    if (slot < 0 || !basis)
        return;
    classes[handle_class].bindings[slot].basis = basis;
    classes[handle_class].bindings[slot].underneath = slot_of_descriptor[descriptor] - 1;
}

int32_t fth_close_handle(uint32_t handle_class, uint64_t handle)
{
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    int32_t slot = fth_places_remove(&class->places, handle);
    give_slot(class, slot);
    fth_unlock(&class->lock);
    return slot;
}

void fth_handles_forget_class(uint32_t handle_class)
{
    struct handle_class *class = &classes[handle_class];
    fth_lock(&class->lock);
    if (class->taken)
        memset(class->taken, 0, sizeof slots_taken[0]);
    memset(class->full, 0, sizeof class->full);
    fth_places_clear(&class->places);
    fth_unlock(&class->lock);
}

void fth_handles_forget(void)
{
    for (unsigned i = 0; i < FTH_CLASSES; i++)
        fth_handles_forget_class(i);
    memset(slot_of_descriptor, 0, sizeof slot_of_descriptor);
    fth_directory_changed();
}

/* In a forked child: locks that other threads held are free. */
void fth_handles_in_child(void)
{
    inherited_generations = generations;
    fth_standings_in_child();
    fth_identity_in_child();
    for (unsigned i = 0; i < FTH_CLASSES; i++) {
        if (classes[i].lock.owner)
            classes[i].lock.owner = NULL;
        fth_places_settle(&classes[i].places);
    }
    fth_paths_in_child();
    fth_text_memory_in_child();
}
