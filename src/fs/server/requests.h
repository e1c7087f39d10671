/* What a server answers to the requests of a client that has proved itself. */
#ifndef FTH_FS_REQUESTS_H
#define FTH_FS_REQUESTS_H

#include "base/bytes.h"
#include "fs/protocol/instance.h"
#include "fs/server/published.h"

struct fth_requests {
    const struct fth_fs_instance *instance;
    struct fth_published *published;
    uint32_t clients;                /* connected */
    bool stop;                       /* the server ends when the answer is sent */
    struct fth_keyed buffers;        /* of clients, to be read for other nodes (buffer_file.h) */
    struct fth_kept_copy *kept;      /* of another node; NULL: none */
    const struct fth_copies *copies; /* of this one, on another node; NULL: none */
};

/* Answers one message of `asker`, whose number has been read: `answer` is begun and filled. A
 * message that makes no sense is answered with EBADMSG. *passed: a descriptor that came with the
 * message; -1 where there is none, and afterwards where it is used. */
void fth_requests_answer(struct fth_requests *requests, const struct fth_asker *asker, uint8_t kind,
                         struct fth_view *message, int *passed, struct fth_bytes *answer);

/* The same where there are several servers, and one of them asks for the part that is this one's by
 * the rule (share_of_file.h). Requests that are not for that are answered with EBADMSG. */
void fth_requests_answer_part(struct fth_requests *requests, const struct fth_asker *asker,
                              uint8_t kind, struct fth_view *message, struct fth_bytes *answer);
/* The client is gone: it has no locks. */
void fth_requests_unlock(struct fth_requests *requests, uint32_t client);
/* May the client attach to this file? HOLD has to come before, if it is known by its identity. */
bool fth_requests_may_attach(const struct fth_requests *requests, const char *path, size_t length);

#endif
