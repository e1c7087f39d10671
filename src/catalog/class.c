/* Classes of handles: the line `class`, and what a row names without one. */
#include "catalog/parser.h"

#include <string.h>

enum { MAX_CLASSES = 254 };

static int add_class(const struct fth_parser *parser, const struct fth_token *name,
                     struct fth_class *class)
{
    struct fth_catalog *catalog = parser->catalog;
    if (catalog->class_count == MAX_CLASSES)
        return FAIL_AT(parser, name, "more than %d classes", MAX_CLASSES);
    struct fth_class *classes = fth_grown(catalog->classes, catalog->class_count, sizeof *classes);
    if (classes)
        catalog->classes = classes;
    if (!classes || fth_parser_copy(parser, name, &class->name) ||
        !fth_names_add(&parser->store->classes, class->name, catalog->class_count))
        return fth_parser_out_of_memory(parser);
    catalog->classes[catalog->class_count++] = *class;
    return 0;
}

void fth_parser_take_for_class(const struct fth_parser *parser, const struct fth_token *name)
{
    struct fth_error *none = NULL;
    struct fth_parser silent = *parser;
    struct fth_class class = {.form = FTH_CLASS_OBJECT};
    silent.error = &none;
    if (fth_names_find(&parser->store->classes, name->start, name->length) < 0)
        add_class(&silent, name, &class);
    fth_error_free(none);
}

/* `class NAME FORM [buffered]`; may be repeated with the same form, as each family of functions
 * declares what it needs. */
int fth_parse_class(struct fth_parser *parser)
{
    static const char *const forms[] = {"file", "object", "anonymous", NULL};
    struct fth_catalog *catalog = parser->catalog;
    const struct fth_token *name = fth_parser_take_any_word(parser, "the name of a class");
    if (!name)
        return -1;
    const struct fth_token *word = current(parser);
    if (!is_one_of(word, forms)) {
        if (parser->goes_on)
            fth_parser_take_for_class(parser, name);
        return fth_parser_expected(parser, word, "file, object or anonymous");
    }
    struct fth_class class = {.form = is_word(word, "file")     ? FTH_CLASS_FILE
                                      : is_word(word, "object") ? FTH_CLASS_OBJECT
                                                                : FTH_CLASS_ANONYMOUS};
    parser->at++;
    class.buffered = take_word(parser, "buffered");
    if (fth_parser_expect_end(parser)) {
        if (parser->goes_on)
            fth_parser_take_for_class(parser, name);
        return -1;
    }
    int known = fth_names_find(&parser->store->classes, name->start, name->length);
    if (known >= 0 && catalog->classes[known].form != class.form)
        return FAIL_AT(parser, word, "the class '%.*s' was declared as %s before", SHOWN(name),
                       forms[catalog->classes[known].form]);
    if (known >= 0) {
        catalog->classes[known].buffered |= class.buffered;
        return 0;
    }
    return add_class(parser, name, &class);
}
