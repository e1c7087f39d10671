/* What files are on, from YAML: disks, servers, burst buffers, an instance of `fathom fs`. */
#ifdef FATHOM_LIBYAML

#include "sim/io/cache.h"
#include "sim/config/yaml.h"

#include <string.h>

enum { MOST_NODES = FTH_SIM_MOST_NODES };

/* ---- disks ---- */

static const struct fth_yaml_field disk_fields[] = {
    FTH_YAML_FIELD(fth_sim_disk_speed, "throughput", FTH_SIM_RATE, throughput, true, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_disk_speed, "access", FTH_SIM_TIME, access, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "write throughput", FTH_SIM_RATE, write_throughput, false, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_disk_speed, "write access", FTH_SIM_TIME, write_access, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "flush", FTH_SIM_TIME, flush, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "depth", FTH_SIM_COUNT, depth, false, 1, 1 << 20),
    FTH_YAML_FIELD(fth_sim_disk_speed, "track seek", FTH_SIM_TIME, track_seek, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "average seek", FTH_SIM_TIME, average_seek, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "turns", FTH_SIM_COUNT, turns, false, 1, 1000000),
    FTH_YAML_FIELD(fth_sim_disk_speed, "short seek", FTH_SIM_BYTES, short_distance, false, 0,
                   UINT64_C(1) << 60),
    {0},
};

static int take_disk(const struct fth_yaml *reading, const yaml_node_t *key,
                     const yaml_node_t *value, void *target)
{
    struct fth_sim_disk_kind *disk = target;
    if (strcmp(fth_yaml_text(key), "model") != 0)
        return fth_yaml_number(reading, disk_fields, key, value, &disk->speed, "a disk has no");
    const char *name = fth_yaml_text(value);
    disk->model = name ? fth_sim_disk_model(name) : NULL;
    return disk->model
               ? 0
               : fth_yaml_fail(reading, value,
                               "disks are SimpleDisk, RefinedDisk, SSD or NVMe, there is no",
                               name ? name : "model");
}

int fth_yaml_disk(const struct fth_yaml *reading, const yaml_node_t *value,
                  struct fth_sim_disk_kind *disk)
{
    if (fth_yaml_each(reading, value, "disk", take_disk, disk) ||
        fth_yaml_check_required(reading, value, disk_fields))
        return -1;
    if (!disk->model)
        return fth_yaml_fail(reading, value, "missing key", "model");
    if (!strcmp(disk->model->name, "RefinedDisk") && !disk->speed.turns)
        return fth_yaml_fail(reading, value, "the disk lacks its", "turns");
    return 0;
}

/* ---- servers ---- */

static const struct fth_yaml_field server_fields[] = {
    FTH_YAML_FIELD(fth_sim_servers, "count", FTH_SIM_COUNT, count, true, 1, MOST_NODES),
    FTH_YAML_FIELD(fth_sim_servers, "memory", FTH_SIM_BYTES, memory, true, 1, UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "background", FTH_SIM_BYTES, background, false, 0,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "expire", FTH_SIM_TIME, expire, false, 0, 3600000000000),
    FTH_YAML_FIELD(fth_sim_servers, "write call", FTH_SIM_TIME, write_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "write copy", FTH_SIM_RATE, write_copy, false, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "read call", FTH_SIM_TIME, read_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "read copy", FTH_SIM_RATE, read_copy, false, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "open call", FTH_SIM_TIME, open_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "create call", FTH_SIM_TIME, create_call, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "close call", FTH_SIM_TIME, close_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "stat call", FTH_SIM_TIME, stat_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "rename call", FTH_SIM_TIME, rename_call, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "delete call", FTH_SIM_TIME, delete_call, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "sync call", FTH_SIM_TIME, sync_call, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "names handoff", FTH_SIM_TIME, names_handoff, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "writers handoff", FTH_SIM_TIME, writers_handoff, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "granularity", FTH_SIM_BYTES, granularity, false, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "stripe", FTH_SIM_BYTES, stripe, false, 1, UINT64_C(1) << 32),
    FTH_YAML_FIELD(fth_sim_servers, "at once", FTH_SIM_COUNT, at_once, false, 1, 1 << 20),
    FTH_YAML_FIELD(fth_sim_servers, "lookup", FTH_SIM_TIME, lookup, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "tell", FTH_SIM_TIME, tell, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "node tell", FTH_SIM_TIME, node_tell, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_servers, "token block", FTH_SIM_BYTES, token_block, false, 1,
                   UINT64_C(1) << 40),
    FTH_YAML_FIELD(fth_sim_servers, "read cache", FTH_SIM_BYTES, kept, false, 0, UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "block", FTH_SIM_BYTES, block, false, 512, UINT64_C(1) << 40),
    FTH_YAML_FIELD(fth_sim_servers, "read ahead", FTH_SIM_BYTES, ahead, false, 0,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_servers, "forwarders", FTH_SIM_COUNT, forwarders, false, 0, MOST_NODES),
    FTH_YAML_FIELD(fth_sim_servers, "own nodes", FTH_SIM_COUNT, apart, false, 0, MOST_NODES),
    {0},
};

/* The place of a word in a list that ends with NULL; -1: it is none of them. */
static int word_of(const yaml_node_t *value, const char *const *words)
{
    const char *text = fth_yaml_text(value);
    for (int i = 0; text && words[i]; i++)
        if (!strcmp(words[i], text))
            return i;
    return -1;
}

/* Settings that are one of some words. */
struct choice {
    const char *name, *complaint;
    const char *words[6];
};

/* Which word `value` is; -1: none of them, which is reported. */
static int choose(const struct fth_yaml *reading, const yaml_node_t *value,
                  const struct choice *choice)
{
    const char *word = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    int which = word_of(value, choice->words);
    return which >= 0 ? which : fth_yaml_fail(reading, value, choice->complaint, word);
}

enum { PLACES, WRITERS, NAMES, GRANT, GIVE, CHOICES };
static const struct choice choices[CHOICES] = {
    [PLACES] = {"nodes",
                "nodes of servers are own, shared or kernel, not",
                {"own", "shared", "kernel"}},
    [WRITERS] = {"writers",
                 "writers of a file, and those who change names, come at once or in turn, not",
                 {"at once", "in turn"}},
    [NAMES] = {"names",
               "writers of a file, and those who change names, come at once or in turn, not",
               {"at once", "in turn"}},
    [GRANT] = {"grant",
               "tokens are granted as exact, extend end or extend, not",
               {"exact", "extend end", "extend"}},
    [GIVE] = {"give", "owners of tokens give up by split or revoke, not", {"split", "revoke"}},
};

static void set_choice(struct fth_sim_servers *servers, int choice, int which)
{
    switch (choice) {
    case PLACES:
        servers->shared = which > 0;
        servers->in_kernel = which == 2;
        break;
    case WRITERS:
        servers->writers_in_turn = which == 1;
        break;
    case NAMES:
        servers->names_in_turn = which == 1;
        break;
    case GRANT:
        servers->grant = (enum fth_grant)which;
        break;
    default:
        servers->give = (enum fth_give)which;
    }
}

/* By locks, by the text of a model, or not at all. */
static int take_consistency(const struct fth_yaml *reading, const yaml_node_t *value,
                            struct fth_sim_servers *servers)
{
    static const char *const words[] = {"none", "locks", NULL};
    const char *name = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    int which = word_of(value, words);
    struct fth_consistencies models = {0};
    struct fth_error *error = NULL;
    servers->consistency = which < 0 ? FTH_SIM_BY_MODEL : (enum fth_sim_consistency)which;
    if (which >= 0)
        return 0;
    const struct fth_consistency *model = fth_consistency_meant(&models, name, &error);
    if (model)
        servers->moments = fth_moments_of(model, FTH_AT_ACCESS);
    fth_consistencies_free(&models);
    if (model)
        return 0;
    int failed = fth_yaml_fail(
        reading, value,
        "consistency is none, locks or a model of consistency:", fth_error_text(error));
    fth_error_free(error);
    return failed;
}

static int take_servers(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    struct fth_sim_servers *servers = target;
    const char *name = fth_yaml_text(key), *word = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    if (!strcmp(name, "cache")) {
        servers->cache = fth_sim_cache(word);
        return servers->cache ? 0
                              : fth_yaml_fail(reading, value,
                                              "caches are NoCache, WriteBehind, Aggregation, "
                                              "AggregationReorder, ServerDirected or WriteBack, "
                                              "there is no",
                                              word);
    }
    if (!strcmp(name, "consistency"))
        return take_consistency(reading, value, servers);
    for (int i = 0; i < CHOICES; i++) {
        if (strcmp(name, choices[i].name) != 0)
            continue;
        int which = choose(reading, value, &choices[i]);
        if (which >= 0)
            set_choice(servers, i, which);
        return which < 0 ? -1 : 0;
    }
    return fth_yaml_number(reading, server_fields, key, value, servers, "servers have no");
}

int fth_yaml_servers(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_servers *servers)
{
    if (fth_yaml_each(reading, value, "servers", take_servers, servers) ||
        fth_yaml_check_required(reading, value, server_fields))
        return -1;
    if (servers->apart && !servers->shared)
        return fth_yaml_fail(reading, value, "all servers have nodes of their own, without",
                             "own nodes");
    if (servers->apart > servers->count)
        return fth_yaml_fail(reading, value, "there are fewer servers than", "own nodes");
    if (!fth_yaml_find(reading, value, "background"))
        servers->background = servers->memory / 2;
    return 0;
}

/* ---- burst buffers ---- */

static const struct fth_yaml_field buffer_fields[] = {
    FTH_YAML_FIELD(fth_sim_buffers, "count", FTH_SIM_COUNT, count, false, 1, MOST_NODES),
    FTH_YAML_FIELD(fth_sim_buffers, "capacity", FTH_SIM_BYTES, capacity, true, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_buffers, "at once", FTH_SIM_COUNT, at_once, false, 1, 1 << 20),
    {0},
};

static int take_buffers(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    static const char *const places[] = {"own", "local", NULL}, *const syncs[] = {"buffer",
                                                                                  "servers", NULL};
    struct fth_sim_buffers *buffers = target;
    const char *name = fth_yaml_text(key), *word = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    int which;
    if (!strcmp(name, "disk"))
        return fth_yaml_disk(reading, value, &buffers->disk);
    if (!strcmp(name, "nodes")) {
        which = word_of(value, places);
        buffers->local = which == 1;
        return which >= 0 ? 0
                          : fth_yaml_fail(reading, value,
                                          "nodes of burst buffers are own or local, not", word);
    }
    if (!strcmp(name, "sync")) {
        which = word_of(value, syncs);
        buffers->sync_to_servers = which == 1;
        return which >= 0 ? 0
                          : fth_yaml_fail(reading, value,
                                          "a sync ends at the buffer or at the servers, not", word);
    }
    return fth_yaml_number(reading, buffer_fields, key, value, buffers, "burst buffers have no");
}

int fth_yaml_buffers(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_buffers *buffers)
{
    if (fth_yaml_each(reading, value, "burst buffers", take_buffers, buffers) ||
        fth_yaml_check_required(reading, value, buffer_fields))
        return -1;
    if (!buffers->disk.model)
        return fth_yaml_fail(reading, value, "missing key", "disk");
    if (buffers->local == (buffers->count > 0))
        return fth_yaml_fail(reading, value,
                             buffers->local
                                 ? "each node has one of these, so there is no"
                                 : "the number of buffers is missing (or `nodes: local`):",
                             "count");
    return 0;
}

/* ---- an instance of `fathom fs` ---- */

static const struct fth_yaml_field instance_fields[] = {
    FTH_YAML_FIELD(fth_sim_instance, "servers per node", FTH_SIM_COUNT, per_node, false, 1, 1024),
    FTH_YAML_FIELD(fth_sim_instance, "ask", FTH_SIM_TIME, ask, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_instance, "request", FTH_SIM_TIME, request, true, 1, 60000000000),
    FTH_YAML_FIELD(fth_sim_instance, "range", FTH_SIM_TIME, range, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_instance, "pass on", FTH_SIM_TIME, pass_on, false, 0, 60000000000),
    {0},
};

static int take_instance(const struct fth_yaml *reading, const yaml_node_t *key,
                         const yaml_node_t *value, void *target)
{
    return fth_yaml_number(reading, instance_fields, key, value, target,
                           "an instance of the file system has no");
}

int fth_yaml_instance(const struct fth_yaml *reading, const yaml_node_t *value,
                      struct fth_sim_cluster *cluster)
{
    cluster->instance.per_node = 1;
    cluster->buffers.local = cluster->buffers.in_memory = true;
    cluster->buffers.capacity = UINT64_MAX;
    return fth_yaml_each(reading, value, "fathom fs", take_instance, &cluster->instance) ||
                   fth_yaml_check_required(reading, value, instance_fields)
               ? -1
               : 0;
}

static int check_instance(const struct fth_yaml *reading, const yaml_node_t *instance,
                          const struct fth_sim_cluster *cluster)
{
    if (fth_yaml_find(reading, yaml_document_get_root_node(reading->document), "burst buffers"))
        return fth_yaml_fail(reading, instance, "files are in memory, so there can be no",
                             "burst buffers");
    if (!cluster->servers.count)
        return fth_yaml_fail(reading, instance, "it writes to servers at the end, so there must be",
                             "servers");
    if (cluster->servers.consistency == FTH_SIM_NO_CONSISTENCY)
        return fth_yaml_fail(reading, instance, "it has a model of consistency, servers lack their",
                             "consistency");
    return 0;
}

int fth_yaml_check_files(const struct fth_yaml *reading, const yaml_node_t *root,
                         const struct fth_sim_cluster *cluster)
{
    const yaml_node_t *buffers = fth_yaml_find(reading, root, "burst buffers");
    const yaml_node_t *instance = fth_yaml_find(reading, root, "fathom fs");
    if (instance && check_instance(reading, instance, cluster))
        return -1;
    if (cluster->servers.count && !cluster->disk.model)
        return fth_yaml_fail(reading, root, "there are servers, so there must be a", "disk");
    if (buffers && !cluster->servers.count)
        return fth_yaml_fail(reading, buffers, "burst buffers drain to servers, so there must be",
                             "servers");
    if (cluster->servers.in_kernel && cluster->servers.cache->fetches)
        return fth_yaml_fail(reading, root, "servers in the kernel cannot have the cache",
                             cluster->servers.cache->name);
    if (cluster->servers.in_kernel && (buffers || cluster->servers.forwarders))
        return fth_yaml_fail(reading, root, "with servers in the kernel there can be no",
                             buffers ? "burst buffers" : "forwarders");
    return 0;
}

#endif
