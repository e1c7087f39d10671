/* The servers of other nodes: what this one asks them, and what they ask it. A connection is made
 * when something is asked for the first time, and again where it was cut; what was asked and not
 * answered is asked again then. Nobody is waited for here; every question has an end, at which its
 * answer is an error that says why. Inner header of the fs room. */
#ifndef FTH_FS_PEERS_H
#define FTH_FS_PEERS_H

#include "base/bytes.h"
#include "fs/protocol/instance.h"
#include "fs/server/noted_requests.h"

struct fth_peers;

enum { FTH_PEER_WHY = 512 };

/* An answer of the server `number`: its fields; or error is errno, and `why` says more. */
struct fth_peer_answer {
    uint32_t server;
    int error;
    struct fth_view fields;
    const char *why;
};

/* A question of another server, to be answered now or later. */
struct fth_peer_question {
    uint64_t link, number;
    uint32_t server;
    uint64_t once; /* of answers_once.h; 0: it changes nothing, or is noted (noted_requests.h) */
};

typedef void fth_peer_answered(void *data, struct fth_peer_answer *answer);
typedef void fth_peer_asked(void *data, const struct fth_peer_question *question, uint8_t kind,
                            const struct fth_asker *asker, struct fth_view *fields);

enum {
    FTH_PEER_LAST_SECONDS = 2,   /* for one that nothing depends on */
    FTH_PEER_SECONDS = 20,       /* for an answer that is given at once */
    FTH_PEER_PIECE_SECONDS = 60, /* for one that is given when a piece of a file is written */
    FTH_PEER_LONG_SECONDS = 600, /* for one that is given when files are written */
};

/* `listening`: of fth_node_listen; it is closed with it. NULL: *error is set (of UCX). */
struct fth_peers *fth_peers_begin(const struct fth_fs_instance *instance, int listening,
                                  fth_peer_asked *asked, void *data, struct fth_error **error);
/* For poll: something has come. */
int fth_peers_file(const struct fth_peers *peers);
/* Sends what there is to send: questions and answers of one time go together. Before any wait. */
void fth_peers_send(struct fth_peers *peers);
/* Asks: `fields` of a request of `asker`. `answered` is called later, never from here. */
void fth_peers_ask(struct fth_peers *peers, uint32_t server, uint8_t kind,
                   const struct fth_asker *asker, const struct fth_bytes *fields, unsigned seconds,
                   fth_peer_answered *answered, void *data);
/* Answers: error 0 and fields, or errno and a text. Who has gone gets none. */
void fth_peers_reply(struct fth_peers *peers, const struct fth_peer_question *question, int error,
                     const void *fields, size_t length);
/* From the next fth_peers_serve on, no other server is answered: those that ask find in the folder
 * where servers meet who answers in place of this one. */
void fth_peers_refuse(struct fth_peers *peers);
/* Does what has to be done by now. Returns how much has come. */
int fth_peers_serve(struct fth_peers *peers);
/* Where the server listens now may be another place than before: then questions go there. */
void fth_peers_find_again(struct fth_peers *peers, uint32_t server);
/* Why this server can do nothing, where it keeps a copy on the next one, which does not confirm
 * that it is there (beats.h). false: that is not so. */
bool fth_peers_tell_no_lease(const struct fth_peers *peers, char why[FTH_PEER_WHY]);
/* Milliseconds until that has to be called at the latest; -1: nothing is waited for. */
int fth_peers_wait(const struct fth_peers *peers);
/* Sends the last answers to those who read them soon, and ends. */
void fth_peers_end(struct fth_peers *peers);

#endif
