/* The buffer into which a client appends what its program writes (fs/protocol/buffer_file.h): a
 * file of segments, mapped. Room is reserved before it is mapped, so a full disk is an error and
 * not a signal. Not thread-safe. */
#ifndef FTH_FS_OWN_BUFFER_H
#define FTH_FS_OWN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: not made yet. */
struct fth_own_buffer {
    int file;
    uint8_t *map;        /* addresses of all segments that there may be */
    uint32_t most, made; /* segments */
    uint32_t enough;     /* that are made before some are looked for to be used again */
    uint32_t *unused;    /* a list of segments that nobody needs */
    uint32_t unused_count;
    uint32_t current; /* the segment that is filled */
    uint32_t reserve; /* a segment that is only for what is moved out of another */
    uint32_t used;    /* bytes of it */
    uint32_t cut;     /* the segment whose room behind them was given back, plus 1; 0: none */
};

/* Makes buffers/CLIENT below the folder of the instance. false: errno is set. */
bool fth_own_buffer_make(struct fth_own_buffer *buffer, int folder, uint32_t client,
                         uint64_t most_bytes);
/* Room for the next bytes, at most `want`: returns how many, where they go and their place. 0: the
 * buffer is full; segments must be given back first. */
size_t fth_own_buffer_take(struct fth_own_buffer *buffer, size_t want, uint8_t **to,
                           uint64_t *place);
/* More segments may be made. false: there are as many as may be. */
bool fth_own_buffer_grow(struct fth_own_buffer *buffer);
/* The bytes at a place of this buffer. To change them is for who knows that nobody else reads
 * them. */
const uint8_t *fth_own_buffer_at(const struct fth_own_buffer *buffer, uint64_t place);
uint8_t *fth_own_buffer_change(const struct fth_own_buffer *buffer, uint64_t place);
/* Segments that there may be, with the reserve. */
uint32_t fth_own_buffer_segments(const struct fth_own_buffer *buffer);
/* Gives back all segments of which live[segment], the bytes in it that somebody needs, is 0; the
 * one that is filled is never given back. Returns how many. */
uint32_t fth_own_buffer_recycle(struct fth_own_buffer *buffer, const uint32_t *live);
/* Fills the reserve from now on. `emptied` is the reserve when the caller has moved its bytes.
 * false: there is no room for a reserve. */
bool fth_own_buffer_use_reserve(struct fth_own_buffer *buffer, uint32_t emptied);
/* Gives back the room behind the last byte, as little will be written to it any more; the next
 * bytes reserve it again. */
void fth_own_buffer_end(struct fth_own_buffer *buffer);
/* Of the memory of a forked child: the file belongs to its parent. */
void fth_own_buffer_leave(struct fth_own_buffer *buffer);

#endif
