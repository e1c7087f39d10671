/* Messages between a client and the server of its node, and, sealed (server/sealed_link.h), between
 * the servers of two nodes: a length of 4 bytes (little-endian), a byte with the kind, or in an
 * answer with errno (0: done; else maybe a text behind it), and integers as in traces
 * (base/varint.h). Whoever reads one treats it as untrusted. The first integer of a request is its
 * number, which its client counts up: asked again, it has the same one.
 *
 * The connection begins with a challenge by the server; the client answers with HELLO, and only the
 * proof of both sides opens it for the others. The fields of each stand beside its kind. */
#ifndef FTH_FS_MESSAGES_H
#define FTH_FS_MESSAGES_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FTH_MESSAGE_VERSION = 7, FTH_MESSAGE_MOST = 64 << 20 /* bytes */ };
enum { FTH_MESSAGE_LENGTH = 4 /* bytes that say how many come behind them */ };

enum fth_message {
    /* version, client number or 0, challenge, proof -> number, proof; the descriptor of a mailbox
     * (mailbox.h) comes with the answer, if there is one */
    FTH_MESSAGE_HELLO = 1,
    /* file, ranges, those that were locked -> how many ranges are the first of their block. ENOLCK:
     * the client has lost one of these locks, and nothing is attached */
    FTH_MESSAGE_ATTACH,
    FTH_MESSAGE_QUERY,      /* file, begin, end -> end of the file, is it known, ranges */
    FTH_MESSAGE_DETACH,     /* file, begin, end -> nothing */
    FTH_MESSAGE_DETACH_ALL, /* -> nothing */
    FTH_MESSAGE_STAT,       /* file -> end */
    FTH_MESSAGE_LOCK,       /* file, begin, end, write -> begin, end */
    FTH_MESSAGE_FLUSH_OWN,  /* file -> files, bytes: what the client attached of it */
    FTH_MESSAGE_RECLAIM,    /* -> nothing: all that the client attached is in the folder below */
    FTH_MESSAGE_STATUS,     /* -> counts, files; of several servers: each of them, in a text */
    FTH_MESSAGE_FLUSH,      /* -> number of files, bytes */
    FTH_MESSAGE_STOP,       /* -> number of files, bytes; then the server ends */
    FTH_MESSAGE_DISCARD,    /* -> nothing; the server ends, and what is attached is lost */
    FTH_MESSAGE_HOLD,       /* file, path -> nothing; a descriptor of it comes with the message */
    FTH_MESSAGE_TRUNCATE,   /* file, length -> end before */
    FTH_MESSAGE_SETTLE,     /* file or "" for all -> nothing; it is below, and nobody has it */
    FTH_MESSAGE_RESERVE,    /* file, end, bytes -> where they begin: at its end, at least `end` */
    FTH_MESSAGE_LOOK,       /* there is a request in the mailbox; no answer */
    FTH_MESSAGE_GIVE,       /* file -> nothing; it is below, and everybody works on it there */
    FTH_MESSAGE_FETCH,      /* client, place, bytes -> bytes; of a client of another node */
    FTH_MESSAGE_LOSSES,     /* -> what processes that are gone had not attached */
    /* between servers only */
    FTH_MESSAGE_UNLOCK, /* -> nothing; the client is gone, and has no locks */
    /* file or "", client or 0 -> files, bytes: what is not below yet; and beside these files, those
     * that other servers may have written to as well */
    FTH_MESSAGE_WRITE_OUT,
    FTH_MESSAGE_WRITE,   /* file, name below, end, ranges -> bytes (server/stage_target.h) */
    FTH_MESSAGE_FORGET,  /* file or "", round -> files with their ends: those that are not below */
    FTH_MESSAGE_GIVE_UP, /* file -> nothing; what clients of who asks attached is gone */
    FTH_MESSAGE_UNWRITTEN, /* -> files that are not below as they are here */
    FTH_MESSAGE_HIDE,      /* files -> nothing; they do not have their names */
    FTH_MESSAGE_SHOW,      /* servers that are lost, files -> nothing; all but these have them */
    /* of a node to the one that has its copy (server/kept_copy.h) */
    FTH_MESSAGE_COPY_BYTES,   /* client, place, bytes -> nothing; it has published them */
    FTH_MESSAGE_COPY_RECORDS, /* number, are they all, records of the journal -> nothing */
    FTH_MESSAGE_LAST = FTH_MESSAGE_COPY_RECORDS,
};

/* Requests that end the server go by the socket: what a program writes astray into the memory that
 * it shares with the server is none of them. */
static inline bool fth_fs_message_ends_server(uint8_t kind)
{
    return kind == FTH_MESSAGE_STOP || kind == FTH_MESSAGE_DISCARD;
}

/* Asked twice, they do nothing but what they do once. */
static inline bool fth_fs_message_changes_nothing(uint8_t kind)
{
    return kind == FTH_MESSAGE_COPY_BYTES || kind == FTH_MESSAGE_COPY_RECORDS ||
           kind == FTH_MESSAGE_QUERY || kind == FTH_MESSAGE_STAT || kind == FTH_MESSAGE_FETCH ||
           kind == FTH_MESSAGE_STATUS || kind == FTH_MESSAGE_LOSSES ||
           kind == FTH_MESSAGE_UNWRITTEN;
}

/* What of a client's must be done once (server/noted_requests.h); all else may be done again for
 * the one who asked it last, and leaves what it left. */
static inline bool fth_fs_message_is_noted(uint8_t kind)
{
    return kind == FTH_MESSAGE_ATTACH || kind == FTH_MESSAGE_TRUNCATE ||
           kind == FTH_MESSAGE_RESERVE;
}

/* Begins a message in `bytes`, which is emptied; then its fields are put. */
void fth_fs_message_begin(struct fth_bytes *bytes, uint8_t kind);
/* Its length, when all fields are there. */
void fth_fs_message_end(struct fth_bytes *bytes);
/* Sends what there is room for, without waiting, as send(); with a descriptor, if it is not -1. */
ssize_t fth_fs_message_send_some(int socket, const void *from, size_t count, int descriptor);
/* Has the other side closed it? */
bool fth_fs_message_is_closed(int socket);
/* Sends it whole. false: errno is set. `seconds`: the longest wait for room. */
bool fth_fs_message_send(int socket, struct fth_bytes *bytes, int seconds);
/* The same with a descriptor, which the receiver gets a copy of; -1: without. */
bool fth_fs_message_send_with(int socket, struct fth_bytes *bytes, int descriptor, int seconds);
/* What a stream socket has, without waiting; *descriptor: one that came with it, else -1. As from
 * recv. */
ssize_t fth_fs_message_take(int socket, void *to, size_t room, int *descriptor);
/* Waits for one message, which it puts into `bytes`, and sets `view` to the fields behind its kind.
 * -1: errno is set (ETIMEDOUT, ECONNRESET, EBADMSG). */
int fth_fs_message_receive(int socket, struct fth_bytes *bytes, struct fth_view *view, int seconds);
/* The same with a descriptor that may have come with it, else -1. */
int fth_fs_message_receive_with(int socket, struct fth_bytes *bytes, struct fth_view *view,
                                int *descriptor, int seconds);
/* How long a message is that begins with these bytes; 0: not known yet. -1: it cannot be one. */
int64_t fth_fs_message_length(const uint8_t *bytes, size_t count);

#endif
