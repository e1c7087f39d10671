/* The buffer of a client: one file in node-local memory or disk, into which the client appends
 * what its program writes, and which everybody else on the node reads, also when the client is
 * dead.
 *
 * It begins with a generation for each segment. A *place* is an offset in the file together with
 * the generation that its segment had when the bytes were written. A segment that is used again
 * gets the next generation first; so whoever copies bytes out of the file and then finds another
 * generation has copied something else, and says that the bytes are gone. */
#ifndef FTH_FS_BUFFER_FILE_H
#define FTH_FS_BUFFER_FILE_H

#include "base/keyed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FTH_BUFFER_SEGMENT = 4 << 20,              /* bytes of a segment */
    FTH_BUFFER_SEGMENTS = 1 << 16,             /* of a buffer at most: 256 GiB */
    FTH_BUFFER_HEAD = FTH_BUFFER_SEGMENTS * 4, /* bytes of generations before the first segment */
    FTH_PLACE_SHIFT = 40,                      /* a place: generation, then offset */
    FTH_FETCH_MOST = 1 << 20,                  /* bytes of it that go to another node at a time */
};

static inline uint64_t fth_place_offset(uint64_t place)
{
    return place & ((UINT64_C(1) << FTH_PLACE_SHIFT) - 1);
}

static inline uint32_t fth_place_segment(uint64_t place)
{
    return (uint32_t)((fth_place_offset(place) - FTH_BUFFER_HEAD) / FTH_BUFFER_SEGMENT);
}

/* The buffer of somebody; all zero: none. It is read, and not mapped: whoever can write to it could
 * cut it off, and a map of what is not there ends the process that looks into it. */
struct fth_buffer_file {
    int file;
};

/* Opens buffers/CLIENT below the folder of the instance to read it. false: errno is set. */
bool fth_buffer_file_open(struct fth_buffer_file *buffer, int folder, uint32_t client);
/* May there be so many bytes in it? Not in one that is long, and nearly all of it a hole. */
bool fth_buffer_file_may_hold(const struct fth_buffer_file *buffer, uint64_t bytes);
/* Copies bytes. false: they are not there any more. */
bool fth_buffer_file_copy(const struct fth_buffer_file *buffer, uint64_t place, void *to,
                          size_t bytes);
void fth_buffer_file_close(struct fth_buffer_file *buffer);

/* Buffers that are open, of struct fth_buffer_file by number of client: some hundred, as they are
 * opened again when they are needed. All zero but for `size`: none.
 * The one of a client, opened if it is not; until the next call. NULL: errno is set. */
struct fth_buffer_file *fth_buffer_file_of(struct fth_keyed *open, int folder, uint32_t client);
void fth_buffer_file_close_all(struct fth_keyed *open);

#endif
