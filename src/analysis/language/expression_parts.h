/* Inner header: what expressions are made of. */
#ifndef FTH_ANALYSIS_EXPRESSION_PARTS_H
#define FTH_ANALYSIS_EXPRESSION_PARTS_H

#include "analysis/language/expression.h"
#include "base/arena.h"

/* Deeper, or of more parts, is nothing that a person writes. */
enum { FTH_EXPRESSION_DEEPEST = 100, FTH_EXPRESSION_MOST = 4096, FTH_EXPRESSION_LONGEST = 65536 };

enum fth_expression_type {
    FTH_TYPE_NUMBER, /* and bytes */
    FTH_TYPE_BYTES,
    FTH_TYPE_TIME, /* ns */
    FTH_TYPE_TEXT,
    FTH_TYPE_PATH,  /* a text; what it is compared with is about its last part if it has no slash */
    FTH_TYPE_TEXTS, /* several texts: any of them will do */
    FTH_TYPE_ANY,   /* number or text, as it is compared */
    FTH_TYPE_CONDITION, /* true or false */
};

/* What it is the same for, in a process. A comparison is of a function, or of a file, or wider. */
enum fth_expression_scope {
    FTH_OF_PROCESS,  /* all calls of a process */
    FTH_OF_FUNCTION, /* those of a function */
    FTH_OF_FILE,     /* those about a file */
    FTH_OF_SITE,     /* those of a site (model/calls/again.h) */
    FTH_OF_CALL,
};

struct fth_field_value {
    int64_t number;
    const char *text;
};

struct fth_expression_field {
    const char *name;
    enum fth_expression_type type;
    unsigned needs;
    enum fth_expression_scope scope;
    /* False: not known, or of a condition: false. Of several texts the one of this number, false
     * behind the last one. */
    bool (*read)(const struct fth_subject *subject, size_t number, struct fth_field_value *value);
};
const struct fth_expression_field *fth_expression_find(const char *name);
/* The value of the parameter of this name. False: the function has none, or it is not known. */
bool fth_expression_argument(const struct fth_call *call, const char *name,
                             struct fth_field_value *value);

enum fth_operator {
    FTH_IS_FIELD,    /* field */
    FTH_IS_ARGUMENT, /* text: the name of a parameter */
    FTH_IS_CONSTANT, /* number, or text */
    FTH_IS_PLUS,
    FTH_IS_MINUS,
    FTH_IS_TIMES,
    FTH_IS_OVER,
    FTH_IS_REST,
    FTH_IS_EQUAL,
    FTH_IS_UNEQUAL,
    FTH_IS_LESS,
    FTH_IS_AT_MOST,
    FTH_IS_MORE,
    FTH_IS_AT_LEAST,
    FTH_IS_LIKE,
    FTH_IS_IN,   /* right: the list, of FTH_IS_ITEM */
    FTH_IS_ITEM, /* left: a constant, right: the next item; `last` if it is a range */
    FTH_IS_NOT,
    FTH_IS_AND,
    FTH_IS_OR,
};

struct fth_part_of_expression {
    enum fth_operator is;
    enum fth_expression_type type;
    enum fth_expression_scope scope;
    bool fraction; /* a constant that is no whole number: `real`; with time it becomes one */
    size_t at;     /* column, from 1 */
    const struct fth_part_of_expression *left, *right, *last;
    const struct fth_expression_field *field;
    int64_t number;
    double real;
    const char *text;
};

struct fth_expression {
    struct fth_arena arena; /* of the parts and their texts */
    const struct fth_part_of_expression *root;
    unsigned needs;
    size_t count;
};

#endif
