/* `fathom fs status`: files, bytes, what is not flushed yet, requests. */
#include "cmd/fs/fs_status.h"

#include "base/memory.h"
#include "cmd/fs/fs_server.h"
#include "fs/protocol/fs_messages.h"
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

/* The client who asks is not counted. */
static bool read_numbers(struct fth_view *view, uint64_t numbers[NUMBERS])
{
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = fth_view_varint(view);
    numbers[CLIENTS] -= numbers[CLIENTS] > 0;
    return !view->failed;
}

static struct fth_table *read_files(struct fth_view *view)
{
    struct fth_table *table = fth_table_new(&shape);
    for (uint64_t count = fth_view_count(view, 6); count-- && !view->failed;) {
        uint64_t length = fth_view_varint(view);
        const uint8_t *path = fth_view_bytes(view, length);
        if (!path)
            break;
        char *text = fth_text_part((const char *)path, length);
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, PATH, fth_cell_text(text));
        for (size_t column = SIZE; column < COLUMNS; column++)
            fth_table_set(table, row, column, fth_cell_integer((int64_t)fth_view_varint(view)));
        free(text);
    }
    return table;
}

struct head {
    const struct fth_fs_instance *instance;
    const uint64_t *numbers;
    double rate; /* requests per second, of others */
};

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
}

static void put_facts(struct fth_json *facts, const struct head *head)
{
    static const char *const names[NUMBERS] = {"clients",   "attaches", "queries", "detaches",
                                               "stats",     "locks",    "granted", "local",
                                               "conflicts", "requests"};
    fth_json_key_text(facts, "instance", head->instance->path);
    fth_json_key_text(facts, "under", head->instance->under_path);
    if (head->instance->rules.model_count)
        fth_json_key_text(facts, "model", head->instance->rules.models[0].name);
    for (int i = 0; i < NUMBERS; i++)
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

static int show(const struct head *head, struct fth_table *table, const struct fth_cmd_page *page,
                struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, page, "fathom fs status", 1, NULL, error))
        return -1;
    if (fth_views_for_people(&writer))
        fth_views_write_lines(&writer, put_head, head);
    else
        put_facts(&writer.facts, head);
    show_table(&writer, table);
    struct fth_table *rules = list_rules(&head->instance->rules);
    show_table(&writer, rules);
    fth_table_free(rules);
    return fth_cmd_close_page(&writer, 0, error);
}

enum { SAMPLE = 200000000 /* ns */ };

/* Of others, over a fifth of a second from now on; `before`: how many there were. */
static double rate_of(const struct fth_fs_instance *instance, uint64_t before)
{
    static const struct timespec sample = {.tv_nsec = SAMPLE};
    struct timespec begin, end;
    struct fth_bytes answer;
    struct fth_view view;
    struct fth_error *error = NULL;
    uint64_t numbers[NUMBERS];
    clock_gettime(CLOCK_MONOTONIC, &begin);
    nanosleep(&sample, NULL);
    bool asked = fth_cmd_fs_ask(instance, FTH_MESSAGE_STATUS, &answer, &view, &error) == 0 &&
                 read_numbers(&view, numbers);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    double rate = asked && numbers[REQUESTS] > before
                      ? (double)(numbers[REQUESTS] - before - 1) / seconds
                      : 0;
    fth_error_free(error);
    fth_bytes_free(&answer);
    return rate;
}

int fth_cmd_fs_status(const struct fth_fs_instance *instance, const struct fth_cmd_page *page,
                      struct fth_error **error)
{
    struct fth_bytes answer;
    struct fth_view view;
    uint64_t numbers[NUMBERS];
    int failed = fth_cmd_fs_ask(instance, FTH_MESSAGE_STATUS, &answer, &view, error);
    if (!failed && !read_numbers(&view, numbers))
        failed = fth_fail(error, "the server answers what this version does not understand");
    if (!failed) {
        struct fth_table *table = read_files(&view);
        failed = view.failed
                     ? fth_fail(error, "the server answers what this version does not understand")
                     : show(&(struct head){instance, numbers, rate_of(instance, numbers[REQUESTS])},
                            table, page, error);
        fth_table_free(table);
    }
    fth_bytes_free(&answer);
    return failed;
}
