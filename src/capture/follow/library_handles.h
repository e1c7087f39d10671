/* Handles of libraries other than MPI, as their generated wrappers follow them
 * (library_handles.c). */
#ifndef FTH_CAPTURE_FOLLOW_LIBRARY_HANDLES_H
#define FTH_CAPTURE_FOLLOW_LIBRARY_HANDLES_H

#include "capture/record/runtime.h"

/* A handle as one number, whatever its type. */
#define FTH_HANDLE_NUMBER(handle) ((uint64_t)(intptr_t)(handle))

/* The slot of a handle. FTH_SLOT_NONE: it is 0 and that is no handle that was made;
 * FTH_SLOT_UNKNOWN: it was never seen made. */
int32_t fth_library_find(uint32_t handle_class, uint64_t handle) FTH_PUBLIC;
/* It was made: a file's, by its path (NULL: it has none); or an object in what `parent` is a slot
 * of, by its name there (NULL: it has none). One that is open already is open once more. */
int32_t fth_library_open(uint32_t handle_class, uint64_t handle, const char *path) FTH_PUBLIC;
int32_t fth_library_open_in(struct fth_draft *draft, uint32_t handle_class, uint64_t handle,
                            int32_t parent, const char *name) FTH_PUBLIC;
void fth_library_open_again(uint32_t handle_class, uint64_t handle) FTH_PUBLIC;
/* It is about to be closed: its slot is free from now on, if it was open once. Returns the slot
 * that it had. */
int32_t fth_library_close(uint32_t handle_class, uint64_t handle) FTH_PUBLIC;

/* Arrays of n handles of so many bytes (4 or 8): looked up before the call, kept as a list after
 * it. */
enum { FTH_LIBRARY_MOST = 1024 };
struct fth_library_handles {
    int64_t count;  /* -1: there is no array */
    uint64_t nulls; /* bits of those whose slot does not show that they are null: none */
    uint64_t handles[FTH_LIBRARY_MOST];
    int32_t slots[FTH_LIBRARY_MOST];
};
void fth_library_save(struct fth_draft *draft, uint32_t handle_class, const void *handles,
                      int64_t n, unsigned width, struct fth_library_handles *saved) FTH_PUBLIC;
int64_t fth_library_list(struct fth_draft *draft,
                         const struct fth_library_handles *saved) FTH_PUBLIC;
/* Closes those that the call has set to something else. */
void fth_library_close_all(uint32_t handle_class, const void *handles, unsigned width,
                           const struct fth_library_handles *saved) FTH_PUBLIC;

/* The name of an object that the library has made by itself; false: it is none. Set by a library's
 * wrappers, by class. */
typedef bool fth_predefined_function(uint64_t handle, char *name, size_t size);
extern FTH_PUBLIC fth_predefined_function *fth_predefined[];

/* Handles of MPI that other libraries are given; unknown while MPI has not been seen. Set by MPI's
 * wrappers. */
typedef int32_t fth_find_function(uint32_t handle_class, uintptr_t handle);
extern FTH_PUBLIC fth_find_function *fth_find_in_mpi;
int32_t fth_library_find_in_mpi(uint32_t handle_class, uintptr_t handle) FTH_PUBLIC;

#endif
