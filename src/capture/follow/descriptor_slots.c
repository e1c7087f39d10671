/* Descriptors, and the slots that they have: found through an array, without a lock. */
#include "capture/follow/bound_slots.h"

#include "capture/follow/paths.h"
#include "capture/follow/standing.h"
#include "capture/follow/written_files.h"
#include "capture/process/process.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536 };

/* slot + 1; 0: never seen; EXCLUDED_DESCRIPTOR: left out by the filters, as EXCLUDED_COUNTER, one
 * of eventfd, or as EXCLUDED_LINKS, in /proc or /dev, from which links lead anywhere */
static int32_t slot_of_descriptor[DESCRIPTORS];
enum { EXCLUDED_DESCRIPTOR = -1, EXCLUDED_COUNTER = -2, EXCLUDED_LINKS = -3 };

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
    struct fth_handle_class *class = &fth_handle_classes[FTH_CLASS_fd];
    fth_lock(&class->lock);
    const struct fth_slot_binding *binding = &class->bindings[slot_of_descriptor[directory] - 1];
    bool known = binding->path && strncmp(binding->path, absolute, binding->length) == 0 &&
                 (binding->length == 1 || absolute[binding->length] == '/');
    fth_unlock(&class->lock);
    return known;
}

/* Under the lock. `real`: NULL where the path is the file's own. */
static void set_file(struct fth_slot_binding *binding, struct fth_identity_known file,
                     const char *real)
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

/* Of the path of a descriptor that is a pipe: how the system calls it; NULL: it is none. */
static const char *pipe_behind(const char *path)
{
    const char *led = fth_led_to(path);
    return led != path && fth_is_pipe_name(led) ? led : NULL;
}

/* `flags`: of one that was there before; else -1. `directory`: what the path that it was opened by
 * is relative to. */
static int32_t bind_descriptor(uint32_t handle_class, int descriptor, const char *path, long flags,
                               int directory)
{
    bool wanted = is_wanted(path, flags < 0), counts = !wanted && is_of_counter(path);
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    struct fth_identity_known file = {0};
    const char *real = NULL;
    if (wanted)
        file = fth_identity_of(descriptor);
    if (file.inode && !file.links && flags < 0 && !file.is_folder)
        path = nameless(descriptor, path);
    if (file.inode && (file.links || flags < 0))
        real = fth_real_path(descriptor, is_known_folder(directory, path) ? path : "", &file);
    if (wanted && !file.inode && flags < 0)
        real = pipe_behind(path);
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
        fth_slot_give(class, known - 1); /* closed behind our back */
    int32_t slot = FTH_EXCLUDED;
    if (wanted)
        slot = fth_slot_take(class, 0, descriptor, fth_slot_name(path));
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

int32_t fth_copy_descriptor(uint32_t handle_class, int descriptor, int32_t of)
{
    int32_t slot = fth_open_descriptor(handle_class, descriptor, NULL, AT_FDCWD);
    fth_standing_is_copied(slot, of);
    return slot;
}

/* What it may make longer: where its end was says which bytes were there before. */
void fth_opened_with(int64_t slot, int flags)
{
    if (slot < 0)
        return;
    struct fth_slot_binding *binding = &fth_handle_classes[FTH_CLASS_fd].bindings[slot];
    struct fth_identity_known *file = &binding->file;
    bool lengthens = (flags & O_ACCMODE) != O_RDONLY && !(flags & (O_TRUNC | O_EXCL));
    if (flags & O_APPEND)
        fth_standing_is_asked(slot);
    if (lengthens && file->size)
        file->tells_size = fth_identity_is_first(file);
    binding->has_cut_unnoted = (flags & O_TRUNC) && (binding->real_length || file->is_reported);
}

/* It was opened where nobody saw it: the trace has to say with which flags, and where it stands. */
void fth_descriptor_is_taken_out(int descriptor)
{
    int32_t slot = is_descriptor(descriptor) ? slot_of_descriptor[descriptor] - 1 : -1;
    struct fth_slot_binding *binding =
        slot < 0 ? NULL : &fth_handle_classes[FTH_CLASS_fd].bindings[slot];
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
    return slot < 0 ? 0 : __atomic_load_n(&fth_generation_of[handle_class][slot], __ATOMIC_ACQUIRE);
}

int32_t fth_close_descriptor(uint32_t handle_class, int descriptor)
{
    int32_t slot = fth_find_descriptor(handle_class, descriptor);
    if (!is_descriptor(descriptor))
        return slot;
    struct fth_handle_class *class = &fth_handle_classes[handle_class];
    fth_lock(&class->lock);
    fth_slot_give(class, slot);
    __atomic_store_n(&slot_of_descriptor[descriptor], 0, __ATOMIC_RELEASE);
    fth_unlock(&class->lock);
    return slot;
}

/* ---- streams and the like, on descriptors ---- */

uint32_t fth_handle_basis(uint32_t handle_class, int32_t slot, uint32_t basis)
{
    return slot < 0 ? basis : fth_handle_classes[handle_class].bindings[slot].basis;
}

void fth_handle_stands_on(uint32_t handle_class, int32_t slot, int descriptor)
{
    uint32_t basis = descriptor < 0 ? 0 : fth_descriptor_generation(FTH_CLASS_fd, descriptor);
    if (slot < 0 || !basis)
        return;
    fth_handle_classes[handle_class].bindings[slot].basis = basis;
    fth_handle_classes[handle_class].bindings[slot].underneath = slot_of_descriptor[descriptor] - 1;
}

/* ---- all handles ---- */

void fth_handles_forget(void)
{
    for (unsigned i = 0; i < FTH_CLASSES; i++)
        fth_handles_forget_class(i);
    memset(slot_of_descriptor, 0, sizeof slot_of_descriptor);
    fth_directory_changed();
}

void fth_handles_in_child(void)
{
    fth_slots_in_child();
    fth_standings_in_child();
    fth_identity_in_child();
    fth_paths_in_child();
    fth_text_memory_in_child();
}
