/* What handles are: their slots, and the paths and names that they are bound to. */
#ifndef FTH_CAPTURE_FOLLOW_HANDLE_SLOTS_H
#define FTH_CAPTURE_FOLLOW_HANDLE_SLOTS_H

#include "capture/follow/paths.h"
#include "capture/record/runtime.h"

enum { FTH_EXCLUDED = -3 }; /* slot of a handle that the filters leave out */

/* The slot of a handle, adopted when it was never seen; FTH_EXCLUDED: do not record the call. */
int32_t fth_find_descriptor(uint32_t handle_class, int descriptor) FTH_PUBLIC;
int32_t fth_find_handle(uint32_t handle_class, uint64_t handle) FTH_PUBLIC;
/* Is the descriptor of a folder of processes, which the filters leave out, though what is named
 * there may be a file that they do not? */
bool fth_leads_elsewhere(int descriptor) FTH_PUBLIC;
/* Is the descriptor one of a counter of events or of signals (wrap/counters.c) that the filters
 * leave out? And its handle as one. */
bool fth_is_left_out_counter(int descriptor);
uint64_t fth_counter_handle(int descriptor);
/* Changes when the descriptor is bound anew; 0: not known. */
uint32_t fth_descriptor_generation(uint32_t handle_class, int descriptor);
/* The generation of the descriptor that the binding in the slot stands on; of no slot, `basis`. */
uint32_t fth_handle_basis(uint32_t handle_class, int32_t slot, uint32_t basis);
/* It stands on this descriptor from now on. */
void fth_handle_stands_on(uint32_t handle_class, int32_t slot, int descriptor);
/* Descriptors go to another process with all that is open: from now on the trace has to say which
 * files they are of. Before the call's values are kept. */
void fth_note_handed_over(struct fth_draft *draft);
/* A handle was made. `path` as given, relative to `directory` (a descriptor or AT_FDCWD); NULL: ask
 * the system. */
int32_t fth_open_descriptor(uint32_t handle_class, int descriptor, const char *path,
                            int directory) FTH_PUBLIC;
/* A descriptor was made that is a copy of the one in slot `of`. */
int32_t fth_copy_descriptor(uint32_t handle_class, int descriptor, int32_t of) FTH_PUBLIC;
/* The flags that it was opened with. `slot`: below 0, if it has none. */
void fth_opened_with(int64_t slot, int flags);
/* The process ends: files that it emptied by a link, or one of several names, through descriptors
 * that it has not used since, are known to nobody who reads the trace. */
void fth_note_unused_cuts(void);
/* The program asks for the descriptor of a stream, and is going to use it. */
void fth_descriptor_is_taken_out(int descriptor);
int32_t fth_open_handle(uint32_t handle_class, uint64_t handle, const char *path) FTH_PUBLIC;
/* A handle without a name, in this slot if it is free. */
int32_t fth_bind_handle_at(uint32_t handle_class, uint64_t handle, int32_t slot) FTH_PUBLIC;
/* The smallest free slot from this one on; FTH_SLOT_UNKNOWN: there is none. */
int32_t fth_free_slot(uint32_t handle_class, int32_t from) FTH_PUBLIC;
/* The same with its whole name: an absolute path, or what the system calls something that is no
 * file ("pipe:[1234]"). */
int32_t fth_bind_handle(uint32_t handle_class, uint64_t handle, const char *name);
/* It is about to be given up: its slot is free from now on. Returns the slot it had. */
int32_t fth_close_descriptor(uint32_t handle_class, int descriptor) FTH_PUBLIC;
int32_t fth_close_handle(uint32_t handle_class, uint64_t handle) FTH_PUBLIC;
/* Notes, as a call of its own, what the slot is bound to, if this thread has not noted it yet.
 * Before the call's values are kept. */
void fth_note_binding(struct fth_draft *draft, uint32_t handle_class, int32_t slot) FTH_PUBLIC;
/* Notes the working directory if it changed, for a relative path. */
/* The same of a folder that a descriptor is of, if one may have been renamed since. */
void fth_note_folder(struct fth_draft *draft, int descriptor) FTH_PUBLIC;
void fth_note_directory(struct fth_draft *draft, const char *path) FTH_PUBLIC;

/* Do the filters want calls on this path? `directory`: what a relative one is relative to. NULL: no
 * path is known. */
bool fth_path_is_wanted(const char *path, int directory) FTH_PUBLIC;
/* The same of a call that may open the file, or make it another one. */
bool fth_opened_path_is_wanted(const char *path, int directory, enum fth_path_use use) FTH_PUBLIC;
/* A name was removed or given to something else, or its file cut off, `follows`: also where it is a
 * link. Links on the way are noted: those who read the trace do not know of them. */
void fth_name_is_changed(const char *given, int directory, bool follows) FTH_PUBLIC;
/* The next name for a new binding of this class (how a library names its objects). */
extern FTH_PUBLIC void (*fth_name_object)(uint32_t handle_class, uint64_t handle, char *name,
                                          size_t size);

/* What the system says about the descriptor: a path, "pipe:[1234]", or nothing. Stands until the
 * next path is asked for. */
const char *fth_path_of_descriptor(int descriptor) FTH_PUBLIC;

/* What a handle is bound to: a path or a name. For an object in a file (of HDF5) the path, a zero,
 * and the name of the object; the path is empty for an object that is in no file. At most
 * FTH_LONGEST_PATH - 1 bytes, and a zero behind them. */
struct fth_handle_name {
    const char *text;
    size_t length;
};
/* Do the filters want it? Objects that are in no file are always wanted. */
bool fth_name_is_wanted(uint32_t handle_class, struct fth_handle_name name);
/* Binds a handle of a library. */
int32_t fth_bind_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name,
                       bool wanted);
/* It was opened: once more, where it is open under that name (library_handles.c). */
int32_t fth_library_open_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name);
/* Copies what the slot is bound to; returns its length. `to` has room for FTH_LONGEST_PATH
 * bytes. */
size_t fth_handle_name(uint32_t handle_class, int32_t slot, char *to);
bool fth_handle_is_named(uint32_t handle_class, int32_t slot, struct fth_handle_name name);
/* A path made absolute, as far as that is known without asking the file system; stands until the
 * next one. */
const char *fth_absolute_path(const char *path);

/* The working directory: asked for if nobody has; changed, maybe (paths.c). */
void fth_directory_known(void);
void fth_directory_changed(void);

/* In a forked child, before its first call: locks that other threads of the parent held are
 * free. */
void fth_handles_in_child(void);
/* What one recording knew of handles is not true for the next one. */
void fth_handles_forget(void);
/* Nothing is known of any handle of this class any more. */
void fth_handles_forget_class(uint32_t handle_class);

/* Reads the filters that are set. False: calls are left out of which nobody knows what they
 * move. */
bool fth_filters_read(void);

#endif
