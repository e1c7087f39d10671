/* Operations of io_uring, as liburing has its rings in memory: entries between what it handed over
 * last and what the program has prepared since, and the completions that the system has put there.
 * Much of that the program does by functions that are part of it; so the ring is looked at whenever
 * a function of the library is called. A completion that the program takes without one is seen with
 * the next; what an operation was is remembered by its `user_data` until then.
 *
 * liburing's header is not needed to build: what is read of its structure is the same in 2.0 to
 * 2.9. */
#include "capture/process/system_counts.h"
#include "capture/wrap/queues.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/readable.h"
#include "trace/record/spill.h"

#include <linux/io_uring.h>
#include <sys/uio.h>

/* The beginning of liburing's struct io_uring. */
struct uring {
    struct {
        unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
        const char *entries_at; /* struct io_uring_sqe */
        unsigned handed_over, prepared;
        size_t size;
        void *memory;
        unsigned spare[4];
    } submission;
    struct {
        unsigned *head, *tail, *mask, *entries, *flags, *overflow;
        const char *entries_at; /* struct io_uring_cqe */
        size_t size;
        void *memory;
        unsigned spare[4];
    } completion;
    unsigned flags;
    int descriptor;
};

enum {
    RINGS = 16,
    FILES = 64,       /* of a ring that have numbers of their own */
    UNDER_WAY = 4096, /* operations of all rings */
    BUCKETS = 1024,
    SETUP_WIDE_ENTRIES = 1 << 10,     /* IORING_SETUP_SQE128 */
    SETUP_WIDE_COMPLETIONS = 1 << 11, /* IORING_SETUP_CQE32 */
    SETUP_KNOWN = (1 << 18) - 1,      /* flags that change nothing else of what is read here */
    SKIPS_SUCCESS = 1 << 6,           /* IOSQE_CQE_SKIP_SUCCESS */
};

struct ring {
    const struct uring *ring; /* NULL: free */
    unsigned seen;            /* completions, as the system numbers them */
    unsigned file_count;
    int files[FILES];
};

/* What begins is put behind the others of its bucket. Places are numbered from 1; 0: none. Those
 * that were never used are not in the list of free ones. */
struct under_way {
    const struct uring *ring;
    uint64_t user_data;
    uint32_t next;
    struct fth_queued operation;
};
struct table {
    uint32_t first[BUCKETS], last[BUCKETS];
    uint32_t free, used;
    struct under_way places[UNDER_WAY + 1];
};

static struct fth_lock lock;
static struct ring rings[RINGS];
static struct table *table;

static struct ring *find(const void *ring)
{
    for (unsigned i = 0; i < RINGS; i++)
        if (rings[i].ring == ring)
            return &rings[i];
    return NULL;
}

static bool is_power_of_two(unsigned number)
{
    return number && !(number & (number - 1));
}

/* Does it look like what is written above? */
static bool is_understood(const struct uring *ring)
{
    return ring->descriptor >= 0 && !(ring->flags & ~(unsigned)SETUP_KNOWN) &&
           fth_is_readable(ring->submission.mask, sizeof(unsigned)) &&
           fth_is_readable(ring->completion.mask, sizeof(unsigned)) &&
           is_power_of_two(*ring->submission.mask + 1) &&
           is_power_of_two(*ring->completion.mask + 1) &&
           fth_is_readable(ring->submission.entries_at, sizeof(struct io_uring_sqe)) &&
           fth_is_readable(ring->completion.entries_at, sizeof(struct io_uring_cqe)) &&
           fth_is_readable(ring->completion.tail, sizeof(unsigned));
}

void fth_uring_begins(const void *begun_ring)
{
    const struct uring *ring = begun_ring;
    fth_lock(&lock);
    struct ring *place = find(ring);
    if (!place)
        place = find(NULL);
    if (!table)
        table = fth_map_memory(sizeof *table);
    bool known = place && table && is_understood(ring);
    if (known) {
        place->ring = ring;
        place->seen = *ring->completion.tail;
        place->file_count = 0;
    }
    fth_unlock(&lock);
    if (known)
        fth_ring_is_recorded(ring->descriptor, true);
    else
        fth_queue_seen(FTH_QUEUE_IO_URING);
}

void fth_uring_files(const void *ring, const int *files, unsigned count)
{
    fth_lock(&lock);
    struct ring *place = find(ring);
    if (place)
        place->file_count = files && count <= FILES ? count : 0;
    for (unsigned i = 0; place && i < place->file_count; i++)
        place->files[i] = files[i];
    fth_unlock(&lock);
}

/* ---- what is handed over ---- */

static int64_t bytes_of_vector(const struct io_uring_sqe *entry)
{
    const struct iovec *vector = (const struct iovec *)(uintptr_t)entry->addr;
    int64_t bytes = 0;
    for (unsigned i = 0; i < entry->len; i++)
        bytes += (int64_t)vector[i].iov_len;
    return bytes;
}

/* Neither read nor write, nor change what a descriptor is of. */
static bool is_harmless(const struct io_uring_sqe *entry)
{
    switch (entry->opcode) {
    case IORING_OP_NOP:
    case IORING_OP_POLL_ADD:
    case IORING_OP_POLL_REMOVE:
    case IORING_OP_TIMEOUT:
    case IORING_OP_TIMEOUT_REMOVE:
    case IORING_OP_ASYNC_CANCEL:
    case IORING_OP_LINK_TIMEOUT:
        return true;
    }
    return false;
}

/* False: it is none that can be followed. Where a descriptor stands at the moment of an operation
 * nobody knows. */
static bool is_known(const struct ring *place, const struct io_uring_sqe *entry,
                     struct fth_queued *operation)
{
    bool has_number = entry->flags & IOSQE_FIXED_FILE, is_sync = entry->opcode == IORING_OP_FSYNC;
    if ((has_number && (unsigned)entry->fd >= place->file_count) || entry->flags & SKIPS_SUCCESS ||
        (is_sync ? entry->off || entry->len : entry->off == UINT64_MAX))
        return false;
    *operation = (struct fth_queued){.descriptor = has_number ? place->files[entry->fd] : entry->fd,
                                     .offset = (int64_t)entry->off,
                                     .bytes = entry->len};
    switch (entry->opcode) {
    case IORING_OP_READV:
    case IORING_OP_WRITEV:
        operation->bytes = bytes_of_vector(entry);
        operation->kind = entry->opcode == IORING_OP_READV ? FTH_QUEUE_READS : FTH_QUEUE_WRITES;
        return true;
    case IORING_OP_READ:
    case IORING_OP_READ_FIXED:
        operation->kind = FTH_QUEUE_READS;
        return true;
    case IORING_OP_WRITE:
    case IORING_OP_WRITE_FIXED:
        operation->kind = FTH_QUEUE_WRITES;
        return true;
    case IORING_OP_FSYNC:
        operation->kind = FTH_QUEUE_SYNCS;
        operation->data_only = entry->fsync_flags & IORING_FSYNC_DATASYNC;
        operation->offset = operation->bytes = 0;
        return true;
    }
    return false;
}

static unsigned bucket_of(uint64_t user_data)
{
    return (unsigned)(user_data * 0x9E3779B97F4A7C15u >> 54);
}
_Static_assert(BUCKETS == 1 << (64 - 54), "bucket_of makes as many");

/* Under the lock, as what follows. False: there are too many. */
static bool remember(const struct uring *ring, uint64_t user_data,
                     const struct fth_queued *operation)
{
    unsigned bucket = bucket_of(user_data);
    uint32_t number = table->free;
    if (!number && table->used == UNDER_WAY)
        return false;
    if (number)
        table->free = table->places[number].next;
    else
        number = ++table->used;
    table->places[number] = (struct under_way){ring, user_data, 0, *operation};
    if (table->first[bucket])
        table->places[table->last[bucket]].next = number;
    else
        table->first[bucket] = number;
    table->last[bucket] = number;
    return true;
}

static void drop(unsigned bucket, uint32_t before, uint32_t number)
{
    struct under_way *place = &table->places[number];
    if (before)
        table->places[before].next = place->next;
    else
        table->first[bucket] = place->next;
    if (table->last[bucket] == number)
        table->last[bucket] = before;
    place->next = table->free;
    table->free = number;
}

/* The oldest one with this `user_data`: programs give the same to several. */
static bool recall(const struct uring *ring, uint64_t user_data, struct fth_queued *operation)
{
    unsigned bucket = bucket_of(user_data);
    for (uint32_t before = 0, number = table->first[bucket]; number;
         before = number, number = table->places[number].next) {
        const struct under_way *place = &table->places[number];
        if (place->ring != ring || place->user_data != user_data)
            continue;
        *operation = place->operation;
        drop(bucket, before, number);
        return true;
    }
    return false;
}

/* What has not come back when a ring ends never will. */
static void forget_all(const struct uring *ring)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        for (uint32_t before = 0, number = table->first[bucket]; number;) {
            uint32_t next = table->places[number].next;
            if (table->places[number].ring == ring)
                drop(bucket, before, number);
            else
                before = number;
            number = next;
        }
}

static void hand_over(const struct ring *place)
{
    const struct uring *ring = place->ring;
    unsigned mask = *ring->submission.mask;
    size_t wide = ring->flags & SETUP_WIDE_ENTRIES ? 2 : 1;
    for (unsigned at = ring->submission.handed_over; at != ring->submission.prepared; at++) {
        const struct io_uring_sqe *entry =
            (const struct io_uring_sqe *)ring->submission.entries_at + (at & mask) * wide;
        struct fth_queued operation;
        bool known = is_known(place, entry, &operation);
        if (known && fth_queue_begins(&operation))
            known = remember(ring, entry->user_data, &operation);
        if (!known && !is_harmless(entry))
            fth_queue_seen(FTH_QUEUE_REST_OF_IO_URING);
    }
}

/* ---- what comes back ---- */

static void take_back(struct ring *place)
{
    const struct uring *ring = place->ring;
    unsigned mask = *ring->completion.mask,
             tail = __atomic_load_n(ring->completion.tail, __ATOMIC_ACQUIRE);
    size_t wide = ring->flags & SETUP_WIDE_COMPLETIONS ? 2 : 1;
    if (tail - place->seen > mask + 1) /* the oldest ones have been written over */
        place->seen = tail - mask - 1;
    for (; place->seen != tail; place->seen++) {
        const struct io_uring_cqe *entry =
            (const struct io_uring_cqe *)ring->completion.entries_at + (place->seen & mask) * wide;
        struct fth_queued operation;
        if (recall(ring, entry->user_data, &operation))
            fth_queue_ends(&operation, entry->res);
    }
}

/* ---- around calls of the library ---- */

void fth_uring_before(const void *ring)
{
    fth_lock(&lock);
    struct ring *place = find(ring);
    if (place) {
        take_back(place);
        hand_over(place);
    }
    fth_unlock(&lock);
    if (!place)
        fth_queue_seen(FTH_QUEUE_IO_URING);
}

void fth_uring_after(const void *ring)
{
    fth_lock(&lock);
    struct ring *place = find(ring);
    if (place)
        take_back(place);
    fth_unlock(&lock);
}

void fth_uring_ends(const void *ended)
{
    fth_lock(&lock);
    struct ring *place = find(ended);
    if (place) {
        take_back(place);
        fth_ring_is_recorded(place->ring->descriptor, false);
        forget_all(place->ring);
        place->ring = NULL;
    }
    fth_unlock(&lock);
}

void fth_uring_in_child(void)
{
    lock.owner = NULL;
}
