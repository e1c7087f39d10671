/* Send, Recv and Sendrecv. A message up to the eager limit is sent at once; for a larger one the
 * receiver is asked first, and the data come when it has answered. */
#include "sim/world/method.h"

/* What the protocol adds to the payload, and the size of the answer. */
enum { HEADER = FTH_SIM_MESSAGE_HEADER, ANSWER = 100 };

static const char protocol[] = "point to point";

/* Over the network, or at once. */
typedef void send_function(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes,
                           uint32_t tag, enum fth_sim_channel channel);

static int send_by(struct fth_sim_activity *activity, int step, send_function *give)
{
    enum { START, TRANSFER, LAST };
    const struct fth_sim_command *command = fth_sim_command(activity);
    switch (step) {
    case START:
        if (command->bytes <= fth_sim_eager(activity)) {
            give(activity, command->to, command->bytes + HEADER, command->tag, FTH_SIM_MESSAGE);
            return LAST;
        }
        give(activity, command->to, HEADER, command->tag, FTH_SIM_REQUEST);
        fth_sim_receive(activity, command->to, command->tag, FTH_SIM_ANSWER);
        return TRANSFER;
    case TRANSFER:
        give(activity, command->to, command->bytes + HEADER, command->tag, FTH_SIM_PAYLOAD);
        return LAST;
    default:
        return FTH_SIM_OVER;
    }
}

static int receive_by(struct fth_sim_activity *activity, int step, send_function *give)
{
    enum { START, ANNOUNCED };
    const struct fth_sim_command *command = fth_sim_command(activity);
    if (step == START) {
        fth_sim_receive(activity, command->from, command->from_tag, FTH_SIM_MESSAGE);
        return ANNOUNCED;
    }
    if (fth_sim_is_request(activity)) {
        uint32_t source = fth_sim_source(activity), tag = fth_sim_tag(activity);
        give(activity, source, ANSWER, tag, FTH_SIM_ANSWER);
        fth_sim_receive(activity, source, tag, FTH_SIM_PAYLOAD);
    }
    return FTH_SIM_OVER;
}

static int send(struct fth_sim_activity *activity, int step)
{
    return send_by(activity, step, fth_sim_send);
}

static int receive(struct fth_sim_activity *activity, int step)
{
    return receive_by(activity, step, fth_sim_send);
}

static int send_virtually(struct fth_sim_activity *activity, int step)
{
    return send_by(activity, step, fth_sim_send_at_once);
}

static int receive_virtually(struct fth_sim_activity *activity, int step)
{
    return receive_by(activity, step, fth_sim_send_at_once);
}

static int send_and_receive(struct fth_sim_activity *activity, int step)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    (void)step;
    part.verb = FTH_SIM_SEND;
    fth_sim_call(activity, &part);
    part.verb = FTH_SIM_RECV;
    fth_sim_call(activity, &part);
    return FTH_SIM_OVER;
}

static int probe(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    (void)step;
    fth_sim_look_for(activity, command->from, command->from_tag);
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_point_to_point[] = {
    {FTH_SIM_SEND, "Rendezvous", send, protocol},
    {FTH_SIM_RECV, "Rendezvous", receive, protocol},
    {FTH_SIM_SEND, "VirtualSync", send_virtually, protocol},
    {FTH_SIM_RECV, "VirtualSync", receive_virtually, protocol},
    {FTH_SIM_SENDRECV, "Rendezvous", send_and_receive, protocol},
    {FTH_SIM_PROBE, "Envelope", probe, protocol},
    {0, NULL, NULL, NULL},
};
