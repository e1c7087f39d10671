/* `fathom simulate --method`, `--methods`: how commands are executed. */
#include "cmd/shared/command.h"
#include "cmd/simulate/simulate.h"

#include <stdio.h>
#include <string.h>

static void print_methods(void)
{
    const struct fth_sim_method *method;
    for (size_t i = 0; (method = fth_sim_method_number(i)); i++)
        printf("%s=%s%s\n", fth_sim_verb_names[method->verb], method->name,
               method == fth_sim_method(method->verb, NULL) ? " (default)" : "");
    for (size_t i = 0; fth_sim_family(i); i++)
        printf("%s (for all collective commands)\n", fth_sim_family(i));
}

enum { METHOD_OF, METHOD_NAME, METHOD_DEFAULT, METHOD_COLUMNS };

static struct fth_table *table_of_methods(void)
{
    static const struct fth_column columns[METHOD_COLUMNS] = {
        {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"method", "method", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"is_default", "default", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    };
    static const struct fth_shape shape = {"methods", "Methods", columns, METHOD_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    const struct fth_sim_method *method;
    for (size_t i = 0; (method = fth_sim_method_number(i)); i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, METHOD_OF, fth_cell_text(fth_sim_verb_names[method->verb]));
        fth_table_set(table, row, METHOD_NAME, fth_cell_text(method->name));
        fth_table_set(table, row, METHOD_DEFAULT,
                      fth_cell_integer(method == fth_sim_method(method->verb, NULL)));
    }
    for (size_t i = 0; fth_sim_family(i); i++) /* of all collective commands */
        fth_table_set(table, fth_table_add_row(table), METHOD_NAME,
                      fth_cell_text(fth_sim_family(i)));
    return table;
}

int fth_cmd_list_methods(const struct fth_cmd_simulation *request, struct fth_error **error)
{
    struct fth_writer writer;
    if (!request->page.chosen) {
        print_methods();
        return 0;
    }
    struct fth_table *table = table_of_methods();
    int result = fth_cmd_open_page(&writer, &request->page, "fathom simulate", 2, NULL, error);
    if (!result) {
        fth_views_write_table(&writer, table, &(struct fth_table_layout){0});
        result = fth_cmd_close_page(&writer, 0, error);
    }
    fth_table_free(table);
    return result;
}

void fth_cmd_add_methods_of(struct argp_state *state, struct fth_cmd_simulation *request,
                            const char *family)
{
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++) {
        const struct fth_sim_method *method = fth_sim_method_of_family(family, verb);
        if (!method)
            continue;
        if (request->method_count == FTH_CMD_MOST_METHODS)
            fth_cmd_wrong(state, "too many methods");
        else
            request->methods[request->method_count++] = method;
    }
}

void fth_cmd_add_method(struct argp_state *state, struct fth_cmd_simulation *request,
                        const char *word)
{
    const char *equals = strchr(word, '=');
    const struct fth_sim_method *method = NULL;
    if (fth_sim_method_of_family(word, FTH_SIM_BCAST)) {
        fth_cmd_add_methods_of(state, request, word);
        return;
    }
    for (enum fth_sim_verb verb = 0; equals && verb < FTH_SIM_VERBS; verb++)
        if (strlen(fth_sim_verb_names[verb]) == (size_t)(equals - word) &&
            !strncmp(fth_sim_verb_names[verb], word, (size_t)(equals - word)))
            method = fth_sim_method(verb, equals + 1);
    if (!method)
        fth_cmd_wrong(state, "there is no method '%s'; `fathom simulate --methods` lists them",
                      word);
    else if (request->method_count == FTH_CMD_MOST_METHODS)
        fth_cmd_wrong(state, "too many methods");
    else
        request->methods[request->method_count++] = method;
}
