/* Nodes meet: after MPI_Init and in MPI_Finalize one rank of each node compares its node's clock
 * with that of the node of rank 0, along a binomial tree. A node asks its parent for the time,
 * ROUNDS times, and goes by the answer that came fastest: the parent looked at its clock at some
 * instant between question and answer (Cristian 1989), so the error is at most half of that. What a
 * parent is off itself is added. With n nodes, log2(n) nodes wait for one another, ROUNDS messages
 * there and back each; ranks of one node need none. */
#include "capture/mpi/profiling_interface.h"

enum {
    ROUNDS = 10,
    TAG_QUESTION = 3,
    TAG_ANSWER = 4,
    UNDEFINED = -32766 /* MPI_UNDEFINED in every ABI */
};

/* The ranks that act for their nodes, in order of ranks. */
static struct {
    bool tried, made;
    uint64_t comm;
    int rank, size;
} nodes;

static bool make_nodes(void)
{
    bool acts = fth_mpi_world.rank == fth_mpi_world.first_on_node;
    if (fth_pmpi.Comm_split(fth_mpi_handle(fth_mpi_world.comm), acts ? 0 : UNDEFINED,
                            fth_mpi_world.rank, &nodes.comm) != 0 ||
        !acts)
        return false;
    MPI_Comm comm = fth_mpi_handle(nodes.comm);
    fth_pmpi.Comm_set_errhandler(comm, fth_mpi_handle(fth_mpi_abi.errors_return));
    return fth_pmpi.Comm_rank(comm, &nodes.rank) == 0 && fth_pmpi.Comm_size(comm, &nodes.size) == 0;
}

/* ---- two nodes ---- */

struct answer {
    int64_t monotonic, offset, error; /* of the parent */
};

static bool send(const void *bytes, int length, int to, int tag)
{
    return fth_pmpi.Send(bytes, length, fth_mpi_handle(fth_mpi_abi.byte), to, tag,
                         fth_mpi_handle(nodes.comm)) == 0;
}

static bool receive(void *bytes, int length, int from, int tag)
{
    struct fth_mpi_own_status status;
    return fth_pmpi.Recv(bytes, length, fth_mpi_handle(fth_mpi_abi.byte), from, tag,
                         fth_mpi_handle(nodes.comm), &status) == 0;
}

/* The parent's first answer may wait for its own parent: it is not the fastest. */
static bool ask(int parent, struct fth_spill_meeting *meeting)
{
    int64_t fastest = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        char question = 0;
        struct answer answer;
        int64_t start = (int64_t)fth_clock_ns();
        if (!send(&question, 1, parent, TAG_QUESTION) ||
            !receive(&answer, sizeof answer, parent, TAG_ANSWER))
            return false;
        int64_t took = (int64_t)fth_clock_ns() - start;
        if (took >= fastest)
            continue;
        fastest = took;
        meeting->monotonic = start + took / 2;
        meeting->offset = answer.monotonic - meeting->monotonic + answer.offset;
        meeting->error = answer.error + (took + 1) / 2;
    }
    return true;
}

static bool answer(int child, const struct fth_spill_meeting *meeting)
{
    for (int round = 0; round < ROUNDS; round++) {
        char question;
        if (!receive(&question, 1, child, TAG_QUESTION))
            return false;
        struct answer answer = {(int64_t)fth_clock_ns(), meeting->offset, meeting->error};
        if (!send(&answer, sizeof answer, child, TAG_ANSWER))
            return false;
    }
    return true;
}

/* ---- all nodes ---- */

/* Node r asks r without its lowest bit, and answers those that have one more below it, the farthest
 * first: they have the most to pass on. */
static bool meet(struct fth_spill_meeting *meeting)
{
    int distance = 1;
    *meeting = (struct fth_spill_meeting){.monotonic = (int64_t)fth_clock_ns()};
    while (distance < nodes.size && !(nodes.rank & distance))
        distance *= 2;
    if (nodes.rank != 0 && !ask(nodes.rank - distance, meeting))
        return false;
    for (distance /= 2; distance; distance /= 2)
        if (nodes.rank + distance < nodes.size && !answer(nodes.rank + distance, meeting))
            return false;
    return true;
}

static void keep(const struct fth_spill_meeting *meeting)
{
    const uint32_t most = sizeof fth_process->meetings / sizeof *fth_process->meetings;
    if (!fth_process || fth_process->meetings_held >= most)
        return;
    fth_process->meetings[fth_process->meetings_held] = *meeting;
    atomic_signal_fence(memory_order_seq_cst);
    fth_process->meetings_held++;
}

void fth_mpi_meet(void)
{
    struct fth_mpi_quiet quiet;
    struct fth_spill_meeting meeting;
    if (!fth_mpi_world.is_up || fth_mpi_world.on_one_node)
        return;
    fth_mpi_quiet_begin(&quiet);
    if (!nodes.tried)
        nodes.made = make_nodes();
    nodes.tried = true;
    if (nodes.made && meet(&meeting))
        keep(&meeting);
    fth_mpi_quiet_end(&quiet);
}

void fth_mpi_meet_no_more(void)
{
    struct fth_mpi_quiet quiet;
    if (!nodes.made)
        return;
    fth_mpi_quiet_begin(&quiet);
    fth_pmpi.Comm_free(&nodes.comm);
    nodes.made = false;
    fth_mpi_quiet_end(&quiet);
}
