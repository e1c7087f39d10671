/* What clients ask that must not be done twice: where the answer was lost, with a server or with a
 * connection, the same request comes again, and gets the answer that it had. A client asks one
 * thing at a time and numbers its requests, so each server keeps what it did for the last one only.
 * The journal has it in one piece with what was changed (published.c): whether a request was done
 * is known to the next server as well, and to that of another node, whichever of them was killed.
 * Inner header of the fs room. */
#ifndef FTH_FS_NOTED_REQUESTS_H
#define FTH_FS_NOTED_REQUESTS_H

#include "base/keyed.h"

#include <stdbool.h>
#include <stdint.h>

/* Who asks, by which of its requests. client 0: a server. request 0: it may be done twice. */
struct fth_asker {
    uint32_t client;
    uint64_t request;
};

/* What is done of a request at one server: no two parts of one are of the same kind there. */
struct fth_noted {
    struct fth_asker asker;
    uint8_t kind; /* fs/protocol/fs_messages.h: one that is noted */
    uint64_t answer;
};

/* All zero: none. */
struct fth_noted_requests {
    struct fth_keyed last; /* by number of client, of struct fth_noted_last */
};

enum fth_noted_state { FTH_NOTED_NOT, FTH_NOTED_DONE, FTH_NOTED_OLD };

/* Was it done? Then its answer is set. OLD: the client has asked something else since. */
enum fth_noted_state fth_noted_find(struct fth_noted_requests *requests, struct fth_noted *noted);
void fth_noted_keep(struct fth_noted_requests *requests, const struct fth_noted *noted);
/* All that are kept. */
void fth_noted_each(const struct fth_noted_requests *requests,
                    void (*take)(void *data, const struct fth_noted *noted), void *data);
void fth_noted_free(struct fth_noted_requests *requests);

#endif
