/* Files on servers: the runs of the original simulator with five clients and five servers, the caches' figures of the thesis, and what follows
 * from the rules by arithmetic. */
#include "case.h"

#include "sim/run.h"

#include <stdio.h>

enum { KI = 1024, MI = KI * KI };

/* Each process accesses `calls` times `parts` records, those of all processes one behind the other; or, at random, records of so many as there are. */
static struct {
    enum fth_sim_verb verb;
    uint64_t calls, parts, record;
    uint64_t random; /* 0: not at random */
} pattern;

/* Knuth's generator, with the seed 1. */
static uint64_t draw(uint64_t below)
{
    pattern.random = pattern.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (pattern.random >> 33) % below;
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    if (cursor->at == pattern.calls)
        return false;
    uint64_t first = cursor->at++ * pattern.parts * program->ranks + rank;
    if (pattern.random)
        first = draw(pattern.calls);
    *command = (struct fth_sim_command){.verb = pattern.verb,
                                        .ranges = {.offset = first * pattern.record,
                                                   .bytes = pattern.record,
                                                   .stride = pattern.record * program->ranks,
                                                   .count = pattern.parts}};
    return true;
}

struct outcome {
    double seconds, ends; /* all of it, with what caches write at last; processes */
    uint64_t events;
};

static struct outcome simulate(const struct fth_sim_cluster *cluster, uint32_t clients)
{
    uint64_t bytes = pattern.calls * pattern.parts * pattern.record * clients;
    struct fth_sim_file file = {
        .name = "file",
        .size =
            pattern.verb == FTH_SIM_FILE_READ || pattern.verb == FTH_SIM_FILE_READ_ALL ? bytes : 0};
    struct fth_sim_program program = {
        .ranks = clients, .next = next, .files = &file, .file_count = 1};
    struct fth_sim_world *world = fth_sim_world_new(cluster, &program, NULL);
    fth_sim_world_run(world);
    struct outcome outcome = {.seconds = (double)fth_sim_world_time(world) * 1e-9,
                              .events = fth_sim_world_events(world)};
    for (uint32_t rank = 0; rank < clients; rank++) {
        char text[256];
        int64_t end = fth_sim_world_end(world, rank, text, sizeof text);
        if ((double)end * 1e-9 > outcome.ends)
            outcome.ends = (double)end * 1e-9;
        if (end < 0)
            printf("rank %u %s\n", rank, text);
    }
    fth_sim_world_free(world);
    return outcome;
}

static struct fth_sim_cluster pvs;

/* So many nodes with processes, and so many servers. */
static struct fth_sim_cluster with_servers(const char *cache, uint32_t nodes, uint32_t servers)
{
    struct fth_sim_cluster cluster = pvs;
    cluster.nodes = nodes;
    cluster.servers = (struct fth_sim_servers){.count = servers,
                                               .cache = fth_sim_cache(cache),
                                               .memory = 1000000000,
                                               .granularity = 10 * MI,
                                               .stripe = 64 * KI,
                                               .at_once = 1};
    return cluster;
}

static void access_by(enum fth_sim_verb verb, uint64_t calls, uint64_t parts, uint64_t record)
{
    pattern.verb = verb;
    pattern.calls = calls;
    pattern.parts = parts;
    pattern.record = record;
    pattern.random = 0;
}

static void validate_reference(void)
{
    static const struct {
        const char *id, *cache;
        bool reads;
        uint64_t calls;
        double seconds, ends; /* ends: of processes; 0: not known */
        double events;
    } rows[] = {
        {"files/level-0/write", "AggregationReorder", false, 10, 14.588375008, 0, 1349496},
        {"files/level-0/read", "AggregationReorder", true, 10, 16.142320296, 0, 1340562},
        {"files/level-2/write", "AggregationReorder", false, 1, 14.581893189, 0, 1336352},
        {"files/level-2/read", "AggregationReorder", true, 1, 14.769719698, 0, 1333419},
        {"files/no-cache", "NoCache", false, 10, 145.380872495, 145.367, 0},
        {"files/write-behind", "WriteBehind", false, 10, 145.380872495, 13.936, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = with_servers(rows[i].cache, 5, 5);
        char id[64];
        cluster.sockets = 1;
        access_by(rows[i].reads ? FTH_SIM_FILE_READ : FTH_SIM_FILE_WRITE, rows[i].calls,
                  10 / rows[i].calls, 100 * MI);
        struct outcome ours = simulate(&cluster, 5);
        compare(rows[i].id, "5 clients, 5 servers, 10 x 100 MiB each: s, with what caches write",
                ORIGINAL, rows[i].seconds, ours.seconds, 0.025 * rows[i].seconds,
                "which tasks a phase of the cache begins with is decided by nanoseconds");
        snprintf(id, sizeof id, "%s/ends", rows[i].id);
        if (rows[i].ends > 0)
            compare(id, "the same, until the processes end: s", ORIGINAL, rows[i].ends, ours.ends,
                    0.001 * rows[i].ends, NULL);
        snprintf(id, sizeof id, "%s/events", rows[i].id);
        if (rows[i].events > 0)
            compare(id, "events", ORIGINAL, rows[i].events, (double)ours.events,
                    0.002 * rows[i].events, NULL);
    }
}

/* One client, one server, a network that costs nothing; records until 1280 MiB are touched. */
static void validate_caches(void)
{
    static const struct {
        const char *id, *cache;
        enum fth_sim_verb verb;
        uint64_t memory, record;
        bool random;
        double rate, tolerance; /* MiB/s */
        const char *why;
    } rows[] = {
        {"cache/sequential-write", "NoCache", FTH_SIM_FILE_WRITE, 1024, 1024, false, 95.9, 0.2,
         NULL},
        {"cache/sequential-read", "NoCache", FTH_SIM_FILE_READ, 1024, 1024, false, 95.2, 0.8, NULL},
        {"cache/random-16-none", "NoCache", FTH_SIM_FILE_WRITE, 1024, 16, true, 1.172, 0.005, NULL},
        {"cache/random-16-1024", "AggregationReorder", FTH_SIM_FILE_WRITE, 1024, 16, true, 12, 1.2,
         "not everything is there when the first sweep begins, and what comes later waits for the "
         "next one"},
        {"cache/random-16-500", "AggregationReorder", FTH_SIM_FILE_WRITE, 500, 16, true, 3.1, 0.3,
         "the original's scheduler seeks more in a cache that is not full than a sweep does"},
        {"cache/random-16-200", "AggregationReorder", FTH_SIM_FILE_WRITE, 200, 16, true, 1.7, 0.2,
         "the original's scheduler seeks more in a cache that is not full than a sweep does"},
    };
    const struct fth_sim_speed free = {.throughput = UINT64_C(1000) << 30};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster = with_servers(rows[i].cache, 1, 1);
        cluster.sockets = 1;
        cluster.servers.memory = rows[i].memory * MI;
        cluster.nic.speed = cluster.nic_edge.speed = cluster.socket.speed = free;
        cluster.socket_edge.speed = cluster.node.speed = cluster.node_edge.speed = free;
        cluster.hub.speed = free;
        access_by(rows[i].verb, 1280 * KI / rows[i].record, 1, rows[i].record * KI);
        pattern.random = rows[i].random;
        struct outcome ours = simulate(&cluster, 1);
        compare(rows[i].id, "1280 MiB by one client through one server: MiB/s",
                THESIS "section 7.5.2", rows[i].rate, 1280 / ours.seconds, rows[i].tolerance,
                rows[i].why);
    }
}

/* What servers with fast storage, and with disks, give to clients. */
static void validate_rates(void)
{
    static const struct {
        const char *id, *what;
        uint32_t clients, nodes, servers;
        bool shared, on_disk;
        enum fth_sim_verb verb;
        uint64_t calls, parts, record; /* record: KiB */
        double rate, tolerance;        /* MiB/s */
        const char *source, *why;
    } rows[] = {
        {"rates/1C-1S", "one client, one server, tmpfs, 100 MiB", 1, 1, 1, false, false,
         FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 70, 3, THESIS "section 7.7.3", NULL},
        {"rates/5C-5S", "five and five", 5, 5, 5, false, false, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI,
         350, 10, THESIS "section 7.7.3", NULL},
        {"rates/3C-2S", "three and two", 3, 3, 2, false, false, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI,
         144, 6, THESIS "section 7.7.3", NULL},
        {"rates/5C-5S/100-KiB", "records of 100 KiB", 5, 5, 5, false, false, FTH_SIM_FILE_WRITE,
         1024, 1, 100, 220, 44, THESIS "section 7.7.3", NULL},
        {"rates/5C-5S/100-KiB/all", "all of a client's records in one call", 5, 5, 5, false, false,
         FTH_SIM_FILE_WRITE, 1, 1024, 100, 350, 17, THESIS "section 7.7.3", NULL},
        {"rates/30-processes", "30 processes on five nodes, disks", 30, 5, 5, false, true,
         FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 350, 17, THESIS "section 7.7.5", NULL},
        {"rates/overlapping", "eight nodes with a client and a server each, disks", 8, 8, 8, true,
         true, FTH_SIM_FILE_WRITE, 10, 1, 100 * KI, 600, 60, THESIS "section 7.7.5", NULL},
        {"rates/checkpoint", "488 MiB by one client", 1, 1, 2, false, true, FTH_SIM_FILE_WRITE, 1,
         1, 488 * KI, 71.9, 0.4, "arithmetic: the client's link", NULL},
        {"rates/2C-3S/collective", "collective reads of 100 KiB records by two clients", 2, 2, 3,
         false, false, FTH_SIM_FILE_READ_ALL, 1024, 1, 100, 100, 20, THESIS "section 7.7.3", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fth_sim_cluster cluster =
            with_servers("AggregationReorder", rows[i].nodes, rows[i].servers);
        cluster.servers.shared = rows[i].shared;
        if (!rows[i].on_disk) {
            cluster.disk = (struct fth_sim_disk_kind){fth_sim_disk_model("SimpleDisk"),
                                                      {.throughput = UINT64_C(2000) << 20}};
        }
        access_by(rows[i].verb, rows[i].calls, rows[i].parts, rows[i].record * KI);
        struct outcome ours = simulate(&cluster, rows[i].clients);
        double mebibytes =
            (double)(rows[i].calls * rows[i].parts * rows[i].record * rows[i].clients) / KI;
        compare(rows[i].id, rows[i].what, rows[i].source, rows[i].rate, mebibytes / ours.ends,
                rows[i].tolerance, rows[i].why);
    }
}

/* 15 clients write 10 GiB each to five servers: with little memory the first server falls behind. */
static void validate_memory(void)
{
    struct fth_sim_cluster cluster = with_servers("AggregationReorder", 5, 5);
    access_by(FTH_SIM_FILE_WRITE, 100, 1, 100 * MI);
    cluster.servers.memory = UINT64_C(1) << 30;
    compare("files/memory-1-GiB", "15 clients, 1 GiB of memory: s", THESIS "section 7.7.6", 410,
            simulate(&cluster, 15).ends, 20, NULL);
    cluster.servers.memory = 100 * MI;
    compare("files/memory-100-MiB", "the same with 100 MiB: s", THESIS "section 7.7.6", 700,
            simulate(&cluster, 15).ends, 70,
            "in the original one server falls behind the others, which none does here");
}

void validate_files(void)
{
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(&pvs, CLUSTERS "/pvs.yaml", NULL))
        return;
    pvs.cores = 0;
    validate_reference();
    validate_caches();
    validate_rates();
    validate_memory();
}
