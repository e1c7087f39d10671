/* Ping-pong and exchange of messages between two processes (Kunkel 2013, section 3.5.1). One leads
 * and says what comes, the other follows. */
#include "measure/network_speed.h"

enum kernel { END, PING_PONG, EXCHANGE };
struct command {
    uint32_t kernel, batch;
    uint64_t bytes;
};

static int ping_pong(struct fth_link *link, const struct command *command, bool leads,
                     struct fth_error **error)
{
    for (uint32_t i = 0; i < command->batch; i++)
        if ((leads && link->send(link, link->out, command->bytes, error)) ||
            link->receive(link, link->in, command->bytes, error) ||
            (!leads && link->send(link, link->out, command->bytes, error)))
            return -1;
    return 0;
}

static int exchange(struct fth_link *link, const struct command *command, struct fth_error **error)
{
    for (uint32_t i = 0; i < command->batch; i++)
        if (link->exchange(link, link->out, link->in, command->bytes, error))
            return -1;
    return 0;
}

static int run(struct fth_link *link, const struct command *command, bool leads,
               struct fth_error **error)
{
    return command->kernel == PING_PONG ? ping_pong(link, command, leads, error)
                                        : exchange(link, command, error);
}

int fth_measure_serve_network(struct fth_link *link, struct fth_error **error)
{
    for (;;) {
        struct command command;
        char ready = 1;
        if (link->receive(link, &command, sizeof command, error))
            return -1;
        if (command.kernel == END)
            return 0;
        if (link->send(link, &ready, 1, error) || run(link, &command, false, error))
            return -1;
    }
}

/* The clock starts when the other one is ready. */
static int lead(struct fth_link *link, const struct command *command, double *nanoseconds,
                struct fth_error **error)
{
    char ready;
    if (link->send(link, command, sizeof *command, error) || link->receive(link, &ready, 1, error))
        return -1;
    int64_t start = fth_measure_now();
    if (run(link, command, true, error))
        return -1;
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

/* There and back are two ways. */
static int time_ping_pong(struct fth_trial *trial, void *context, double *nanoseconds,
                          struct fth_error **error)
{
    struct command command = {PING_PONG, trial->batch, trial->bytes};
    if (lead(context, &command, nanoseconds, error))
        return -1;
    *nanoseconds /= 2;
    return 0;
}

static int time_exchange(struct fth_trial *trial, void *context, double *nanoseconds,
                         struct fth_error **error)
{
    struct command command = {EXCHANGE, trial->batch, trial->bytes};
    return lead(context, &command, nanoseconds, error);
}

int fth_measure_network(struct fth_trials *trials, const char *kind, struct fth_link *link,
                        int64_t budget, struct fth_progress *progress, struct fth_error **error)
{
    size_t first = trials->count;
    for (uint64_t bytes = 0; bytes <= FTH_MOST_MESSAGE;
         bytes = bytes ? bytes * 2 : FTH_LEAST_MESSAGE) {
        fth_trials_add(trials, kind, "ping-pong", bytes, time_ping_pong, 0);
        fth_trials_add(trials, kind, "sendrecv", bytes, time_exchange, 0);
    }
    const struct command end = {.kernel = END};
    return fth_trials_run(trials, first, link, budget, progress, error) ||
                   link->send(link, &end, sizeof end, error)
               ? -1
               : 0;
}
