/* Reads clusters from YAML. What a key means stands in the tables below; the rest is the same for all of them. */
#include "sim/cluster.h"
#include "sim/units.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef FATHOM_LIBYAML

const bool fth_sim_reads_clusters = false;

int fth_sim_cluster_read(struct fth_sim_cluster *cluster, const char *path,
                         struct fth_error **error)
{
    (void)cluster;
    return fth_fail(error, "cannot read '%s': this fathom was built without libyaml", path);
}

#else

#include <yaml.h>

const bool fth_sim_reads_clusters = true;

struct field {
    const char *key;
    enum fth_sim_quantity quantity;
    size_t offset;
    size_t size; /* of the number: 4 or 8 bytes */
    bool required;
    uint64_t least, most;
};
#define FIELD(type, key, quantity, member, required, least, most)                                  \
    {                                                                                              \
        key, quantity, offsetof(struct type, member), sizeof((struct type *)0)->member, required,  \
            least, most                                                                            \
    }

enum { MOST_NODES = 1 << 24, MOST_PER_NODE = 1 << 16 };

static const struct field cluster_fields[] = {
    FIELD(fth_sim_cluster, "nodes", FTH_SIM_COUNT, nodes, true, 1, MOST_NODES),
    FIELD(fth_sim_cluster, "sockets", FTH_SIM_COUNT, sockets, true, 1, MOST_PER_NODE),
    FIELD(fth_sim_cluster, "cores", FTH_SIM_COUNT, cores, false, 0, MOST_PER_NODE),
    FIELD(fth_sim_cluster, "instructions", FTH_SIM_FREQUENCY, instructions, true, 1000,
          1000000000000),
    FIELD(fth_sim_cluster, "step", FTH_SIM_COUNT, step_instructions, false, 1, 1000000000),
    {0},
};
static const struct field network_fields[] = {
    FIELD(fth_sim_cluster, "packet", FTH_SIM_BYTES, packet, true, 1, 1 << 30),
    FIELD(fth_sim_cluster, "overhead", FTH_SIM_BYTES, overhead, false, 0, 1 << 20),
    {0},
};
static const struct field speed_fields[] = {
    FIELD(fth_sim_speed, "throughput", FTH_SIM_RATE, throughput, true, 1, UINT64_C(1) << 60),
    FIELD(fth_sim_speed, "local", FTH_SIM_RATE, local, false, 1, UINT64_C(1) << 60),
    FIELD(fth_sim_speed, "latency", FTH_SIM_TIME, latency, false, 0, 60000000000),
    {0},
};
static const struct field disk_fields[] = {
    FIELD(fth_sim_disk_speed, "throughput", FTH_SIM_RATE, throughput, true, 1, UINT64_C(1) << 60),
    FIELD(fth_sim_disk_speed, "access", FTH_SIM_TIME, access, false, 0, 60000000000),
    FIELD(fth_sim_disk_speed, "track seek", FTH_SIM_TIME, track_seek, false, 0, 60000000000),
    FIELD(fth_sim_disk_speed, "average seek", FTH_SIM_TIME, average_seek, false, 0, 60000000000),
    FIELD(fth_sim_disk_speed, "turns", FTH_SIM_COUNT, turns, false, 1, 1000000),
    FIELD(fth_sim_disk_speed, "short seek", FTH_SIM_BYTES, short_distance, false, 0,
          UINT64_C(1) << 60),
    {0},
};
static const struct field mpi_fields[] = {
    FIELD(fth_sim_cluster, "eager", FTH_SIM_BYTES, eager, false, 0, UINT64_C(1) << 60),
    {0},
};

/* The parts of a star, by their keys. */
static const struct {
    const char *key, *name;
    size_t offset;
} parts[] = {
    {"nic", "NIC", offsetof(struct fth_sim_cluster, nic)},
    {"nic edge", "NIC edge", offsetof(struct fth_sim_cluster, nic_edge)},
    {"socket", "socket", offsetof(struct fth_sim_cluster, socket)},
    {"socket edge", "socket edge", offsetof(struct fth_sim_cluster, socket_edge)},
    {"node", "node", offsetof(struct fth_sim_cluster, node)},
    {"node edge", "node edge", offsetof(struct fth_sim_cluster, node_edge)},
    {"switch", "switch", offsetof(struct fth_sim_cluster, hub)},
};
enum { PARTS = sizeof parts / sizeof *parts };

struct reading {
    yaml_document_t *document;
    struct fth_error **error;
};

/* Says where, and what. */
static int fail_at(const struct reading *reading, const yaml_node_t *node, const char *what,
                   const char *name)
{
    return fth_fail(reading->error, "line %zu, column %zu: %s '%s'", node->start_mark.line + 1,
                    node->start_mark.column + 1, what, name);
}

static const char *text_of(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *node_of(const struct reading *reading, int index)
{
    return yaml_document_get_node(reading->document, index);
}

/* Calls `take` with each key and value of a mapping; a key may be there once. */
typedef int take_function(const struct reading *reading, const yaml_node_t *key,
                          const yaml_node_t *value, void *target);
static int each(const struct reading *reading, const yaml_node_t *mapping, const char *what,
                take_function *take, void *target)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return fail_at(reading, mapping, "keys with values are wanted as", what);
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_of(reading, pair->key);
        if (!text_of(key))
            return fail_at(reading, key, "a key must be a word in", what);
        for (yaml_node_pair_t *before = mapping->data.mapping.pairs.start; before < pair; before++)
            if (!strcmp(text_of(node_of(reading, before->key)), text_of(key)))
                return fail_at(reading, key, "this is the second", text_of(key));
        if (take(reading, key, node_of(reading, pair->value), target))
            return -1;
    }
    return 0;
}

static const struct field *find_field(const struct field *fields, const char *key)
{
    for (; fields->key; fields++)
        if (!strcmp(fields->key, key))
            return fields;
    return NULL;
}

static int read_number(const struct reading *reading, const struct field *field,
                       const yaml_node_t *value, void *target)
{
    uint64_t number = 0;
    struct fth_error *cause = NULL;
    if (!text_of(value))
        return fail_at(reading, value, "a number is wanted as", field->key);
    if (fth_sim_parse(text_of(value), field->quantity, &number, &cause)) {
        fail_at(reading, value, fth_error_text(cause), field->key);
        fth_error_free(cause);
        return -1;
    }
    if (number < field->least || number > field->most)
        return fail_at(reading, value,
                       number < field->least ? "this is too small as" : "this is too large as",
                       field->key);
    char *to = (char *)target + field->offset;
    if (field->size == sizeof(uint32_t))
        *(uint32_t *)(void *)to = (uint32_t)number;
    else
        *(uint64_t *)(void *)to = number;
    return 0;
}

static int check_required(const struct reading *reading, const yaml_node_t *mapping,
                          const struct field *fields)
{
    for (; fields->key; fields++) {
        bool is_there = !fields->required;
        for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
             pair < mapping->data.mapping.pairs.top && !is_there; pair++)
            is_there = !strcmp(text_of(node_of(reading, pair->key)), fields->key);
        if (!is_there)
            return fail_at(reading, mapping, "what is missing here is", fields->key);
    }
    return 0;
}

static int take_speed(const struct reading *reading, const yaml_node_t *key,
                      const yaml_node_t *value, void *target)
{
    const struct field *field = find_field(speed_fields, text_of(key));
    return field ? read_number(reading, field, value, target)
                 : fail_at(reading, key, "a part of a network has no", text_of(key));
}

static int take_network(const struct reading *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    const char *name = text_of(key);
    for (size_t i = 0; i < PARTS; i++) {
        if (strcmp(parts[i].key, name))
            continue;
        struct fth_sim_part *part = (void *)((char *)cluster + parts[i].offset);
        part->name = parts[i].name;
        return each(reading, value, name, take_speed, &part->speed) ||
                       check_required(reading, value, speed_fields)
                   ? -1
                   : 0;
    }
    if (!strcmp(name, "topology")) {
        if (!text_of(value) || strcmp(text_of(value), "star"))
            return fail_at(reading, value, "the only topology there is yet is star, not",
                           text_of(value) ? text_of(value) : name);
        return 0;
    }
    const struct field *field = find_field(network_fields, name);
    return field ? read_number(reading, field, value, cluster)
                 : fail_at(reading, key, "a network has no", name);
}

static int take_disk(const struct reading *reading, const yaml_node_t *key,
                     const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    if (!strcmp(text_of(key), "model")) {
        cluster->disk_model = text_of(value) ? fth_sim_disk_model(text_of(value)) : NULL;
        return cluster->disk_model
                   ? 0
                   : fail_at(reading, value, "disks are SimpleDisk or RefinedDisk, there is no",
                             text_of(value) ? text_of(value) : "model");
    }
    const struct field *field = find_field(disk_fields, text_of(key));
    return field ? read_number(reading, field, value, &cluster->disk)
                 : fail_at(reading, key, "a disk has no", text_of(key));
}

static int take_mpi(const struct reading *reading, const yaml_node_t *key, const yaml_node_t *value,
                    void *target)
{
    struct fth_sim_cluster *cluster = target;
    const struct field *field = find_field(mpi_fields, text_of(key));
    if (field)
        return read_number(reading, field, value, cluster);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++) {
        if (strcmp(fth_sim_verb_names[verb], text_of(key)))
            continue;
        if (!text_of(value) || !(cluster->methods[verb] = fth_sim_method(verb, text_of(value))))
            return fail_at(reading, value,
                           "there is no such method (`fathom simulate --methods` lists them):",
                           text_of(value) ? text_of(value) : text_of(key));
        return 0;
    }
    return fail_at(reading, key, "MPI has no", text_of(key));
}

static int take_cluster(const struct reading *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    const char *name = text_of(key);
    if (!strcmp(name, "name")) {
        if (!text_of(value))
            return fail_at(reading, value, "a word is wanted as", name);
        snprintf(cluster->name, sizeof cluster->name, "%s", text_of(value));
        return 0;
    }
    if (!strcmp(name, "network"))
        return each(reading, value, name, take_network, cluster) ||
                       check_required(reading, value, network_fields)
                   ? -1
                   : 0;
    if (!strcmp(name, "disk"))
        return each(reading, value, name, take_disk, cluster) ||
                       check_required(reading, value, disk_fields)
                   ? -1
                   : 0;
    if (!strcmp(name, "mpi"))
        return each(reading, value, name, take_mpi, cluster);
    const struct field *field = find_field(cluster_fields, name);
    return field ? read_number(reading, field, value, cluster)
                 : fail_at(reading, key, "a cluster has no", name);
}

static int read_document(const struct reading *reading, struct fth_sim_cluster *cluster)
{
    const yaml_node_t *root = yaml_document_get_root_node(reading->document);
    if (!root)
        return fth_fail(reading->error, "it is empty");
    if (each(reading, root, "cluster", take_cluster, cluster) ||
        check_required(reading, root, cluster_fields))
        return -1;
    for (size_t i = 0; i < PARTS; i++) {
        const struct fth_sim_part *part = (void *)((char *)cluster + parts[i].offset);
        if (!part->name)
            return fail_at(reading, root, "the network lacks its", parts[i].key);
    }
    if (cluster->disk_model && !strcmp(cluster->disk_model->name, "RefinedDisk") &&
        !cluster->disk.turns)
        return fail_at(reading, root, "the disk lacks its", "turns");
    return 0;
}

static int parse(FILE *file, struct fth_sim_cluster *cluster, struct fth_error **error)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return fth_fail(error, "no memory");
    yaml_parser_set_input_file(&parser, file);
    int result;
    if (yaml_parser_load(&parser, &document)) {
        struct reading reading = {&document, error};
        result = read_document(&reading, cluster);
        yaml_document_delete(&document);
    } else {
        result = fth_fail(error, "line %zu, column %zu: %s", parser.problem_mark.line + 1,
                          parser.problem_mark.column + 1,
                          parser.problem ? parser.problem : "cannot be read");
    }
    yaml_parser_delete(&parser);
    return result;
}

int fth_sim_cluster_read(struct fth_sim_cluster *cluster, const char *path,
                         struct fth_error **error)
{
    *cluster = (struct fth_sim_cluster){.step_instructions = 1};
    FILE *file = fopen(path, "re");
    if (!file)
        return fth_fail_errno(error, "cannot open cluster '%s'", path);
    int result = parse(file, cluster, error);
    fclose(file);
    return result ? fth_fail_in(error, "cluster '%s'", path) : 0;
}

#endif
