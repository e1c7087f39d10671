/* What writes carry, as a hash, where that is asked for: then `fathom verify` can distinguish two
 * processes that write the same to the same bytes from those that do not.
 *
 * Wrappers know nothing of it. When one looks for the function that it stands in front of, it gets
 * one of those below, which makes the hash, calls the function, and notes the hash just before the
 * wrapper records its call. A program whose contents are not kept has wrappers that call the C
 * library at once, as ever. */
#include "capture/wrap/contents.h"

#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "interpose/own/held_signals.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

bool fth_contents_are_kept;

void fth_contents_start(void)
{
    if (fth_setting(FTH_SETTING_NAME(CONTENTS)))
        fth_contents_are_kept = true;
}

/* ---- hashes ---- */

/* No call moves more (write(2)). */
enum { MOST_MOVED = 0x7ffff000 };

/* A copy of what is hashed, in the recorder's scratch memory: the program's stack may be a small
 * one. */
struct copying {
    XXH3_state_t state;
    struct iovec pieces[32];
    char bytes[8192];
};
_Static_assert(sizeof(struct copying) + _Alignof(struct copying) <=
                   sizeof((struct fth_recorder *)0)->text,
               "copies for hashes do not fit into the recorder's scratch memory");

static struct copying *place_copying(struct fth_recorder *recorder)
{
    size_t mask = _Alignof(struct copying) - 1;
    return (struct copying *)(((uintptr_t)recorder->text + mask) & ~(uintptr_t)mask);
}

/* Memory may go at any moment, as another thread protects it or another process cuts off the file
 * that is mapped there: the write gets EFAULT then, and reading it here would kill the program.
 * The system reads it for us. By the thread's number, as the first thread may have ended. */
static bool copy(void *to, const void *from, size_t bytes)
{
    const struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
    return syscall(SYS_process_vm_readv, syscall(SYS_gettid), &local, 1, &remote, 1, 0) ==
           (ssize_t)bytes;
}

static bool add_piece(struct copying *copying, const struct iovec *piece)
{
    for (size_t done = 0; done < piece->iov_len;) {
        size_t left = piece->iov_len - done,
               some = left < sizeof copying->bytes ? left : sizeof copying->bytes;
        if (!copy(copying->bytes, (const char *)piece->iov_base + done, some))
            return false;
        XXH3_64bits_update(&copying->state, copying->bytes, some);
        done += some;
    }
    return true;
}

/* Pieces stand in the program's memory, too. */
static bool add_pieces(struct copying *copying, const struct iovec *pieces, int count,
                       size_t *bytes)
{
    enum { MOST = sizeof copying->pieces / sizeof *copying->pieces };
    for (int done = 0; done < count;) {
        int some = count - done < MOST ? count - done : MOST;
        if (!copy(copying->pieces, pieces + done, (size_t)some * sizeof *pieces))
            return false;
        for (int i = 0; i < some; i++) {
            size_t length = copying->pieces[i].iov_len;
            if (length > MOST_MOVED - *bytes || !add_piece(copying, &copying->pieces[i]))
                return false;
            *bytes += length;
        }
        done += some;
    }
    return true;
}

struct fth_contents fth_contents_of(struct fth_recorder *recorder, const struct iovec *pieces,
                                    int count)
{
    struct fth_contents contents = {0, 0};
    if (count <= 0 || count > IOV_MAX)
        return contents;
    int kept = errno;
    /* The calls of a handler would use the same memory. */
    uint64_t signals = fth_signals_wait();
    struct copying *copying = place_copying(recorder);
    XXH3_64bits_reset(&copying->state);
    if (add_pieces(copying, pieces, count, &contents.bytes) && contents.bytes) {
        uint64_t hash = XXH3_64bits_digest(&copying->state);
        contents.hash = hash ? hash : 1;
    }
    fth_signals_go(signals);
    errno = kept;
    return contents;
}

void fth_contents_note(struct fth_recorder *recorder, uint32_t depth,
                       const struct fth_contents *contents, ssize_t moved)
{
    if (!contents->hash || moved < 0 || (size_t)moved != contents->bytes || moved < fth_least_bytes)
        return;
    fth_record_contents(recorder, depth, contents->hash, moved);
}

/* ---- in front of the C library's functions ---- */

/* A write on its way: who records it, and what it carries. */
struct carried {
    struct fth_recorder *recorder; /* NULL: nobody does */
    struct fth_contents contents;
};

/* The frame of the function that has called the one in which this stands. Wrappers keep theirs
 * where the architecture wants it: they look at it themselves. */
#if defined __x86_64__ || defined __aarch64__
#define CALLER() (*(const uintptr_t *)__builtin_frame_address(0))
#else
#define CALLER() 0
#endif

/* That of a wrapper which records its call, as the innermost one that does; else NULL: filters
 * leave the call out, or nothing is recorded now. */
static struct fth_recorder *recorder_of(uintptr_t wrapper)
{
    struct fth_recorder *recorder = fth_self;
    if (!wrapper || !recorder || *fth_alive != 1 || fth_vforked || fth_is_borrowed() ||
        recorder->busy || recorder->retired || !recorder->depth ||
        recorder->frames[recorder->depth - 1].stack != wrapper)
        return NULL;
    return recorder;
}

static struct carried before(uintptr_t wrapper, const struct iovec *pieces, int count)
{
    struct carried carried = {.recorder = recorder_of(wrapper)};
    if (carried.recorder)
        carried.contents = fth_contents_of(carried.recorder, pieces, count);
    return carried;
}

/* A signal handler may have come in between: its calls are not the wrapper's, and the recorder is
 * as it was when they are over. */
static ssize_t after(const struct carried *carried, uintptr_t wrapper, ssize_t moved)
{
    if (!carried->recorder || carried->recorder != recorder_of(wrapper))
        return moved;
    int kept = errno;
    carried->recorder->busy = wrapper;
    fth_contents_note(carried->recorder, carried->recorder->depth - 1, &carried->contents, moved);
    carried->recorder->busy = 0;
    errno = kept;
    return moved;
}

enum {
    WRITE,
    OTHER_WRITE,
    PWRITE,
    PWRITE64,
    OTHER_PWRITE64,
    WRITEV,
    PWRITEV,
    PWRITEV64,
    PWRITEV2,
    PWRITEV64V2,
    WRITERS
};
static void *reals[WRITERS];

#define REAL(which, ...) ((ssize_t(*)(__VA_ARGS__))reals[which])

#define WRITER(name, which)                                                                        \
    static ssize_t name(int fd, const void *bytes, size_t count)                                   \
    {                                                                                              \
        const struct iovec piece = {(void *)bytes, count};                                         \
        struct carried carried = before(CALLER(), &piece, 1);                                      \
        return after(&carried, CALLER(),                                                           \
                     REAL(which, int, const void *, size_t)(fd, bytes, count));                    \
    }
#define POSITIONED_WRITER(name, which)                                                             \
    static ssize_t name(int fd, const void *bytes, size_t count, off_t offset)                     \
    {                                                                                              \
        const struct iovec piece = {(void *)bytes, count};                                         \
        struct carried carried = before(CALLER(), &piece, 1);                                      \
        return after(&carried, CALLER(),                                                           \
                     REAL(which, int, const void *, size_t, off_t)(fd, bytes, count, offset));     \
    }
#define POSITIONED_GATHERER(name, which)                                                           \
    static ssize_t name(int fd, const struct iovec *pieces, int count, off_t offset)               \
    {                                                                                              \
        struct carried carried = before(CALLER(), pieces, count);                                  \
        return after(                                                                              \
            &carried, CALLER(),                                                                    \
            REAL(which, int, const struct iovec *, int, off_t)(fd, pieces, count, offset));        \
    }
#define FLAGGED_GATHERER(name, which)                                                              \
    static ssize_t name(int fd, const struct iovec *pieces, int count, off_t offset, int flags)    \
    {                                                                                              \
        struct carried carried = before(CALLER(), pieces, count);                                  \
        return after(&carried, CALLER(),                                                           \
                     REAL(which, int, const struct iovec *, int, off_t, int)(fd, pieces, count,    \
                                                                             offset, flags));      \
    }

WRITER(write_kept, WRITE)
WRITER(other_write_kept, OTHER_WRITE)
POSITIONED_WRITER(pwrite_kept, PWRITE)
POSITIONED_WRITER(pwrite64_kept, PWRITE64)
POSITIONED_WRITER(other_pwrite64_kept, OTHER_PWRITE64)
POSITIONED_GATHERER(pwritev_kept, PWRITEV)
POSITIONED_GATHERER(pwritev64_kept, PWRITEV64)
FLAGGED_GATHERER(pwritev2_kept, PWRITEV2)
FLAGGED_GATHERER(pwritev64v2_kept, PWRITEV64V2)

static ssize_t writev_kept(int fd, const struct iovec *pieces, int count)
{
    struct carried carried = before(CALLER(), pieces, count);
    return after(&carried, CALLER(),
                 REAL(WRITEV, int, const struct iovec *, int)(fd, pieces, count));
}

static const struct {
    const char *name;
    void *keeping;
} writers[] = {
    [WRITE] = {"write", (void *)write_kept},
    [OTHER_WRITE] = {"__write", (void *)other_write_kept},
    [PWRITE] = {"pwrite", (void *)pwrite_kept},
    [PWRITE64] = {"pwrite64", (void *)pwrite64_kept},
    [OTHER_PWRITE64] = {"__pwrite64", (void *)other_pwrite64_kept},
    [WRITEV] = {"writev", (void *)writev_kept},
    [PWRITEV] = {"pwritev", (void *)pwritev_kept},
    [PWRITEV64] = {"pwritev64", (void *)pwritev64_kept},
    [PWRITEV2] = {"pwritev2", (void *)pwritev2_kept},
    [PWRITEV64V2] = {"pwritev64v2", (void *)pwritev64v2_kept},
};

void *fth_contents_writer(const char *name, void *real)
{
    for (unsigned i = 0; i < WRITERS && fth_contents_are_kept; i++)
        if (strcmp(writers[i].name, name) == 0) {
            __atomic_store_n(&reals[i], real, __ATOMIC_RELEASE);
            return writers[i].keeping;
        }
    return real;
}
