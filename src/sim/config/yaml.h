/* Mappings of YAML whose keys stand in tables, and what is wrong with them, with its place:
 * clusters, and setups of the instrument room. Keys of a mapping under "<<" count as if they stood
 * beside it, unless they do. */
#ifndef FTH_SIM_CONFIG_YAML_H
#define FTH_SIM_CONFIG_YAML_H

#include "sim/plan/cluster.h"
#include "sim/text/units.h"

#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

struct fth_yaml_field {
    const char *key;
    enum fth_sim_quantity quantity;
    size_t offset;
    size_t size; /* of the number: 4 or 8 bytes */
    bool required;
    uint64_t least, most;
};
#define FTH_YAML_FIELD(type, key, quantity, member, required, least, most)                         \
    {                                                                                              \
        key, quantity, offsetof(struct type, member), sizeof((struct type *)0)->member, required,  \
            least, most                                                                            \
    }

struct fth_yaml {
    yaml_document_t *document;
    struct fth_error **error;
    const struct fth_sim_setting *settings; /* of fth_yaml_set */
};

/* Reads a file, which has one document, no longer than 4 MiB and nested no deeper than 64. What is
 * wrong is reported with line and column. -1: there is no document then. */
int fth_yaml_load(FILE *file, yaml_document_t *document, struct fth_error **error);

/* Says where, in the file or in a setting, and what. Returns -1. */
int fth_yaml_fail(const struct fth_yaml *reading, const yaml_node_t *node, const char *what,
                  const char *name);

/* NULL: it is no scalar. */
const char *fth_yaml_text(const yaml_node_t *node);
/* The value of a key of a mapping; NULL: there is none. */
const yaml_node_t *fth_yaml_find(const struct fth_yaml *reading, const yaml_node_t *mapping,
                                 const char *key);

/* Calls `take` with each key and value of a mapping; a key may be there once. */
typedef int fth_yaml_take(const struct fth_yaml *reading, const yaml_node_t *key,
                          const yaml_node_t *value, void *target);
int fth_yaml_each(const struct fth_yaml *reading, const yaml_node_t *mapping, const char *what,
                  fth_yaml_take *take, void *target);
/* The same with each item of a sequence, which has no keys. */
int fth_yaml_each_item(const struct fth_yaml *reading, const yaml_node_t *sequence,
                       const char *what, fth_yaml_take *take, void *target);

/* The number of a key that stands in `fields`; when it does not, `other` says what there is none
 * of, and the nearest one is named. */
int fth_yaml_number(const struct fth_yaml *reading, const struct fth_yaml_field *fields,
                    const yaml_node_t *key, const yaml_node_t *value, void *target,
                    const char *other);
bool fth_yaml_has(const struct fth_yaml_field *fields, const char *key);
int fth_yaml_check_required(const struct fth_yaml *reading, const yaml_node_t *mapping,
                            const struct fth_yaml_field *fields);
/* The keys of a struct fth_sim_speed, and one of them. */
extern const struct fth_yaml_field fth_yaml_speed_fields[];
fth_yaml_take fth_yaml_speed;

/* Number `setting` gives a key, as a path of keys with points between them, another value, also
 * where it had none. */
int fth_yaml_set(const struct fth_yaml *reading, size_t setting);

/* What files are on (files_yaml.c). */
int fth_yaml_disk(const struct fth_yaml *reading, const yaml_node_t *value,
                  struct fth_sim_disk_kind *disk);
int fth_yaml_servers(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_servers *servers);
int fth_yaml_buffers(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_buffers *buffers);
int fth_yaml_instance(const struct fth_yaml *reading, const yaml_node_t *value,
                      struct fth_sim_cluster *cluster);
/* When the whole cluster was read: whether they fit together. */
int fth_yaml_check_files(const struct fth_yaml *reading, const yaml_node_t *root,
                         const struct fth_sim_cluster *cluster);

/* Networks (network_yaml.c). */
int fth_yaml_network(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_cluster *cluster);
/* When the whole cluster was read: whether the network has all that it needs, and room for the
 * nodes. */
int fth_yaml_check_network(const struct fth_yaml *reading, const yaml_node_t *root,
                           struct fth_sim_cluster *cluster);
/* Switches and links of a graph (graph_yaml.c); no `links`: NULL. */
int fth_yaml_graph(const struct fth_yaml *reading, const yaml_node_t *switches,
                   const yaml_node_t *links, struct fth_sim_cluster *cluster);

#endif
