/* Inner header: how fast messages are between two processes, whatever carries them. */
#ifndef FTH_MEASURE_NETWORK_SPEED_H
#define FTH_MEASURE_NETWORK_SPEED_H

#include "measure/trial.h"

/* A way between two processes; both have one. A message of 0 bytes is one, too. */
struct fth_link {
    int (*send)(struct fth_link *link, const void *bytes, size_t count, struct fth_error **error);
    int (*receive)(struct fth_link *link, void *bytes, size_t count, struct fth_error **error);
    /* Both at the same time. */
    int (*exchange)(struct fth_link *link, const void *out, void *in, size_t count,
                    struct fth_error **error);
    char *out, *in; /* FTH_MOST_MESSAGE each */
};

enum { FTH_LEAST_MESSAGE = 128, FTH_MOST_MESSAGE = 8 << 20 };

/* Times "ping-pong" (one way) and "sendrecv" for messages of 0, 128, 256, ... bytes; `kind` says
 * what is between the two. The other process calls fth_measure_serve_network. */
int fth_measure_network(struct fth_trials *trials, const char *kind, struct fth_link *link,
                        int64_t budget, struct fth_progress *progress, struct fth_error **error);
/* Does what the other process says until it is done. */
int fth_measure_serve_network(struct fth_link *link, struct fth_error **error);

/* The same between us and a process that is started for it, through a pair of sockets. */
int fth_measure_sockets(struct fth_trials *trials, int64_t budget, struct fth_progress *progress,
                        struct fth_error **error);

#endif
