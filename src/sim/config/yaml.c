/* Mappings of YAML: see the header. */
#ifdef FATHOM_LIBYAML

#include "sim/config/yaml.h"

#include "base/intern.h"
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

/* A node that a setting brought has no place in the file; the line of its mark is the number of the
 * setting. */
static const size_t OF_SETTING = SIZE_MAX;

enum { DEEPEST = 16 }; /* mappings under "<<" inside one another: they may be in a circle */

int fth_yaml_fail(const struct fth_yaml *reading, const yaml_node_t *node, const char *what,
                  const char *name)
{
    if (node->start_mark.index == OF_SETTING)
        return fth_fail(reading->error, "%s: %s '%s'",
                        reading->settings[node->start_mark.line].place, what, name);
    return fth_fail(reading->error, "line %zu, column %zu: %s '%s'", node->start_mark.line + 1,
                    node->start_mark.column + 1, what, name);
}

const char *fth_yaml_text(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *node_of(const struct fth_yaml *reading, int index)
{
    return yaml_document_get_node(reading->document, index);
}

static bool is_key(const struct fth_yaml *reading, const yaml_node_pair_t *pair, const char *key)
{
    const char *text = fth_yaml_text(node_of(reading, pair->key));
    return text && !strcmp(text, key);
}

static const yaml_node_t *find(const struct fth_yaml *reading, const yaml_node_t *mapping,
                               const char *key, unsigned depth)
{
    const yaml_node_t *below = NULL;
    if (mapping->type != YAML_MAPPING_NODE || depth == DEEPEST)
        return NULL;
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        if (is_key(reading, pair, key))
            return node_of(reading, pair->value);
        if (is_key(reading, pair, "<<"))
            below = find(reading, node_of(reading, pair->value), key, depth + 1);
    }
    return below;
}

const yaml_node_t *fth_yaml_find(const struct fth_yaml *reading, const yaml_node_t *mapping,
                                 const char *key)
{
    return find(reading, mapping, key, 0);
}

static bool is_second(struct fth_intern *seen, const char *text)
{
    uint32_t count = seen->count;
    return fth_intern(seen, text, strlen(text)) < count;
}

static int each(const struct fth_yaml *reading, const yaml_node_t *whole,
                const yaml_node_t *mapping, const char *what, fth_yaml_take *take, void *target,
                unsigned depth);

/* `whole` is the mapping in which this one stands under "<<", itself otherwise; `seen`: keys of
 * this one. */
static int each_once(const struct fth_yaml *reading, const yaml_node_t *whole,
                     const yaml_node_t *mapping, const char *what, fth_yaml_take *take,
                     void *target, unsigned depth, struct fth_intern *seen)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return fth_yaml_fail(reading, mapping, "expected keys with values for", what);
    if (depth == DEEPEST)
        return fth_yaml_fail(reading, mapping, "these are nested too deeply, or in a cycle:", what);
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_of(reading, pair->key),
                          *value = node_of(reading, pair->value);
        const char *text = fth_yaml_text(key);
        if (!text)
            return fth_yaml_fail(reading, key, "a key must be a word in", what);
        if (is_second(seen, text))
            return fth_yaml_fail(reading, key, "this is the second", text);
        if (!strcmp(text, "<<")) {
            if (each(reading, whole, value, what, take, target, depth + 1))
                return -1;
        } else if ((mapping == whole || find(reading, whole, text, 0) == value) &&
                   take(reading, key, value, target)) {
            return -1;
        }
    }
    return 0;
}

static int each(const struct fth_yaml *reading, const yaml_node_t *whole,
                const yaml_node_t *mapping, const char *what, fth_yaml_take *take, void *target,
                unsigned depth)
{
    struct fth_intern seen = {0};
    int result = each_once(reading, whole, mapping, what, take, target, depth, &seen);
    fth_intern_free(&seen);
    return result;
}

int fth_yaml_each(const struct fth_yaml *reading, const yaml_node_t *mapping, const char *what,
                  fth_yaml_take *take, void *target)
{
    return each(reading, mapping, mapping, what, take, target, 0);
}

int fth_yaml_each_item(const struct fth_yaml *reading, const yaml_node_t *sequence,
                       const char *what, fth_yaml_take *take, void *target)
{
    if (sequence->type != YAML_SEQUENCE_NODE)
        return fth_yaml_fail(reading, sequence, "expected a list for", what);
    for (yaml_node_item_t *item = sequence->data.sequence.items.start;
         item < sequence->data.sequence.items.top; item++)
        if (take(reading, NULL, node_of(reading, *item), target))
            return -1;
    return 0;
}

static const struct fth_yaml_field *find_field(const struct fth_yaml_field *fields, const char *key)
{
    for (; fields->key; fields++)
        if (!strcmp(fields->key, key))
            return fields;
    return NULL;
}

bool fth_yaml_has(const struct fth_yaml_field *fields, const char *key)
{
    return find_field(fields, key) != NULL;
}

static int fail_unknown(const struct fth_yaml *reading, const struct fth_yaml_field *fields,
                        const yaml_node_t *key, const char *other)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    char text[128];
    for (; fields->key; fields++)
        if (fth_is_nearer(fth_yaml_text(key), fields->key, &least))
            nearest = fields->key;
    snprintf(text, sizeof text, "%s%s%s%s", nearest ? "did you mean '" : "", nearest ? nearest : "",
             nearest ? "'? " : "", other);
    return fth_yaml_fail(reading, key, text, fth_yaml_text(key));
}

int fth_yaml_number(const struct fth_yaml *reading, const struct fth_yaml_field *fields,
                    const yaml_node_t *key, const yaml_node_t *value, void *target,
                    const char *other)
{
    const struct fth_yaml_field *field = find_field(fields, fth_yaml_text(key));
    uint64_t number = 0;
    struct fth_error *cause = NULL;
    if (!field)
        return fail_unknown(reading, fields, key, other);
    if (!fth_yaml_text(value))
        return fth_yaml_fail(reading, value, "expected a number for", field->key);
    if (fth_sim_parse(fth_yaml_text(value), field->quantity, &number, &cause)) {
        char text[160];
        snprintf(text, sizeof text, "%s for", fth_error_text(cause));
        fth_error_free(cause);
        return fth_yaml_fail(reading, value, text, field->key);
    }
    if (number < field->least || number > field->most) {
        static const char *const units[] = {[FTH_SIM_BYTES] = " B",
                                            [FTH_SIM_RATE] = " B/s",
                                            [FTH_SIM_TIME] = " ns",
                                            [FTH_SIM_FREQUENCY] = " Hz",
                                            [FTH_SIM_COUNT] = ""};
        char text[96];
        bool is_small = number < field->least;
        snprintf(text, sizeof text, "%llu%s is the %s; this is too %s as",
                 (unsigned long long)(is_small ? field->least : field->most),
                 units[field->quantity], is_small ? "least" : "most", is_small ? "small" : "large");
        return fth_yaml_fail(reading, value, text, field->key);
    }
    char *to = (char *)target + field->offset;
    if (field->size == sizeof(uint32_t))
        *(uint32_t *)(void *)to = (uint32_t)number;
    else
        *(uint64_t *)(void *)to = number;
    return 0;
}

int fth_yaml_check_required(const struct fth_yaml *reading, const yaml_node_t *mapping,
                            const struct fth_yaml_field *fields)
{
    for (; fields->key; fields++)
        if (fields->required && !fth_yaml_find(reading, mapping, fields->key))
            return fth_yaml_fail(reading, mapping, "missing key", fields->key);
    return 0;
}

/* What each component of a network has. */
const struct fth_yaml_field fth_yaml_speed_fields[] = {
    FTH_YAML_FIELD(fth_sim_speed, "throughput", FTH_SIM_RATE, throughput, true, 1,
                   UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_speed, "local", FTH_SIM_RATE, local, false, 1, UINT64_C(1) << 60),
    FTH_YAML_FIELD(fth_sim_speed, "latency", FTH_SIM_TIME, latency, false, 0, 60000000000),
    {0},
};

int fth_yaml_speed(const struct fth_yaml *reading, const yaml_node_t *key, const yaml_node_t *value,
                   void *target)
{
    return fth_yaml_number(reading, fth_yaml_speed_fields, key, value, target,
                           "a component of a network has no");
}

/* Nodes move when others are added, so they go by their numbers here, from 1. */
static int find_pair(const struct fth_yaml *reading, int mapping, const char *key)
{
    const yaml_node_t *node = node_of(reading, mapping);
    yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++)
        if (is_key(reading, pair, key))
            return (int)(pair - node->data.mapping.pairs.start);
    return -1;
}

static int mark(const struct fth_yaml *reading, int node, size_t setting)
{
    if (node)
        node_of(reading, node)->start_mark = (yaml_mark_t){.index = OF_SETTING, .line = setting};
    return node;
}

static int add_text(const struct fth_yaml *reading, const char *text, size_t setting)
{
    return mark(reading,
                yaml_document_add_scalar(reading->document, NULL, (const yaml_char_t *)text, -1,
                                         YAML_PLAIN_SCALAR_STYLE),
                setting);
}

static int put(const struct fth_yaml *reading, int mapping, const char *key, int value,
               size_t setting)
{
    int at = find_pair(reading, mapping, key);
    if (at >= 0) {
        node_of(reading, mapping)->data.mapping.pairs.start[at].value = value;
        return 0;
    }
    int name = add_text(reading, key, setting);
    return name && yaml_document_append_mapping_pair(reading->document, mapping, name, value)
               ? 0
               : fth_fail(reading->error, "no memory");
}

int fth_yaml_set(const struct fth_yaml *reading, size_t setting)
{
    const struct fth_sim_setting *set = &reading->settings[setting];
    char key[128];
    const char *at = set->key;
    int mapping = 1;
    for (;; at++) {
        size_t length = strcspn(at, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        if (!node_of(reading, mapping) || node_of(reading, mapping)->type != YAML_MAPPING_NODE)
            return fth_fail(reading->error, "%s: there is no key '%s' in the cluster", set->place,
                            set->key);
        at += length;
        if (!*at)
            break;
        int pair = find_pair(reading, mapping, key), below;
        if (pair >= 0) {
            below = node_of(reading, mapping)->data.mapping.pairs.start[pair].value;
        } else {
            below =
                mark(reading,
                     yaml_document_add_mapping(reading->document, NULL, YAML_FLOW_MAPPING_STYLE),
                     setting);
            if (!below || put(reading, mapping, key, below, setting))
                return -1;
        }
        mapping = below;
    }
    int value = add_text(reading, set->value, setting);
    return value ? put(reading, mapping, key, value, setting)
                 : fth_fail(reading->error, "no memory");
}

#endif
