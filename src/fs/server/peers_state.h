/* What the files of peers.h share. Inner header of the fs room. */
#ifndef FTH_FS_PEERS_STATE_H
#define FTH_FS_PEERS_STATE_H

#include "fs/server/answers_once.h"
#include "fs/server/node_network.h"
#include "fs/server/peer_link.h"
#include "fs/server/peers.h"

#define FTH_PEER_SECOND UINT64_C(1000000000)
#define FTH_PEER_TRY (FTH_PEER_SECOND / 10)    /* between two tries to connect */
#define FTH_PEER_SHAKE (5 * FTH_PEER_SECOND)   /* for the proof of both sides */
#define FTH_PEER_RETURN (10 * FTH_PEER_SECOND) /* of a server that went */
#define FTH_PEER_AGAIN (3 * FTH_PEER_SECOND)   /* of one that has been waited for in vain */

struct fth_peer_asking {
    struct fth_peer_asking *next;
    uint64_t number, until, connect_until;
    uint64_t first_by;  /* number of the connection that it was sent by first; 0: not yet */
    bool sent, changes; /* changes: what it asks for is more than an answer */
    struct fth_bytes message;
    fth_peer_answered *answered;
    void *data;
};

/* To a server: what it is asked goes by a connection that this one makes. */
struct fth_peer_outgoing {
    struct fth_peer_link link;
    bool connecting;
    uint64_t connections; /* that have opened */
    uint64_t next_try, shake_until;
    uint64_t gone_since; /* no try has come to an end since; 0: the last one has */
    struct fth_peer_asking *first, **last;
    struct fth_met_node node;
    char why[FTH_PEER_WHY]; /* it could not be asked last */
    int error;              /* that no other try changes; 0: none */
};

struct fth_peer_incoming {
    struct fth_peer_link link;
    uint64_t id, shake_until;
    uint32_t server; /* FTH_SERVERS_MOST: it has not said which it is */
    struct fth_peers *peers;
};

struct fth_peers {
    const struct fth_fs_instance *instance;
    fth_peer_asked *asked;
    void *data;
    int epoll, listening;
    struct fth_ucx *ucx;                /* NULL: messages go by TCP */
    bool has_come;                      /* something by UCX, that is not taken yet */
    struct fth_peer_outgoing *outgoing; /* by number of server */
    struct fth_peer_incoming **incoming;
    struct fth_answers_once once;
    uint64_t start; /* at random, of this process */
    size_t incoming_count;
    uint64_t next_id, next_number;
    uint32_t outgoing_busy; /* servers that something is asked of */
    uint32_t unproved;      /* connections */
    bool has_unsent;        /* some link has what fth_peers_send sends */
    bool refuses;           /* others, who have to find whoever answers for this server now */
    bool ends;
};

/* What an event is of. */
enum fth_peer_mark { FTH_PEER_LISTENING, FTH_PEER_UCX, FTH_PEER_OUTGOING, FTH_PEER_INCOMING };

static inline uint64_t fth_peers_mark(enum fth_peer_mark kind, uint64_t number)
{
    return (uint64_t)kind << 56 | number;
}

/* peers_asking.c */
void fth_peers_serve_outgoing(struct fth_peers *peers, uint32_t server, uint32_t events);
/* By UCX: NULL, its way has broken. */
void fth_peers_take_answer(struct fth_peers *peers, uint32_t server, struct fth_view *message);
void fth_peers_serve_times(struct fth_peers *peers, uint32_t server, uint64_t now);
void fth_peers_end_questions(struct fth_peers *peers, uint32_t server);
void fth_peers_send_questions(struct fth_peers *peers);
/* peers_asked.c */
void fth_peers_accept(struct fth_peers *peers);
void fth_peers_serve_incoming(struct fth_peers *peers, uint64_t id, uint32_t events);
void fth_peers_take_question(struct fth_peers *peers, uint64_t id, struct fth_view *message);
void fth_peers_lose_incoming(struct fth_peers *peers, size_t i);
void fth_peers_send_answers(struct fth_peers *peers);

#endif
