/* Sums of a stream whose calls are not kept any more: the file IMAGE.N.sums, a head and entries one
 * behind the other. The recorder maps it and adds what it has sealed; an entry is never moved.
 *
 * An entry has its counts twice: those of the newest commit of the stream, and those of the one
 * before it, over which the next ones are written. So they are all of one instant, whenever the
 * process is killed. A version whose sequence is greater than that of the commit does not count. */
#ifndef FTH_TRACE_RECORD_SUMMED_FILE_H
#define FTH_TRACE_RECORD_SUMMED_FILE_H

#include <stddef.h>
#include <stdint.h>

#define FTH_SUMMED_MAGIC 0x31594c4c41544601ull

struct fth_summed_head {
    uint64_t magic, image;
    uint64_t used; /* bytes of the file: entries end there */
};

enum fth_summed_kind {
    FTH_SUMMED_FUNCTION = 1, /* calls, errors, bytes read, written, ticks, shortest, longest */
    FTH_SUMMED_PATH = 2,     /* opens, calls, bytes read, written, ticks */
    FTH_SUMMED_MAPPED = 3,   /* bytes of the largest mapping to store to */
    FTH_SUMMED_OTHERS = 4,   /* as a path: all files for which there was no room */
};
enum { FTH_SUMMED_COUNTS = 7 };

struct fth_summed_version {
    uint64_t sequence;
    uint64_t counts[FTH_SUMMED_COUNTS];
};
struct fth_summed_entry {
    uint32_t kind, length; /* of the path, which is padded to 8 bytes */
    uint32_t function, flags;
    struct fth_summed_version versions[2];
    char path[];
};

static inline size_t fth_summed_entry_bytes(size_t length)
{
    return sizeof(struct fth_summed_entry) + (length + 7) / 8 * 8;
}

/* The version that counts for the commit with this sequence; NULL: none does. */
static inline const struct fth_summed_version *fth_summed_at(const struct fth_summed_entry *entry,
                                                             uint64_t sequence)
{
    const struct fth_summed_version *newest = NULL;
    for (int i = 0; i < 2; i++) {
        const struct fth_summed_version *version = &entry->versions[i];
        if (version->sequence && version->sequence <= sequence &&
            (!newest || version->sequence > newest->sequence))
            newest = version;
    }
    return newest;
}

/* What stands for the files for which there was no room. */
#define FTH_SUMMED_OTHER_FILES "(further files)"

#endif
