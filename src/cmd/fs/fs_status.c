/* `fathom fs status`: files, bytes, what is not flushed yet, requests. */
#include "cmd/fs/fs_status.h"

#include "base/memory.h"
#include "cmd/fs/fs_mount.h"
#include "cmd/fs/fs_server.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/node_meeting.h"
#include "table/table.h"

#include <stdio.h>
#include <time.h>

enum {
    CLIENTS,
    ATTACHES,
    QUERIES,
    DETACHES,
    STATS,
    LOCKS,
    GRANTED,
    LOCAL,
    CONFLICTS,
    REQUESTS,
    HAS_COPY, /* this one and the next two: of one server */
    COPIED,
    BEHIND,
    NUMBERS
};

enum column { PATH, SIZE, ATTACHED, DIRTY, PIECES, OWNERS, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"size", "size", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"attached", "attached", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"not_flushed", "not flushed", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"intervals", "intervals", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"owners", "owners", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"files", "Files", columns, COLUMNS, 0};

struct node {
    uint32_t number;
    char *name, *why; /* it does not answer; "": it does */
    uint64_t numbers[NUMBERS];
};

/* What servers say of themselves, together. */
struct status {
    uint64_t numbers[NUMBERS];
    struct node *nodes;
    size_t node_count;
    struct fth_keyed files; /* by name in messages, of struct file */
};

struct file {
    char *name;
    uint64_t numbers[COLUMNS - SIZE];
};

static bool read_numbers(struct fth_view *view, uint64_t numbers[NUMBERS])
{
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = fth_view_varint(view);
    return !view->failed;
}

static char *read_text(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *text = fth_view_bytes(view, length);
    return text ? fth_text_part((const char *)text, length) : fth_text_copy("");
}

/* Each server knows its part of a file; who holds it knows its name. */
static void read_file(struct status *status, struct fth_view *view)
{
    char *key = read_text(view), *name = read_text(view);
    struct file *file = fth_keyed_get(&status->files, key, strlen(key));
    bool has_better = file->name && strcmp(file->name, key) != 0;
    if (has_better) {
        free(name);
    } else {
        free(file->name);
        file->name = name;
    }
    for (int column = SIZE; column < COLUMNS; column++) {
        uint64_t number = fth_view_varint(view), *sum = &file->numbers[column - SIZE];
        bool is_of_whole = column == SIZE || column == OWNERS;
        *sum = is_of_whole ? (number > *sum ? number : *sum) : *sum + number;
    }
    free(key);
}

static void read_one(struct status *status, struct fth_view *view, uint64_t numbers[NUMBERS])
{
    if (!read_numbers(view, numbers))
        return;
    for (int i = 0; i < NUMBERS; i++)
        status->numbers[i] += numbers[i];
    for (uint64_t count = fth_view_count(view, 7); count-- && !view->failed;)
        read_file(status, view);
}

static void read_nodes(struct status *status, struct fth_view *view)
{
    while (fth_view_left(view) && !view->failed) {
        FTH_GROW(status->nodes, status->node_count);
        struct node *node = &status->nodes[status->node_count++];
        *node = (struct node){.number = (uint32_t)fth_view_varint(view)};
        node->name = read_text(view);
        node->why = read_text(view);
        uint64_t length = fth_view_varint(view);
        const uint8_t *body = fth_view_bytes(view, length);
        struct fth_view fields = fth_view_of(body, body ? length : 0);
        if (length && body) {
            read_one(status, &fields, node->numbers);
            view->failed |= fields.failed;
        }
    }
}

static int ask(const struct fth_fs_instance *instance, struct status *status,
               struct fth_error **error)
{
    struct fth_bytes answer;
    struct fth_view view;
    *status = (struct status){.files.size = sizeof(struct file)};
    int failed = fth_cmd_fs_ask(instance, FTH_MESSAGE_STATUS, &answer, &view, error);
    if (!failed) {
        if (instance->server_count > 1)
            read_nodes(status, &view);
        else
            read_one(status, &view, (uint64_t[NUMBERS]){0});
        /* the client who asks is not counted */
        status->numbers[CLIENTS] -= status->numbers[CLIENTS] > 0;
        if (view.failed)
            failed = fth_fail(error, "the server answers what this version does not understand");
    }
    fth_bytes_free(&answer);
    return failed;
}

static void free_status(struct status *status)
{
    for (uint32_t i = 0; i < fth_keyed_count(&status->files); i++)
        free(((struct file *)fth_keyed_item(&status->files, i))->name);
    fth_keyed_free(&status->files);
    for (size_t i = 0; i < status->node_count; i++) {
        free(status->nodes[i].name);
        free(status->nodes[i].why);
    }
    free(status->nodes);
}

static struct fth_table *list_files(const struct status *status)
{
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t i = 0; i < fth_keyed_count(&status->files); i++) {
        const struct file *file = fth_keyed_item(&status->files, i);
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, PATH, fth_cell_text(file->name));
        for (size_t column = SIZE; column < COLUMNS; column++)
            fth_table_set(table, row, column,
                          fth_cell_integer((int64_t)file->numbers[column - SIZE]));
    }
    return table;
}

struct head {
    const struct fth_fs_instance *instance;
    const uint64_t *numbers;
    double rate; /* requests per second, of others */
};

static void put_mount(struct fth_output *output, const struct fth_fs_instance *instance)
{
    char text[FTH_MOUNT_TEXT];
    switch (fth_cmd_fs_mount_state(instance, text)) {
    case FTH_CMD_FS_MOUNTED:
        fth_views_print(output, "mounted at %s\n", text);
        break;
    case FTH_CMD_FS_UNMOUNTED:
        fth_views_print(output, "no longer mounted at %s: it was unmounted by somebody else, ",
                        text);
        fth_views_print(output, "and programs still have files open there; behind that, ");
        fth_views_print(output, "fathom fs start --instance %s mounts it again\n",
                        strrchr(instance->path, '/') + 1);
        break;
    case FTH_CMD_FS_MOUNT_ENDED:
        fth_views_print(output, "the mount at %s has ended; fathom fs start ", text);
        fth_views_print(output, "--instance %s mounts it again\n",
                        strrchr(instance->path, '/') + 1);
        break;
    case FTH_CMD_FS_NOT_MOUNTED:
        fth_views_print(output, "not mounted: %s\n", *text ? text : "nobody has tried yet");
    }
}

static void put_head(struct fth_output *output, const void *context)
{
    const struct head *head = context;
    const uint64_t *numbers = head->numbers;
    fth_views_print(output, "%s, above ", head->instance->path);
    fth_views_print(output, "%s", head->instance->under_path);
    const struct fth_model_rules *rules = &head->instance->rules;
    if (rules->model_count)
        fth_views_print(output, ", %s consistency", rules->models[0].name);
    if (rules->rule_count)
        fth_views_print(output, " for files without a model of their own");
    fth_views_print(output, "\n");
    if (rules->model_count)
        put_mount(output, head->instance);
    fth_views_print(output, "%s\n", fth_phrase_several(numbers[CLIENTS], "client", "clients").text);
    fth_views_print(output, "%s, ",
                    fth_phrase_several(numbers[ATTACHES], "attach", "attaches").text);
    fth_views_print(output, "%s, ", fth_phrase_several(numbers[QUERIES], "query", "queries").text);
    fth_views_print(output, "%s, ",
                    fth_phrase_several(numbers[DETACHES], "detach", "detaches").text);
    fth_views_print(output, "%s\n", fth_phrase_several(numbers[STATS], "stat", "stats").text);
    fth_views_print(output, "%.0f requests per second\n", head->rate);
    if (numbers[LOCKS])
        fth_views_print(output, "%llu granted locks, %llu that the client had, %llu in conflict\n",
                        (unsigned long long)numbers[GRANTED], (unsigned long long)numbers[LOCAL],
                        (unsigned long long)numbers[CONFLICTS]);
    if (*head->instance->rdma)
        fth_views_print(output, "servers speak by UCX and %s\n", head->instance->rdma);
}

static void put_mount_facts(struct fth_json *facts, const struct fth_fs_instance *instance)
{
    static const char *const words[] = {[FTH_CMD_FS_NOT_MOUNTED] = "no",
                                        [FTH_CMD_FS_MOUNTED] = "yes",
                                        [FTH_CMD_FS_UNMOUNTED] = "unmounted",
                                        [FTH_CMD_FS_MOUNT_ENDED] = "ended"};
    char text[FTH_MOUNT_TEXT];
    enum fth_cmd_fs_mount_state state = fth_cmd_fs_mount_state(instance, text);
    fth_json_key_text(facts, "model", instance->rules.models[0].name);
    fth_json_key_text(facts, "mount", words[state]);
    fth_json_key_text(facts, state == FTH_CMD_FS_NOT_MOUNTED ? "why_no_mount" : "mounted_at", text);
}

static void put_facts(struct fth_json *facts, const struct head *head)
{
    static const char *const names[HAS_COPY] = {"clients",   "attaches", "queries", "detaches",
                                                "stats",     "locks",    "granted", "local",
                                                "conflicts", "requests"};
    fth_json_key_text(facts, "instance", head->instance->path);
    fth_json_key_text(facts, "under", head->instance->under_path);
    if (head->instance->rules.model_count)
        put_mount_facts(facts, head->instance);
    if (*head->instance->rdma)
        fth_json_key_text(facts, "rdma", head->instance->rdma);
    for (int i = 0; i < HAS_COPY; i++)
        fth_json_key_unsigned(facts, names[i], head->numbers[i]);
    fth_json_key_unsigned(facts, "requests_per_second", (uint64_t)head->rate);
}

/* ---- models by name ---- */

enum rule_column { NAMES, MODEL, REASON, RULE_COLUMNS };
static const struct fth_column rule_columns[RULE_COLUMNS] = {
    {"names", "files", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"model", "model", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"reason", "why", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape rule_shape = {"models", "Files with a model of their own",
                                            rule_columns, RULE_COLUMNS, 0};

static struct fth_table *list_rules(const struct fth_model_rules *rules)
{
    struct fth_table *table = fth_table_new(&rule_shape);
    for (size_t i = 0; i < rules->rule_count; i++) {
        const struct fth_model_rule *rule = &rules->rules[i];
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, NAMES, fth_cell_text(rule->names));
        fth_table_set(table, row, MODEL, fth_cell_text(rules->models[rule->model].name));
        fth_table_set(table, row, REASON, fth_cell_text(rule->reason ? rule->reason : "chosen"));
    }
    return table;
}

static void show_table(struct fth_writer *writer, struct fth_table *table)
{
    if (fth_views_for_people(writer) && !fth_table_rows(table))
        return;
    fth_views_write_gap(writer);
    fth_views_write_table(writer, table, &(struct fth_table_layout){0});
}

/* ---- nodes ---- */

enum { STATE_MOST = FTH_NODE_NAME_MOST + 64 };

enum node_column {
    NODE,
    SERVER,
    NODE_CLIENTS,
    NODE_ATTACHES,
    NODE_QUERIES,
    STATE,
    COPY_ON,
    NODE_COPIED,
    NODE_BEHIND,
    NODE_COLUMNS
};
static const struct fth_column node_columns[NODE_COLUMNS] = {
    {"node", "node", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"server", "server", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"clients", "clients", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"attaches", "attaches", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"queries", "queries", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"state", "state", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"copy_on", "copy on", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"copied", "copied", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"copy_behind", "behind", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape node_shape = {"nodes", "Nodes", node_columns, NODE_COLUMNS, 0};

static const char *name_of_node(const struct status *status, uint32_t number)
{
    for (size_t i = 0; i < status->node_count; i++)
        if (status->nodes[i].number == number)
            return status->nodes[i].name;
    return "unknown";
}

/* Of two copies: where the second one is, or that there is none. */
static void set_copy(struct fth_table *table, size_t row, const struct status *status,
                     const struct node *node, const struct fth_fs_instance *instance)
{
    uint32_t next = (node->number + 1) % instance->server_count;
    if (instance->copies < 2 || *node->why)
        return;
    fth_table_set(table, row, COPY_ON,
                  fth_cell_text(node->numbers[HAS_COPY] ? name_of_node(status, next) : "one copy"));
    fth_table_set(table, row, NODE_COPIED, fth_cell_integer((int64_t)node->numbers[COPIED]));
    fth_table_set(table, row, NODE_BEHIND, fth_cell_integer((int64_t)node->numbers[BEHIND]));
}

/* A part that was taken over is where the other one is, too. */
static const char *state_of(const struct node *node, const struct fth_lost_node *lost,
                            char text[STATE_MOST])
{
    if (*node->why)
        return node->why;
    if (!*lost->name || lost->server != node->number)
        return "answers";
    snprintf(text, STATE_MOST, "answers for '%s', which is lost", lost->name);
    return text;
}

static struct fth_table *list_nodes(const struct status *status,
                                    const struct fth_fs_instance *instance)
{
    struct fth_lost_node lost;
    char state[STATE_MOST];
    if (!fth_node_meeting_lost(instance, &lost))
        *lost.name = 0;
    static const int numbers[] = {CLIENTS, ATTACHES, QUERIES};
    struct fth_table *table = fth_table_new(&node_shape);
    for (size_t i = 0; i < status->node_count; i++) {
        const struct node *node = &status->nodes[i];
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, NODE, fth_cell_text(node->name));
        fth_table_set(table, row, SERVER, fth_cell_integer(node->number));
        for (int j = 0; j < 3; j++)
            fth_table_set(table, row, NODE_CLIENTS + (size_t)j,
                          fth_cell_integer((int64_t)node->numbers[numbers[j]]));
        fth_table_set(table, row, STATE, fth_cell_text(state_of(node, &lost, state)));
        set_copy(table, row, status, node, instance);
    }
    return table;
}

static int show(const struct head *head, const struct status *status,
                const struct fth_cmd_page *page, struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, page, "fathom fs status", 1, NULL, error))
        return -1;
    if (fth_views_for_people(&writer))
        fth_views_write_lines(&writer, put_head, head);
    else
        put_facts(&writer.facts, head);
    struct fth_table *tables[] = {status->node_count ? list_nodes(status, head->instance) : NULL,
                                  list_files(status), list_rules(&head->instance->rules)};
    for (int i = 0; i < 3; i++) {
        if (tables[i])
            show_table(&writer, tables[i]);
        fth_table_free(tables[i]);
    }
    return fth_cmd_close_page(&writer, 0, error);
}

enum { SAMPLE = 200000000 /* ns */ };

/* Of others, over a fifth of a second from now on; `before`: how many there were. */
static double rate_of(const struct fth_fs_instance *instance, uint64_t before)
{
    static const struct timespec sample = {.tv_nsec = SAMPLE};
    struct timespec begin, end;
    struct status status;
    struct fth_error *error = NULL;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    nanosleep(&sample, NULL);
    bool asked = ask(instance, &status, &error) == 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t own = before + instance->server_count, now = status.numbers[REQUESTS];
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    fth_error_free(error);
    free_status(&status);
    return asked && now > own ? (double)(now - own) / seconds : 0;
}

int fth_cmd_fs_status(const struct fth_fs_instance *instance, const struct fth_cmd_page *page,
                      struct fth_error **error)
{
    struct status status;
    int failed = ask(instance, &status, error);
    if (!failed)
        failed = show(
            &(struct head){instance, status.numbers, rate_of(instance, status.numbers[REQUESTS])},
            &status, page, error);
    free_status(&status);
    return failed;
}
