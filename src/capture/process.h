/* This process: its identity, its spill file, its options. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_H
#define FTH_CAPTURE_PROCESS_H

#include "capture/runtime.h"
#include "interpose/reach/libraries.h"
#include "trace/record/spill.h"

#include <stdbool.h>
#include <stddef.h>

struct fth_call_info { /* generated: one per row of the catalogue */
    uint32_t name,
        /* where they begin in fth_call_words: pointers would have to be relocated in every
         * process */
        layer;
    uint32_t flags; /* FTH_CALL_... */
    bool binds;     /* makes or gives up handles that have a path or a name */
    bool buffered;  /* moves bytes to or from the buffer of a stream */
};
extern const struct fth_call_info fth_call_infos[];
extern const char fth_call_words[];
extern const unsigned fth_call_count;
extern const uint64_t fth_catalog_hash;
extern int8_t fth_class_ordinals[]; /* of classes among those of files, -1 */
extern const char
    fth_real_names[];     /* of the functions of libc that have wrappers, a zero behind each */
extern void *fth_reals[]; /* the functions, where they were looked for; else NULL */
extern const unsigned fth_real_count;
enum { FTH_KNOWN_LIBRARIES = 16 }; /* at most */
extern const struct fth_known_library fth_known_libraries[];
extern const unsigned fth_known_library_count;

extern FTH_PUBLIC struct fth_spill_process *fth_process; /* mapped; NULL: not recording */

/* Starts recording in this process, or decides not to. `forked_from`: image of the parent, 0 when
 * this is a new program. */
void fth_process_start(uint64_t forked_from);
/* What follows when that is decided. */
void fth_process_started(void);
/* Opens "IMAGE.N.stream" of the spill; -1 on failure, then *error. */
int fth_open_stream_file(unsigned number, int *error);
/* Recording stops here, because of `error` (an errno); the program goes on. */
void fth_process_stop(int error);
/* It ends, because system calls of ours may kill the program from now on; `since`: "after it has
 * ..." */
void fth_process_step_aside(const char *since);
/* The program jumps: maybe out of a signal handler that interrupts us. */
void fth_longjmp_seen(uintptr_t stack);
/* The process file has been copied to where the spill folder is now: goes on in the copy. */
bool fth_process_remap(void);
/* What the recorder reads and writes is none of the program's doing: the system counts it, too. */
void fth_own_written(uint64_t bytes) FTH_PUBLIC;
void fth_own_read(uint64_t bytes) FTH_PUBLIC;
/* Brings the clock's last anchor up to date. */
void fth_process_touch(void) FTH_PUBLIC;
void fth_process_ended(enum fth_spill_end how, int status);
/* In the child of a fork: no thread has a recorder. */
void fth_process_forked(void);
/* A call was recorded that may come after exit handlers: the process has not ended before it. */
void fth_process_goes_on(void);
/* Adds a fact to the process file: `start`, such as "mpi=", and the rest of it. */
void fth_process_note(const char *start, const char *rest) FTH_PUBLIC;

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
/* Binds a handle of a library. Objects that are in no file are always wanted. */
int32_t fth_bind_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name);
/* It was opened: once more, where it is open under that name (library_handles.c). */
int32_t fth_library_open_named(uint32_t handle_class, uint64_t handle, struct fth_handle_name name);
/* Copies what the slot is bound to; returns its length. `to` has room for FTH_LONGEST_PATH
 * bytes. */
size_t fth_handle_name(uint32_t handle_class, int32_t slot, char *to);
bool fth_handle_is_named(uint32_t handle_class, int32_t slot, struct fth_handle_name name);
/* A path made absolute, as far as that is known without asking the file system; stands until the
 * next one. */
const char *fth_absolute_path(const char *path);

/* The working directory: asked for if nobody has; changed, maybe (handles.c). */
void fth_directory_known(void);
void fth_directory_changed(void);

/* In a forked child, before its first call: locks that other threads of the parent held are
 * free. */
void fth_handles_in_child(void);

/* Adds FATHOM_... and the preload to what filters want; see filter.c. */
/* False: calls are left out of which nobody knows what they move. */
bool fth_filters_read(void);

/* --mask-arguments: names beside those that are known (base/mask.h); NULL: arguments are kept as
 * they are. */
extern const char *fth_masked_names;

/* ---- in a program that runs (attach.c) ---- */

/* Is this the child of a vfork that we have not seen begin? */
bool fth_is_borrowed(void);
/* What one recording knew of handles is not true for the next one. */
void fth_handles_forget(void);
/* Nothing is known of any handle of this class any more. */
void fth_handles_forget_class(uint32_t handle_class);

#endif
