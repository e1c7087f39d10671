/* Hashes of what writes carry, for `fathom record --contents` (contents.c). Inner header of the
 * capture room. */
#ifndef FTH_CAPTURE_WRAP_CONTENTS_H
#define FTH_CAPTURE_WRAP_CONTENTS_H

#include "capture/record/runtime.h"

#include <sys/uio.h>

extern bool fth_contents_are_kept;
/* Finds out whether they are: when we are loaded, as no wrapper of a write is called before, and
 * when a recording begins. */
void fth_contents_start(void);

/* What a wrapper is to call as the function of this name: the function that is given, or one that
 * also notes what is written by it. */
void *fth_contents_writer(const char *name, void *real);

struct fth_contents {
    uint64_t hash; /* 0: not known */
    size_t bytes;
};
/* Of what is about to be written; the recorder's scratch memory is used. It stands before the call:
 * behind it, the memory may be another thread's. What cannot be read has no hash: the program may
 * pass any number as a pointer and gets EFAULT. */
struct fth_contents fth_contents_of(struct fth_recorder *recorder, const struct iovec *pieces,
                                    int count);
/* The call has moved so many bytes, and is about to be recorded. */
void fth_contents_note(struct fth_recorder *recorder, uint32_t depth,
                       const struct fth_contents *contents, ssize_t moved);

#endif
