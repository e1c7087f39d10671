/* Inner header of the fs room. The connections of a server: each begins with a challenge, and
 * becomes a client by its proof. Nobody is waited for: what a client does not read is kept for it,
 * and it is not listened to meanwhile. */
#ifndef FTH_FS_CONNECTIONS_H
#define FTH_FS_CONNECTIONS_H

#include "fs/protocol/instance.h"
#include "fs/protocol/mailbox.h"
#include "fs/server/spread.h"

#include <poll.h>

struct fth_connections {
    const struct fth_fs_instance *instance;
    struct fth_requests *requests;
    struct fth_spread spread;
    struct fth_connected *list;
    struct pollfd *polled; /* the listening socket, signals, then the connections */
    size_t count;
    uint32_t next_client;
    uint64_t next_id; /* of a connection */
    struct fth_bytes asked, answer;
};

enum { FTH_POLLED_LISTENING, FTH_POLLED_SIGNALS, FTH_POLLED_PEERS, FTH_POLLED_FIRST };

/* `parts`: of an instance on several nodes, else NULL. */
void fth_connections_begin(struct fth_connections *connections, int listening, int signals,
                           struct fth_parts *parts);
/* Does what poll has found. */
void fth_connections_serve(struct fth_connections *connections);
/* Answers the requests in mailboxes. Returns how many there were. */
size_t fth_connections_look(struct fth_connections *connections);
/* Is there a client that does not wait for an answer? */
bool fth_connections_may_ask(const struct fth_connections *connections);
/* Are clients to wake the server from now on? Then mailboxes have to be looked at once more. */
void fth_connections_sleep(struct fth_connections *connections, bool sleeps);
/* Ends all of them; answers that are kept are sent to those who read them soon. */
void fth_connections_end(struct fth_connections *connections);

#endif
