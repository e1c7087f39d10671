/* This process as a client of the file system: its connection, its buffer, the buffers of others,
 * and the files that it uses. All of it is guarded by one lock, which who calls these functions
 * has. */
#ifndef FTH_FS_CLIENT_H
#define FTH_FS_CLIENT_H

#include "base/keyed.h"
#include "fs/client/connection.h"
#include "fs/client/own_buffer.h"
#include "holders/intervals.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/unsaved.h"

#include <pthread.h>
#include <sys/types.h>

/* States of what this process wrote. */
enum {
    FTH_OWN_ATTACHED = 1, /* as it is */
    FTH_OWN_CLEAN = 2,    /* it is in the folder below */
    FTH_OWN_SHOWN = 4,    /* others may know its place, where the bytes stay what they are */
};

/* Bytes [begin, end) of a file that this process wrote last, from `from` on in its buffer. */
struct fth_own_window {
    uint64_t begin, end, turn;
    const uint8_t *from;
};

/* A file that this process has open, or has attached something of. */
struct fth_client_file {
    char *name;
    uint32_t handles;
    struct fth_intervals own;      /* what this process wrote last */
    struct fth_intervals attached; /* what it attached, at the places that others know */
    struct fth_intervals seen;     /* who attached what, as the last queries say */
    struct fth_intervals doubtful; /* what it asked to attach, where no answer came */
    struct fth_intervals locked;
    struct fth_intervals lost; /* was locked, but others have it, or may have it */
    bool has_said_lost_lock;   /* that another one has it */
    uint64_t seen_end;         /* of the file, as the server said */
    int below;                 /* in the folder below, to read; -1: not open */
    /* of programs that know nothing of the file system (src/prefix) */
    uint32_t bit;     /* of fs/protocol/held_files.h */
    bool is_held;     /* the server knows the file of this identity */
    bool is_given;    /* the server has given it to the system */
    bool wants_query; /* others may have attached something since it was asked */
    bool is_written;  /* and the file below has an older time */
    bool is_of_mpi;   /* MPI has opened it, and says when it is published and fetched */
    bool is_program;  /* what was written begins as programs do, which the system reads below */
    uint64_t fresh_begin, fresh_end;  /* the range of what is not attached */
    uint64_t fresh_since, seen_since; /* ns: of the first of it; of the last query */
    struct fth_unsaved_file *unsaved; /* its line in the table of this process; NULL: none yet */
    int writer;                       /* a descriptor to write with, as it was used last */
    const struct fth_fs_model *model; /* by the name that it was opened with */
    struct fth_own_window window;     /* quick_reads.h */
};

struct fth_client {
    pthread_mutex_t lock;
    struct fth_fs_instance instance;
    struct fth_connection connection;
    struct fth_own_buffer buffer;
    struct fth_unsaved *unsaved; /* of programs that know nothing of the file system; or NULL */
    struct fth_keyed peers;      /* by number, of struct fth_buffer_file */
    struct fth_intern names;     /* of files, which have the same numbers */
    struct fth_client_file **files;
    size_t file_count;
    bool opened; /* the instance is known */
    /* Attaches all that is not, as the buffer is full of it; NULL: nobody else decides what is
     * attached. false: errno is set. */
    bool (*attach_early)(void);
};

extern struct fth_client fth_client;

/* Takes and leaves the lock. Enter finds the instance at first. false: errno is set, and the
 * lock is not taken. */
bool fth_client_enter(void);
void fth_client_leave(void);
/* In the child of a fork, which has the lock: what the parent wrote is the parent's. */
void fth_client_forked(void);
/* This process has a number and a buffer. false: errno is set. */
bool fth_client_ready(void);
/* The file of this name, made where it is new. */
struct fth_client_file *fth_client_file(const char *name);
/* Begins a request about a file. */
void fth_client_begin_request(uint8_t kind, const struct fth_client_file *file);
/* Writes what is not attached to the folder below. false: errno is set. */
bool fth_client_flush_own(struct fth_client_file *file);
/* Bytes of the folder below, up to `size`; zeros are not made. -1: errno is set. */
ssize_t fth_client_read_below(struct fth_client_file *file, uint64_t offset, void *to, size_t size);
/* The end of the file in the folder below; 0: it is not there. */
uint64_t fth_client_end_below(struct fth_client_file *file);
/* Copies bytes from the buffer of another client; of another node, its server sends them. false:
 * ENODATA, they are not there any more; or another errno. */
bool fth_client_copy_from(uint32_t peer, uint64_t place, void *to, size_t bytes);
/* Says on standard error what the last answer says of bytes that cannot be had, or of who has them;
 * errno is EIO behind it. */
void fth_client_tell_of_loss(const struct fth_client_file *file, uint64_t begin, uint64_t end);
/* Says on standard error, once for each file, what the last answer says of a lock that is lost. */
void fth_client_tell_of_lock(struct fth_client_file *file);

#endif
