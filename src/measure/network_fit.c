/* From timings of messages to the parts of a network. */
#include "measure/machine.h"

#include "measure/memory_speed.h"
#include "measure/network_speed.h"

#include <math.h>
#include <stdlib.h>

/* What a message carries besides its bytes: TCP and IP (Kunkel 2013, section 7.3), and what the
 * simulator's protocol adds. */
#define OVERHEAD (40.0 + 8.0)
#define GIB 0x1p30
#define SECOND 1e9
/* A message that waits for the receiver's consent takes as many ways as asking, consenting and
 * sending. */
enum { WAYS_WITH_CONSENT = 3 };

/* Two processes at a placement. */
struct way {
    const char *kind;
    struct fth_point *points, *exchanges; /* of ping-pong, one way, and of sendrecv */
    size_t count;                         /* of each; 0: not known */
    struct fth_fit_line line;             /* one way */
    double one, both; /* bytes per second in one direction, and in both together */
};

static struct way find_way(struct fth_measured *measured, const char *kind)
{
    struct way way = {.kind = kind};
    way.points = fth_measured_points(measured, kind, "ping-pong", &way.count);
    way.exchanges = fth_measured_points(measured, kind, "sendrecv", &way.count);
    return way;
}

static void ask_above(struct fth_point *points, size_t count, double eager)
{
    for (size_t i = 0; i < count; i++)
        points[i].constants = points[i].bytes > eager ? WAYS_WITH_CONSENT : 1;
}

static double mean_error(const struct way *way, double eager)
{
    struct fth_comparison comparison = {0};
    ask_above(way->points, way->count, eager);
    struct fth_fit_line line = fth_fit_line(way->points, way->count);
    fth_fit_compare_line(&comparison, way->points, way->count, &line);
    return comparison.residual.mean;
}

/* The limit above which messages seem to wait for the receiver, where a jump in their times shows
 * it; 0: nothing shows it. */
static double find_eager(const struct way *way)
{
    double without = mean_error(way, FTH_MOST_MESSAGE), least = without, eager = 0;
    for (size_t i = 1; i + 1 < way->count; i++) {
        double error = mean_error(way, way->points[i].bytes);
        if (error < least) {
            least = error;
            eager = way->points[i].bytes;
        }
    }
    return least < 0.8 * without ? eager : 0;
}

static void fit_way(struct fth_measured *measured, struct way *way, double eager)
{
    if (!way->count)
        return;
    ask_above(way->points, way->count, eager);
    ask_above(way->exchanges, way->count, eager);
    struct fth_fit_line both = fth_fit_line(way->exchanges, way->count);
    way->line = fth_fit_line(way->points, way->count);
    way->one = way->line.slope > 0 ? SECOND / way->line.slope : 40 * GIB;
    way->both = both.slope > 0 ? 2 * SECOND / both.slope : way->one;
    struct fth_comparison comparison = {0};
    fth_fit_compare_line(&comparison, way->points, way->count, &way->line);
    fth_measured_say(measured,
                     "%s: a message takes %.0f ns and %.3g ns per KiB; the error of this line is "
                     "%.0f %% on average and at most %+.0f %%, at %.0f bytes",
                     way->kind, way->line.constant, way->line.slope * 1024,
                     comparison.residual.mean * 100, comparison.residual.worst * 100,
                     comparison.residual.at.bytes);
}

static void add_rate(struct fth_measured *measured, const char *part, const char *key, double rate,
                     const char *reason)
{
    fth_parameter_add(measured, part, key, FTH_SIM_RATE, rate, reason != NULL, "%s",
                      reason ? reason : "not measured");
}

/* The latency of each of two edges, so that an empty message takes as long as measured: what
 * remains of its time when the other parts have worked on the overhead. */
static double add_latency(struct fth_measured *measured, const char *part, const struct way *way,
                          double others)
{
    double latency = way->count ? (way->line.constant - others) / 2 : 0;
    latency = latency > 0 ? floor(latency + 0.5) : 0;
    fth_parameter_add(measured, part, "latency", FTH_SIM_TIME, latency, way->count,
                      way->count ? "what remains of the time of an empty message" : "not measured");
    return latency;
}

/* NIC - NIC edge - socket - socket edge - node - node edge - switch, and back: each placement knows
 * some more parts than the one before. */
static void add_parts(struct fth_measured *measured, const struct way *inside,
                      const struct way *across, const struct way *between)
{
    static const char there_and_back[] = "ping-pong", both_ways[] = "both directions at once";
    double copy_time = fth_measured_time(measured, "memory", "copy");
    double copy = copy_time > 0 ? FTH_MEMORY_CHUNK / copy_time * SECOND : 0;
    const char *from_copy = copy > 0 ? "copies of memory" : NULL;
    double edge = inside->count ? inside->one : copy > 0 ? copy : 40 * GIB;
    double local = inside->count ? inside->both : edge;
    double socket = across->count ? across->both : local;
    double nic = fmax(40 * GIB, 10 * edge);
    double socket_edge = across->count ? across->one : nic;
    double node = across->count ? 2 * socket : nic;
    double node_edge = between->count ? between->one : edge;
    double hub = node_edge * (measured->nodes > 1 ? measured->nodes : 2);

    fth_parameter_add(measured, "nic", "throughput", FTH_SIM_RATE, nic, false,
                      "no limit: the edges are it");
    add_rate(measured, "nic edge", "throughput", edge, inside->count ? there_and_back : from_copy);
    double passed = OVERHEAD * SECOND * (2 / nic + 2 / edge);
    double nic_latency =
        add_latency(measured, "nic edge", inside, passed + OVERHEAD * SECOND / local);
    add_rate(measured, "socket", "throughput", socket,
             across->count || inside->count ? both_ways : from_copy);
    add_rate(measured, "socket", "local", local, inside->count ? both_ways : from_copy);
    fth_parameter_add(measured, "socket edge", "throughput", FTH_SIM_RATE, socket_edge,
                      across->count, "%s",
                      across->count ? there_and_back : "not measured, no limit");
    passed += 2 * nic_latency + OVERHEAD * SECOND * (2 / socket + 2 / socket_edge);
    double socket_latency =
        add_latency(measured, "socket edge", across, passed + OVERHEAD * SECOND / node);
    fth_parameter_add(measured, "node", "throughput", FTH_SIM_RATE, node, false,
                      across->count ? "twice the socket's" : "no limit");
    add_rate(measured, "node edge", "throughput", node_edge,
             between->count ? there_and_back : NULL);
    passed += 2 * socket_latency + OVERHEAD * SECOND * (2 / node + 2 / node_edge + 1 / hub);
    add_latency(measured, "node edge", between, passed);
    fth_parameter_add(measured, "switch", "throughput", FTH_SIM_RATE, hub, false,
                      "all nodes at once");
}

static void add_eager(struct fth_measured *measured, double eager)
{
    if (eager > 0)
        fth_parameter_add(measured, "mpi", "eager", FTH_SIM_BYTES, eager, true,
                          "larger ones wait: their times jump there");
    else
        fth_parameter_add(measured, "mpi", "eager", FTH_SIM_BYTES,
                          measured->eager ? (double)measured->eager : 64 << 10, false,
                          "a usual limit%s%s", measured->mpi ? " of " : "",
                          measured->mpi ? measured->mpi : "");
}

static void note_carrier(struct fth_measured *measured, const struct way *between)
{
    if (measured->mpi)
        fth_measured_say(measured, "messages went through %s, %s", measured->mpi,
                         between->count
                             ? "also between nodes"
                             : "on one node: the network between nodes was not measured");
    else
        fth_measured_say(
            measured,
            "messages went through local sockets, and the network between nodes was not measured; "
            "`mpirun -n 2 fathom measure network` measures MPI, and on two nodes the network");
}

void fth_fit_network(struct fth_measured *measured)
{
    struct way ways[FTH_PLACEMENTS];
    double eager = 0;
    for (int i = 0; i < FTH_PLACEMENTS; i++)
        ways[i] = find_way(measured, measured->mpi || i > FTH_SAME_SOCKET ? fth_placement_names[i]
                                                                          : "local sockets");
    /* One limit for all: that of the longest way. */
    for (int i = FTH_PLACEMENTS - 1; i >= 0 && measured->mpi && eager == 0; i--)
        if (ways[i].count)
            eager = find_eager(&ways[i]);
    for (int i = 0; i < FTH_PLACEMENTS; i++)
        fit_way(measured, &ways[i], eager > 0 ? eager : FTH_MOST_MESSAGE);
    if (measured->request.network)
        note_carrier(measured, &ways[FTH_TWO_NODES]);
    fth_parameter_add(measured, "network", "packet", FTH_SIM_BYTES, 100 << 10, false,
                      "smaller ones would be more exact, and cost more");
    fth_parameter_add(measured, "network", "overhead", FTH_SIM_BYTES, 40, false,
                      "TCP and IP, once per message");
    add_parts(measured, &ways[FTH_SAME_SOCKET], &ways[FTH_SAME_NODE], &ways[FTH_TWO_NODES]);
    add_eager(measured, eager);
    for (int i = 0; i < FTH_PLACEMENTS; i++) {
        free(ways[i].points);
        free(ways[i].exchanges);
    }
}
