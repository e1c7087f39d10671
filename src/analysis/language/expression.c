/* Asking an expression of calls, and printing it. */
#include "analysis/language/expression_parts.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "trace/file/container.h"
#include "trace/record/builtin.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

typedef struct fth_part_of_expression part;

void fth_expression_free(struct fth_expression *expression)
{
    if (expression)
        fth_arena_free(&expression->arena);
    free(expression);
}

unsigned fth_expression_needs(const struct fth_expression *expression)
{
    return expression->needs;
}

/* ---- values ---- */

static bool read_value(const part *of, const struct fth_subject *subject, size_t number,
                       struct fth_field_value *value)
{
    if (of->is == FTH_IS_ARGUMENT)
        return number == 0 && fth_expression_argument(subject->call, of->text, value);
    return (number == 0 || of->type == FTH_TYPE_TEXTS) && of->field->read(subject, number, value);
}

static bool calculate(enum fth_operator is, int64_t left, int64_t right, int64_t *result)
{
    switch (is) {
    case FTH_IS_PLUS:
        return !__builtin_add_overflow(left, right, result);
    case FTH_IS_MINUS:
        return !__builtin_sub_overflow(left, right, result);
    case FTH_IS_TIMES:
        return !__builtin_mul_overflow(left, right, result);
    case FTH_IS_OVER:
        if (right == 0 || (right == -1 && left == INT64_MIN))
            return false;
        *result = left / right;
        return true;
    case FTH_IS_REST:
        if (right == 0)
            return false;
        *result = right == -1 ? 0 : left % right;
        return true;
    default:
        return false;
    }
}

/* False: it is not known. */
static bool number_of(const part *of, const struct fth_subject *subject, int64_t *number)
{
    int64_t left, right;
    struct fth_field_value value = {0, NULL};
    switch (of->is) {
    case FTH_IS_CONSTANT:
        *number = of->number;
        return true;
    case FTH_IS_FIELD:
    case FTH_IS_ARGUMENT:
        if (!read_value(of, subject, 0, &value))
            return false;
        *number = value.number;
        return true;
    default:
        return number_of(of->left, subject, &left) && number_of(of->right, subject, &right) &&
               calculate(of->is, left, right, number);
    }
}

/* ---- comparisons ---- */

static bool compare_numbers(enum fth_operator is, int64_t left, int64_t right)
{
    switch (is) {
    case FTH_IS_EQUAL:
        return left == right;
    case FTH_IS_UNEQUAL:
        return left != right;
    case FTH_IS_LESS:
        return left < right;
    case FTH_IS_AT_MOST:
        return left <= right;
    case FTH_IS_MORE:
        return left > right;
    default:
        return left >= right;
    }
}

/* A text without a slash is about the last part of a path, as in .gitignore. */
static bool compare_text(const part *of, enum fth_operator is, const char *text, const char *with)
{
    const char *slash = of->type == FTH_TYPE_PATH && !strchr(with, '/') ? strrchr(text, '/') : NULL;
    const char *from = slash ? slash + 1 : text;
    return is == FTH_IS_LIKE ? fnmatch(with, from, 0) == 0 : strcmp(with, from) == 0;
}

static bool has_text(const part *of, enum fth_operator is, const struct fth_subject *subject,
                     const char *with)
{
    struct fth_field_value value = {0, NULL};
    for (size_t i = 0; read_value(of, subject, i, &value); i++)
        if (value.text && compare_text(of, is, value.text, with))
            return true;
    return false;
}

/* Is there anything to be compared? */
static bool has_any_text(const part *of, const struct fth_subject *subject)
{
    struct fth_field_value value = {0, NULL};
    return read_value(of, subject, 0, &value) && value.text;
}

static bool compare(const part *of, const struct fth_subject *subject)
{
    int64_t left, right;
    const char *text = of->right->is == FTH_IS_CONSTANT ? of->right->text : NULL;
    if (text && of->is == FTH_IS_UNEQUAL)
        return has_any_text(of->left, subject) && !has_text(of->left, FTH_IS_EQUAL, subject, text);
    if (text)
        return has_text(of->left, of->is, subject, text);
    return number_of(of->left, subject, &left) && number_of(of->right, subject, &right) &&
           compare_numbers(of->is, left, right);
}

static bool is_in(const part *of, const struct fth_subject *subject)
{
    int64_t number;
    for (const part *item = of->right; item; item = item->right) {
        const part *first = item->left;
        if (first->text && has_text(of->left, FTH_IS_EQUAL, subject, first->text))
            return true;
        if (first->text || !number_of(of->left, subject, &number))
            continue;
        if (number >= first->number && number <= (item->last ? item->last->number : first->number))
            return true;
    }
    return false;
}

/* ---- conditions ---- */

static bool holds(const part *of, const struct fth_subject *subject)
{
    struct fth_field_value value = {0, NULL};
    switch (of->is) {
    case FTH_IS_NOT:
        return !holds(of->left, subject);
    case FTH_IS_AND:
        return holds(of->left, subject) && holds(of->right, subject);
    case FTH_IS_OR:
        return holds(of->left, subject) || holds(of->right, subject);
    case FTH_IS_FIELD:
        return of->field->read(subject, 0, &value);
    case FTH_IS_IN:
        return is_in(of, subject);
    default:
        return compare(of, subject);
    }
}

bool fth_expression_holds(const struct fth_expression *expression,
                          const struct fth_subject *subject)
{
    return holds(expression->root, subject);
}

bool fth_expression_is_of_sites(const struct fth_expression *expression)
{
    return expression->root->scope != FTH_OF_CALL;
}

/* What is known of it when only a part of the call is known. */
enum answer { NO, MAYBE, YES };

static enum answer least(enum answer one, enum answer other)
{
    return one < other ? one : other;
}

static bool is_known(enum fth_expression_scope scope, const struct fth_known_of_calls *known)
{
    return scope == FTH_OF_PROCESS || (scope == FTH_OF_FUNCTION && known->function) ||
           (scope == FTH_OF_FILE && known->has_file);
}

static enum answer answer_for(const part *of, const struct fth_known_of_calls *known)
{
    const struct fth_call call = {
        .proc = known->proc, .function = known->function, .file = known->file};
    const struct fth_subject subject = {.trace = known->trace, .call = &call};
    return holds(of, &subject) ? YES : NO;
}

static enum answer may_hold(const part *of, const struct fth_known_of_calls *known)
{
    switch (of->is) {
    case FTH_IS_NOT:
        return (enum answer)(YES - may_hold(of->left, known));
    case FTH_IS_AND:
        return least(may_hold(of->left, known), may_hold(of->right, known));
    case FTH_IS_OR:
        return (enum answer)(YES - least((enum answer)(YES - may_hold(of->left, known)),
                                         (enum answer)(YES - may_hold(of->right, known))));
    default:
        return is_known(of->scope, known) ? answer_for(of, known) : MAYBE;
    }
}

bool fth_expression_may_hold(const struct fth_expression *expression,
                             const struct fth_known_of_calls *known)
{
    return may_hold(expression->root, known) != NO;
}

/* ---- what a run has ---- */

/* What functions have that can be compared with: the number-th layer, kind or parameter of a
 * function; NULL: it has no more. */
typedef const char *names_of(const struct fth_function *function, size_t number);

static const char *layer_of(const struct fth_function *function, size_t number)
{
    return number ? NULL : function->layer;
}

static const char *name_of(const struct fth_function *function, size_t number)
{
    return number ? NULL : function->name;
}

static const char *kind_of(const struct fth_function *function, size_t number)
{
    return number ? NULL : function->kind;
}

static const char *parameter_of(const struct fth_function *function, size_t number)
{
    return number < function->parameter_count ? function->parameters[number].name : NULL;
}

/* Of another run, perhaps. */
static bool is_in_catalogue(const char *name)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (row->name && (strcmp(row->name, name) == 0 || strcmp(row->layer, name) == 0 ||
                          strcmp(row->kind, name) == 0))
            return true;
        for (size_t k = 0; row->name && k < row->field_count; k++)
            if (strcmp(row->fields[k].name, name) == 0)
                return true;
    }
    return false;
}

static bool is_listed(const char *all, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = all; (at = strstr(at, name)); at += length)
        if ((at == all || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

/* What does not fit is left out. */
static void add_known(char *all, size_t size, const char *name)
{
    size_t used = strlen(all);
    if (*name && !is_listed(all, name) && used + strlen(name) + 3 < size)
        snprintf(all + used, size - used, "%s%s", used ? ", " : "", name);
}

/* A name that is nowhere. Which ones are there is shown, or, where these are many, which one is
 * meant. */
static int check_name(const struct fth_trace *trace, names_of *names, const char *what,
                      const char *name, struct fth_error **error)
{
    size_t nearest = SIZE_MAX;
    const char *known, *meant = NULL;
    char all[512] = "";
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        for (size_t k = 0; (known = names(fth_trace_function(trace, i), k)); k++) {
            if (strcmp(known, name) == 0)
                return 0;
            if (fth_is_nearer(name, known, &nearest))
                meant = known;
            add_known(all, sizeof all, known);
        }
    if (is_in_catalogue(name))
        return 0;
    if (meant)
        return fth_fail(error, "no function of this run has the %s '%s'; did you mean '%s'?", what,
                        name, meant);
    return fth_fail(error, "no function has the %s '%s'; those of this run are: %s", what, name,
                    all);
}

static int check_constant(const part *field, const part *constant, const struct fth_trace *trace,
                          struct fth_error **error)
{
    const char *name = field->field ? field->field->name : "";
    names_of *names = strcmp(name, "layer") == 0 || strcmp(name, "inside_layer") == 0 ? layer_of
                      : strcmp(name, "kind") == 0                                     ? kind_of
                      : strcmp(name, "func") == 0                                     ? name_of
                                                                                      : NULL;
    if (!names || constant->is != FTH_IS_CONSTANT)
        return 0;
    const char *what = names == layer_of ? "layer" : names == kind_of ? "kind" : "name";
    return check_name(trace, names, what, constant->text, error);
}

static int check(const part *of, const struct fth_trace *trace, struct fth_error **error)
{
    if (!of)
        return 0;
    if (of->is == FTH_IS_ARGUMENT)
        return check_name(trace, parameter_of, "parameter", of->text, error);
    bool equal = of->is == FTH_IS_EQUAL || of->is == FTH_IS_UNEQUAL;
    if (equal && check_constant(of->left, of->right, trace, error))
        return -1;
    for (const part *item = of->is == FTH_IS_IN ? of->right : NULL; item; item = item->right)
        if (check_constant(of->left, item->left, trace, error))
            return -1;
    if (check(of->left, trace, error))
        return -1;
    return of->is == FTH_IS_IN ? 0 : check(of->right, trace, error);
}

int fth_expression_check(const struct fth_expression *expression, const struct fth_trace *trace,
                         struct fth_error **error)
{
    return check(expression->root, trace, error);
}

/* ---- printing ---- */

static void print(const part *of, struct fth_sink *sink);

static void print_constant(const part *of, struct fth_sink *sink)
{
    if (!of->text) {
        fth_sink_integer(sink, of->number);
        fth_sink_text(sink, of->type == FTH_TYPE_TIME    ? "ns"
                            : of->type == FTH_TYPE_BYTES ? "B"
                                                         : "");
        return;
    }
    char quote = strchr(of->text, '"') ? '\'' : '"';
    fth_sink_char(sink, quote);
    fth_sink_text(sink, of->text);
    fth_sink_char(sink, quote);
}

static void print_list(const part *items, struct fth_sink *sink)
{
    fth_sink_text(sink, " in (");
    for (const part *item = items; item; item = item->right) {
        fth_sink_text(sink, item == items ? "" : ", ");
        print_constant(item->left, sink);
        if (item->last) {
            fth_sink_text(sink, "..");
            print_constant(item->last, sink);
        }
    }
    fth_sink_char(sink, ')');
}

static const char *sign_of(enum fth_operator is)
{
    static const char *const signs[] = {
        [FTH_IS_PLUS] = " + ",     [FTH_IS_MINUS] = " - ",     [FTH_IS_TIMES] = " * ",
        [FTH_IS_OVER] = " / ",     [FTH_IS_REST] = " % ",      [FTH_IS_EQUAL] = " == ",
        [FTH_IS_UNEQUAL] = " != ", [FTH_IS_LESS] = " < ",      [FTH_IS_AT_MOST] = " <= ",
        [FTH_IS_MORE] = " > ",     [FTH_IS_AT_LEAST] = " >= ", [FTH_IS_LIKE] = " ~ ",
        [FTH_IS_AND] = " and ",    [FTH_IS_OR] = " or "};
    return signs[is];
}

/* Operators of one level are done from the left to the right. 0: those that do not follow one
 * another. */
static int level_of(enum fth_operator is)
{
    switch (is) {
    case FTH_IS_PLUS:
    case FTH_IS_MINUS:
        return 1;
    case FTH_IS_TIMES:
    case FTH_IS_OVER:
    case FTH_IS_REST:
        return 2;
    case FTH_IS_AND:
        return 3;
    case FTH_IS_OR:
        return 4;
    default:
        return 0;
    }
}

/* Long chains without brackets in one another, as there may be only so many of these. */
static void print_chain(const part *of, struct fth_sink *sink)
{
    if (level_of(of->is) && level_of(of->left->is) == level_of(of->is))
        print_chain(of->left, sink);
    else
        print(of->left, sink);
    if (of->is == FTH_IS_IN) {
        print_list(of->right, sink);
    } else {
        fth_sink_text(sink, sign_of(of->is));
        print(of->right, sink);
    }
}

static void print(const part *of, struct fth_sink *sink)
{
    switch (of->is) {
    case FTH_IS_FIELD:
        fth_sink_text(sink, of->field->name);
        return;
    case FTH_IS_ARGUMENT:
        fth_sink_text(sink, "arg.");
        fth_sink_text(sink, of->text);
        return;
    case FTH_IS_CONSTANT:
        print_constant(of, sink);
        return;
    case FTH_IS_NOT:
        fth_sink_text(sink, "not ");
        print(of->left, sink);
        return;
    default:
        fth_sink_char(sink, '(');
        print_chain(of, sink);
        fth_sink_char(sink, ')');
    }
}

void fth_expression_print(const struct fth_expression *expression, struct fth_sink *sink)
{
    print(expression->root, sink);
}
