/* Partitioned messages. A receiver of the message depends on all partitions that were marked
 * ready, by any thread; a call that finds a partition arrived depends on that one. Both sides
 * split the message into partitions of one size, but possibly into different numbers of them. */
#include "order/match/match.h"

/* Have parts of a message in `count` parts something in common with those of the same one in
 * `others`? Numbers of parts are int in MPI. */
static bool overlap(const struct fth_order_part *one, int64_t count,
                    const struct fth_order_part *other, int64_t others)
{
    return (__int128)one->from * others < (__int128)other->to * count &&
           (__int128)other->from * count < (__int128)one->to * others;
}

void fth_match_parts(const struct fth_matching *matching, uint32_t from_proc, uint32_t send,
                     uint32_t to_proc, uint32_t receive)
{
    const struct fth_order_operations *from = &matching->processes[from_proc],
                                      *to = &matching->processes[to_proc];
    const struct fth_order_partitioned *sent = fth_order_operations_partitioned(from, send),
                                       *received = fth_order_operations_partitioned(to, receive);
    for (uint32_t i = sent ? sent->parts : 0; i; i = from->mpi.parts[i - 1].next) {
        const struct fth_order_part *ready = &from->mpi.parts[i - 1];
        struct fth_event begin = fth_order_operation(from, ready->operation).begin;
        fth_clocks_edge(matching->clocks, begin, fth_order_operation(to, receive).end);
        for (uint32_t k = received ? received->parts : 0; k; k = to->mpi.parts[k - 1].next)
            if (overlap(ready, sent->count, &to->mpi.parts[k - 1], received->count))
                fth_clocks_edge(matching->clocks, begin,
                                fth_order_operation(to, to->mpi.parts[k - 1].operation).end);
    }
}
