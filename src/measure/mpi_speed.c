/* Who is where among the ranks, and messages between rank 0 and one of them at a time. */
#include "measure/mpi_speed.h"

#include "base/memory.h"
#include "measure/mpi_library.h"
#include "measure/network_speed.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TAG_PLACE = 1, TAG_ORDER, TAG_MESSAGE };
enum order { LEAVE, SERVE };
/* Ranks that have nothing to do look for orders this often: who polls takes a core from those that
 * are measured. */
enum { BETWEEN_LOOKS = 2000 /* us */ };
/* Files take this part of the time of messages. */
enum { FILES_SHARE = 4 };

/* Nodes are distinguished by name and by the boot of their kernel: names may be alike. */
struct place {
    char node[128];
    uint32_t socket;
};

struct ranks {
    struct fth_link link;
    struct fth_mpi mpi;
    int peer;
};

static int send(struct fth_link *link, const void *bytes, size_t count, struct fth_error **error)
{
    struct ranks *ranks = (struct ranks *)link;
    (void)error; /* what is wrong in MPI ends all processes, and MPI says it */
    return ranks->mpi.send(bytes, (int)count, ranks->mpi.byte, ranks->peer, TAG_MESSAGE,
                           ranks->mpi.world);
}

static int receive(struct fth_link *link, void *bytes, size_t count, struct fth_error **error)
{
    struct ranks *ranks = (struct ranks *)link;
    (void)error;
    return ranks->mpi.receive(bytes, (int)count, ranks->mpi.byte, ranks->peer, TAG_MESSAGE,
                              ranks->mpi.world, ranks->mpi.no_status);
}

static int exchange(struct fth_link *link, const void *out, void *in, size_t count,
                    struct fth_error **error)
{
    struct ranks *ranks = (struct ranks *)link;
    struct fth_mpi *mpi = &ranks->mpi;
    (void)error;
    return mpi->exchange(out, (int)count, mpi->byte, ranks->peer, TAG_MESSAGE, in, (int)count,
                         mpi->byte, ranks->peer, TAG_MESSAGE, mpi->world, mpi->no_status);
}

static int begin(struct ranks *ranks, const struct fth_measure_request *request,
                 struct fth_error **error)
{
    char *buffers = mmap(NULL, (size_t)2 * FTH_MOST_MESSAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (buffers == MAP_FAILED)
        return fth_fail_errno(error, "out of memory for messages");
    *ranks = (struct ranks){.link = {send, receive, exchange, buffers, buffers + FTH_MOST_MESSAGE}};
    if (fth_mpi_begin(&ranks->mpi, request->mpi_library, request->rank, request->size_of_run,
                      error)) {
        munmap(buffers, (size_t)2 * FTH_MOST_MESSAGE);
        return -1;
    }
    return 0;
}

static void end(struct ranks *ranks)
{
    ranks->mpi.finalize();
    munmap(ranks->link.out, (size_t)2 * FTH_MOST_MESSAGE);
}

static struct place place_here(void)
{
    enum { BOOT = 40 };
    struct place place = {.socket = fth_topology_here()};
    gethostname(place.node, sizeof place.node - BOOT);
    size_t length = strnlen(place.node, sizeof place.node - BOOT);
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t got = read(file, place.node + length, BOOT - 1);
        (void)got; /* without it names have to do */
        close(file);
    }
    return place;
}

static void order(struct ranks *ranks, int rank, enum order what)
{
    int word = what;
    ranks->mpi.send(&word, sizeof word, ranks->mpi.byte, rank, TAG_ORDER, ranks->mpi.world);
}

static enum order wait_for_order(struct ranks *ranks)
{
    int word = LEAVE, is_there = 0;
    char status[256]; /* larger than that of any MPI */
    while (!ranks->mpi.probe(0, TAG_ORDER, ranks->mpi.world, &is_there, status) && !is_there)
        usleep(BETWEEN_LOOKS);
    ranks->mpi.receive(&word, sizeof word, ranks->mpi.byte, 0, TAG_ORDER, ranks->mpi.world,
                       ranks->mpi.no_status);
    return (enum order)word;
}

static struct place *gather_places(struct ranks *ranks, int size)
{
    struct place *places = fth_new((size_t)size, sizeof *places);
    places[0] = place_here();
    for (int rank = 1; rank < size; rank++)
        ranks->mpi.receive(&places[rank], sizeof *places, ranks->mpi.byte, rank, TAG_PLACE,
                           ranks->mpi.world, ranks->mpi.no_status);
    return places;
}

static enum fth_placement placement_of(const struct place *one, const struct place *other)
{
    if (strcmp(one->node, other->node))
        return FTH_TWO_NODES;
    return one->socket == other->socket ? FTH_SAME_SOCKET : FTH_SAME_NODE;
}

/* The first rank of each placement; 0: there is none. */
static int find_peers(const struct place *places, int size, int peers[FTH_PLACEMENTS])
{
    int found = 0;
    for (int rank = size - 1; rank > 0; rank--) {
        int *peer = &peers[placement_of(&places[0], &places[rank])];
        found += !*peer;
        *peer = rank;
    }
    return found;
}

static uint32_t count_nodes(const struct place *places, int size)
{
    uint32_t count = 0;
    for (int rank = 0; rank < size; rank++) {
        int before = 0;
        while (before < rank && strcmp(places[before].node, places[rank].node))
            before++;
        count += before == rank;
    }
    return count;
}

int fth_measure_mpi(struct fth_measured *measured, int64_t budget, struct fth_progress *progress,
                    struct fth_error **error)
{
    struct ranks ranks;
    int peers[FTH_PLACEMENTS] = {0}, size = measured->request.size_of_run, result = 0;
    if (begin(&ranks, &measured->request, error))
        return -1;
    struct place *places = gather_places(&ranks, size);
    int found = find_peers(places, size, peers);
    measured->nodes = count_nodes(places, size);
    measured->mpi = ranks.mpi.name;
    measured->eager = ranks.mpi.eager;
    for (int i = 0; i < FTH_PLACEMENTS && !result; i++) {
        if (!peers[i])
            continue;
        ranks.peer = peers[i];
        order(&ranks, peers[i], SERVE);
        result = fth_measure_network(&measured->trials, fth_placement_names[i], &ranks.link,
                                     budget / found, progress, error);
    }
    if (!result && measured->request.disk)
        result = fth_measure_mpi_files(measured, &ranks.mpi, budget / FILES_SHARE, progress, error);
    for (int rank = 1; rank < size; rank++)
        order(&ranks, rank, LEAVE);
    free(places);
    end(&ranks);
    return result;
}

int fth_mpi_follow(const struct fth_measure_request *request, struct fth_error **error)
{
    struct ranks ranks;
    struct place place = place_here();
    if (begin(&ranks, request, error))
        return -1;
    ranks.mpi.send(&place, sizeof place, ranks.mpi.byte, 0, TAG_PLACE, ranks.mpi.world);
    int result = 0;
    while (!result && wait_for_order(&ranks) == SERVE)
        result = fth_measure_serve_network(&ranks.link, error);
    end(&ranks);
    return result;
}
