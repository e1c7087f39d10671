/* What a server knows: for each file who attached which bytes last, and where the file ends. It is
 * kept in a journal as well, a file in memory that a server which is started again reads, so that
 * what was attached survives the death of a server. Not thread-safe. */
#ifndef FTH_FS_PUBLISHED_H
#define FTH_FS_PUBLISHED_H

#include "base/error.h"
#include "base/keyed.h"
#include "fs/server/journal.h"
#include "fs/server/noted_requests.h"
#include "holders/intervals.h"
#include "holders/lock_tokens.h"

/* States of an attached interval. */
enum {
    FTH_STATE_CLEAN = 1, /* it is in the folder below as well */
};

/* A file: found by its path from the root of the file system, without a slash at either end; or by
 * its identity (fs/protocol/held_files.h), and then `held` is the file below, whatever its name is
 * by now. */
struct fth_published_file {
    struct fth_intervals intervals; /* by number of client; state: FTH_STATE_CLEAN */
    uint64_t end;
    bool is_held;
    bool is_given_up; /* it was, by a server that was killed, and is not in the folder below */
    bool is_passed;   /* `held` is the descriptor of its program, which may have it open still */
    bool is_staged;   /* it is being written to the folder below (stage_out.h) */
    uint32_t leaving; /* requests by which nobody attaches to it any more (flush.h) */
    int held;         /* for reading and writing, or for writing */
    /* What a journal says of one that is held: its birth (held_again.h), and the name it had. */
    uint64_t born;
    char *name_then;
    /* What locks cost is counted by tokens, which reach further than what was asked. A client has
     * what it has asked for where nobody has asked since. */
    struct fth_lock_tokens tokens, locks;
    /* On several nodes: the client that made it longer without bytes of its own (0: none); and, by
     * server, which ones have not said whether they have written what they were asked to (NULL: all
     * have). */
    uint32_t lengthener;
    bool *unanswered;
};

struct fth_published_counts {
    uint64_t attaches, queries, detaches, stats, locks;
    uint64_t granted, local, conflicts; /* locks: alpha, beta, gamma */
    uint64_t requests;                  /* of any kind */
};

struct fth_published {
    struct fth_keyed files; /* by path, of struct fth_published_file */
    struct fth_published_counts counts;
    struct fth_noted_requests noted;
    uint32_t last_client; /* the greatest number that a client of this node was given; 0: none */
    struct fth_journal journal;
    uint64_t journal_most; /* bytes, before it is made shorter */
    int under;
    uint8_t *known;               /* held_files.h; NULL: none */
    uint32_t held_count, look_at; /* files that are held; how many before let_go.h looks at them */
    uint32_t purge_at;            /* so many files, before those with nothing are looked for */
    uint32_t servers, server;     /* of several (share_of_file.h); 0 and 0: this one is alone */
    bool is_spread;               /* there are others */
};

/* Begins with what the journal in the folder of the instance says, or with nothing. `under`: the
 * folder below. `is_spread`: the instance is on several nodes. -1: *error. */
int fth_published_open(struct fth_published *published, int folder, int under, bool is_spread,
                       struct fth_error **error);
struct fth_published_file *fth_published_file(struct fth_published *published, const char *path,
                                              size_t length);
/* Where the file ends, as far as this server knows: its home knows it, another one only what it has
 * itself. */
uint64_t fth_published_end(const struct fth_published *published, uint32_t number);
/* Has it attached bytes that are not in the folder below? */
bool fth_published_is_dirty(const struct fth_published_file *file);
const char *fth_published_path(const struct fth_published *published, uint32_t number,
                               size_t *length);
/* Its name in the folder below, as it is now; to be freed. */
char *fth_published_name(const struct fth_published *published, uint32_t number);
/* A new client: no other one ever has this number. -1: *error is set, the journal is full. */
int fth_published_add_client(struct fth_published *published, uint32_t client,
                             struct fth_error **error);
/* The bytes of `count` intervals are those of their owners now. `noted`: what this is done for,
 * kept with it; NULL: for nothing that may come again. -1: *error is set, and nothing is done. */
int fth_published_attach(struct fth_published *published, const char *path, size_t length,
                         const struct fth_interval *intervals, size_t count,
                         const struct fth_noted *noted, struct fth_error **error);
/* What `owner` has of [begin, end) is not attached any more. */
int fth_published_detach(struct fth_published *published, const char *path, size_t length,
                         uint32_t owner, uint64_t begin, uint64_t end, struct fth_error **error);
int fth_published_detach_all(struct fth_published *published, uint32_t owner,
                             struct fth_error **error);
/* The client needs the room of its buffer: the same, where all of it is in the folder below. One
 * that has attached something since it asked for that does not wait for the answer any more. Or
 * errno: EBUSY, something is not below, and nothing is done; EIO, *error is set. */
int fth_published_reclaim(struct fth_published *published, uint32_t owner,
                          struct fth_error **error);
/* What `file`, a descriptor to write, is one of is the file of this identity from now on. The file
 * is opened again and the descriptor closed, as locks of flock and fcntl would stay with it; it is
 * kept only where the file cannot be opened again. -1: *error is set, and it is closed. */
int fth_published_hold(struct fth_published *published, const char *identity, size_t length,
                       int file, struct fth_error **error);
/* It may be started as a program from now on: it is held to be read, and opened when it is to be
 * written. */
void fth_published_hold_to_read(struct fth_published_file *file);
/* The file ends there, if not behind: the bytes before are those of `by`, who appends. */
int fth_published_reserve(struct fth_published *published, const char *path, size_t path_length,
                          const struct fth_noted *by, uint64_t end, struct fth_error **error);
/* Nobody has bytes from `length` on, says `by` (NULL: the server). */
int fth_published_truncate(struct fth_published *published, const char *path, size_t path_length,
                           const struct fth_noted *by, uint64_t length, struct fth_error **error);
/* The file is gone, says the server `server`: nobody has what its clients attached. Others may have
 * something of another file that has got its number. */
int fth_published_give_up(struct fth_published *published, const char *path, size_t length,
                          uint32_t server, struct fth_error **error);
/* Nobody has any bytes, and the file is not held: until somebody attaches something again, the
 * folder below has all that there is. */
int fth_published_forget(struct fth_published *published, const char *path, size_t length,
                         struct fth_error **error);
/* Makes the journal shorter where most of what is in it counts no more. Between requests only. What
 * cannot be made shorter goes on to grow. */
void fth_published_shorten(struct fth_published *published);
/* Forgets the names of files of which nothing is known, where they are more than all others. All
 * others get other numbers. Between requests only, while none writes files. */
void fth_published_purge(struct fth_published *published);
/* Records of a journal that say what is known by now. */
void fth_published_put_all(const struct fth_published *published, struct fth_bytes *to);
void fth_published_close(struct fth_published *published);

#endif
