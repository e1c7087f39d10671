/* Reads clusters from YAML. What a key means stands in the tables below; the rest is the same for
 * all of them. */
#include "sim/world/method.h"
#include "sim/io/cache.h"
#include "base/nearest.h"

#include "base/text_file.h"
#include "sim/plan/cluster.h"
#include "sim/network/graph.h"
#include "sim/text/units.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef FATHOM_LIBYAML

const bool fth_sim_reads_clusters = false;

int fth_sim_cluster_read_with(struct fth_sim_cluster *cluster, const char *path,
                              const struct fth_sim_setting *settings, size_t count,
                              struct fth_error **error)
{
    (void)cluster;
    (void)settings;
    (void)count;
    return fth_fail(error, "cannot read '%s': this fathom was built without libyaml", path);
}

int fth_sim_cluster_parse_with(struct fth_sim_cluster *cluster, const char *text,
                               const struct fth_sim_setting *settings, size_t count,
                               struct fth_error **error)
{
    (void)text;
    return fth_sim_cluster_read_with(cluster, "a cluster", settings, count, error);
}

#else

#include "sim/config/yaml.h"

const bool fth_sim_reads_clusters = true;

enum { MOST_NODES = FTH_SIM_MOST_NODES, MOST_PER_NODE = 1 << 16 };

static const struct fth_yaml_field cluster_fields[] = {
    FTH_YAML_FIELD(fth_sim_cluster, "nodes", FTH_SIM_COUNT, nodes, false, 1, MOST_NODES),
    FTH_YAML_FIELD(fth_sim_cluster, "sockets", FTH_SIM_COUNT, sockets, false, 1, MOST_PER_NODE),
    FTH_YAML_FIELD(fth_sim_cluster, "cores", FTH_SIM_COUNT, cores, false, 0, MOST_PER_NODE),
    FTH_YAML_FIELD(fth_sim_cluster, "instructions", FTH_SIM_FREQUENCY, instructions, false, 1000,
                   1000000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "step", FTH_SIM_COUNT, step_instructions, false, 1, 1000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "reduction", FTH_SIM_RATE, reduction, false, 1,
                   UINT64_C(1) << 60),
    {0},
};
static const struct fth_yaml_field mpi_fields[] = {
    FTH_YAML_FIELD(fth_sim_cluster, "eager", FTH_SIM_BYTES, eager, false, 0, UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_cluster, "cb_nodes", FTH_SIM_COUNT, cb_nodes, false, 0, 1 << 24),
    FTH_YAML_FIELD(fth_sim_cluster, "first file open", FTH_SIM_TIME, first_file_open, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "file open", FTH_SIM_TIME, file_open, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "file close", FTH_SIM_TIME, file_close, false, 0, 60000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "file access", FTH_SIM_TIME, file_access, false, 0,
                   60000000000),
    FTH_YAML_FIELD(fth_sim_cluster, "cb_buffer_size", FTH_SIM_BYTES, cb_buffer, false, 1,
                   UINT64_C(1) << 50),
    {0},
};

static int take_mpi(const struct fth_yaml *reading, const yaml_node_t *key,
                    const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    if (!strcmp(fth_yaml_text(key), "waits")) {
        const char *word = fth_yaml_text(value) ? fth_yaml_text(value) : "";
        cluster->polls = !strcmp(word, "polling");
        return cluster->polls || !strcmp(word, "sleeping")
                   ? 0
                   : fth_yaml_fail(reading, value, "waiting is polling or sleeping, not", word);
    }
    if (!strcmp(fth_yaml_text(key), "methods")) {
        if (!fth_yaml_text(value) || !fth_sim_method_of_family(fth_yaml_text(value), FTH_SIM_BCAST))
            return fth_yaml_fail(
                reading, value,
                "there is no such family of methods (`fathom simulate --methods` lists them):",
                fth_yaml_text(value) ? fth_yaml_text(value) : "methods");
        for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
            if (!cluster->methods[verb])
                cluster->methods[verb] = fth_sim_method_of_family(fth_yaml_text(value), verb);
        return 0;
    }
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++) {
        if (strcmp(fth_sim_verb_names[verb], fth_yaml_text(key)))
            continue;
        if (!fth_yaml_text(value) ||
            !(cluster->methods[verb] = fth_sim_method(verb, fth_yaml_text(value))))
            return fth_yaml_fail(
                reading, value, "there is no such method (`fathom simulate --methods` lists them):",
                fth_yaml_text(value) ? fth_yaml_text(value) : fth_yaml_text(key));
        return 0;
    }
    return fth_yaml_number(reading, mpi_fields, key, value, cluster, "MPI has no");
}

static const struct fth_yaml_field kind_fields[] = {
    FTH_YAML_FIELD(fth_sim_kind_of_node, "sockets", FTH_SIM_COUNT, sockets, false, 1,
                   MOST_PER_NODE),
    FTH_YAML_FIELD(fth_sim_kind_of_node, "cores", FTH_SIM_COUNT, cores, false, 0, MOST_PER_NODE),
    FTH_YAML_FIELD(fth_sim_kind_of_node, "instructions", FTH_SIM_FREQUENCY, instructions, false,
                   1000, 1000000000000),
    {0},
};

static int take_kind_field(const struct fth_yaml *reading, const yaml_node_t *key,
                           const yaml_node_t *value, void *target)
{
    return fth_yaml_number(reading, kind_fields, key, value, target, "nodes have no");
}

/* "node[4..9]" or "node[4]": nodes that are alike; one range after the other. */
static int take_kind(const struct fth_yaml *reading, const yaml_node_t *key,
                     const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    unsigned first = 0, last = 0;
    int end = 0;
    const char *name = fth_yaml_text(key);
    if (sscanf(name, "node[%8u..%8u]%n", &first, &last, &end) != 2 || !end || name[end]) {
        end = 0;
        if (sscanf(name, "node[%8u]%n", &first, &end) != 1 || !end || name[end])
            return fth_yaml_fail(reading, key, "nodes are 'node[0..63]' or 'node[3]', not", name);
        last = first;
    }
    if (first != cluster->nodes || first > last || last >= MOST_NODES)
        return fth_yaml_fail(reading, key, "ranges of nodes must be consecutive from 0, not", name);
    if (cluster->kind_count == FTH_SIM_KINDS)
        return fth_yaml_fail(reading, key, "there are too many kinds of nodes at", name);
    struct fth_sim_kind_of_node *kind = &cluster->kinds[cluster->kind_count++];
    *kind = (struct fth_sim_kind_of_node){last, cluster->sockets, cluster->cores,
                                          cluster->instructions};
    cluster->nodes = last + 1;
    return fth_yaml_each(reading, value, name, take_kind_field, kind);
}

/* Nodes are of one kind or of several; what is said of the cluster before holds for kinds that do
 * not say it. */
static int check_nodes(const struct fth_yaml *reading, const yaml_node_t *root,
                       struct fth_sim_cluster *cluster)
{
    if (!cluster->nodes)
        return fth_yaml_fail(reading, root, "missing key", "nodes");
    if (!cluster->kind_count && !(cluster->sockets && cluster->instructions))
        return fth_yaml_fail(reading, root, "missing key",
                             cluster->sockets ? "instructions" : "sockets");
    for (uint32_t i = 0; i < cluster->kind_count; i++)
        if (!cluster->kinds[i].sockets || !cluster->kinds[i].instructions)
            return fth_yaml_fail(reading, root, "missing key",
                                 cluster->kinds[i].sockets ? "instructions" : "sockets");
    return 0;
}

/* The part of a cluster that is spelt most like a word; NULL: none, or a number is nearer. */
static const char *nearest_part(const char *word)
{
    static const char *const parts[] = {"name", "network", "templates",     "placement",
                                        "disk", "servers", "burst buffers", "fathom fs", "mpi"};
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fth_is_nearer(word, parts[i], &least))
            nearest = parts[i];
    for (const struct fth_yaml_field *field = cluster_fields; field->key; field++)
        if (fth_is_nearer(word, field->key, &least))
            nearest = NULL;
    return nearest;
}

static int take_cluster(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    const char *name = fth_yaml_text(key);
    if (!strcmp(name, "name")) {
        if (!fth_yaml_text(value))
            return fth_yaml_fail(reading, value, "expected a word for", name);
        snprintf(cluster->name, sizeof cluster->name, "%s", fth_yaml_text(value));
        return 0;
    }
    if (!strcmp(name, "network"))
        return fth_yaml_network(reading, value, cluster);
    if (!strcmp(name, "templates"))
        return 0; /* its parts are named elsewhere, by their anchors */
    if (!strcmp(name, "nodes") && value->type == YAML_MAPPING_NODE)
        return fth_yaml_each(reading, value, name, take_kind, cluster);
    if (!strcmp(name, "placement")) {
        cluster->in_blocks = fth_yaml_text(value) && !strcmp(fth_yaml_text(value), "blocks");
        if (cluster->in_blocks || (fth_yaml_text(value) && !strcmp(fth_yaml_text(value), "round")))
            return 0;
        return fth_yaml_fail(reading, value, "processes are placed in blocks or round, not",
                             fth_yaml_text(value) ? fth_yaml_text(value) : name);
    }
    if (!strcmp(name, "disk"))
        return fth_yaml_disk(reading, value, &cluster->disk);
    if (!strcmp(name, "servers"))
        return fth_yaml_servers(reading, value, &cluster->servers);
    if (!strcmp(name, "burst buffers"))
        return fth_yaml_buffers(reading, value, &cluster->buffers);
    if (!strcmp(name, "fathom fs"))
        return fth_yaml_instance(reading, value, cluster);
    if (!strcmp(name, "mpi"))
        return fth_yaml_each(reading, value, name, take_mpi, cluster);
    const char *part = fth_yaml_has(cluster_fields, name) ? NULL : nearest_part(name);
    if (part) {
        char text[64];
        snprintf(text, sizeof text, "did you mean '%s'? a cluster has no", part);
        return fth_yaml_fail(reading, key, text, name);
    }
    return fth_yaml_number(reading, cluster_fields, key, value, cluster, "a cluster has no");
}

static int read_document(const struct fth_yaml *reading, struct fth_sim_cluster *cluster)
{
    const yaml_node_t *root = yaml_document_get_root_node(reading->document);
    if (!root)
        return fth_fail(reading->error, "it is empty");
    if (fth_yaml_each(reading, root, "cluster", take_cluster, cluster) ||
        fth_yaml_check_required(reading, root, cluster_fields))
        return -1;
    if (check_nodes(reading, root, cluster) || fth_yaml_check_network(reading, root, cluster))
        return -1;
    return fth_yaml_check_files(reading, root, cluster);
}

static int parse(FILE *file, struct fth_sim_cluster *cluster,
                 const struct fth_sim_setting *settings, size_t count, struct fth_error **error)
{
    yaml_document_t document;
    if (fth_yaml_load(file, &document, error))
        return -1;
    struct fth_yaml reading = {&document, error, settings};
    int result = 0;
    for (size_t i = 0; !result && i < count; i++)
        result = fth_yaml_set(&reading, i);
    if (!result)
        result = read_document(&reading, cluster);
    yaml_document_delete(&document);
    return result;
}

static const struct fth_sim_cluster unsaid = {
    .step_instructions = 1,
    .servers = {.granularity = 10 << 20,
                .stripe = 64 << 10,
                .block = 64 << 10,
                .token_block = 4 << 10,
                .grant = FTH_GRANT_EXTEND,
                .ahead = 128 << 10,
                .at_once = 1,
                .expire = 30000000000},
    .buffers = {.at_once = 4},
};

static int read_from(FILE *file, struct fth_sim_cluster *cluster,
                     const struct fth_sim_setting *settings, size_t count, struct fth_error **error)
{
    *cluster = unsaid;
    cluster->servers.cache = fth_sim_cache("AggregationReorder");
    int result = parse(file, cluster, settings, count, error);
    fclose(file);
    if (result)
        fth_sim_cluster_free(cluster);
    return result;
}

int fth_sim_cluster_read_with(struct fth_sim_cluster *cluster, const char *path,
                              const struct fth_sim_setting *settings, size_t count,
                              struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!file)
        return fth_fail_in(error, "cluster");
    return read_from(file, cluster, settings, count, error)
               ? fth_fail_in(error, "cluster '%s'", path)
               : 0;
}

int fth_sim_cluster_parse_with(struct fth_sim_cluster *cluster, const char *text,
                               const struct fth_sim_setting *settings, size_t count,
                               struct fth_error **error)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (!file)
        return fth_fail_errno(error, "cannot read the cluster");
    return read_from(file, cluster, settings, count, error) ? fth_fail_in(error, "cluster") : 0;
}

#endif

void fth_sim_cluster_free(struct fth_sim_cluster *cluster)
{
    fth_sim_graph_free(cluster->shape.graph);
    cluster->shape.graph = NULL;
}

int fth_sim_cluster_read(struct fth_sim_cluster *cluster, const char *path,
                         struct fth_error **error)
{
    return fth_sim_cluster_read_with(cluster, path, NULL, 0, error);
}
