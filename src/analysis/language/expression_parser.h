/* Inner header: a text that becomes an expression. */
#ifndef FTH_ANALYSIS_EXPRESSION_PARSER_H
#define FTH_ANALYSIS_EXPRESSION_PARSER_H

#include "analysis/language/expression_parts.h"

struct fth_expression_parser {
    const char *text;
    size_t at;
    unsigned depth;
    struct fth_expression *expression;
    struct fth_error **error;
};

/* What is wrong at this byte. NULL, for `return fth_expression_parse_failed(...)`. */
void *fth_expression_parse_failed(struct fth_expression_parser *parser, size_t at,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The field that this word stands for, if it is one that people try; else the word. */
const char *fth_expression_field_meant(const char *word);
void *fth_expression_parse_failed_on_name(struct fth_expression_parser *parser, size_t at,
                                          const char *name);
const char *fth_expression_type_name(enum fth_expression_type type); /* "a number" */

/* NULL: there are too many. */
struct fth_part_of_expression *fth_expression_parse_part(struct fth_expression_parser *parser,
                                                         enum fth_operator is,
                                                         enum fth_expression_type type, size_t at);
char *fth_expression_parse_keep(struct fth_expression_parser *parser, const char *text,
                                size_t length);

void fth_expression_parse_space(struct fth_expression_parser *parser);
/* How long the word at hand is; 0: there is none. */
size_t fth_expression_parse_word(const struct fth_expression_parser *parser);
/* Takes this word or sign, if it is what comes next. */
bool fth_expression_parse_take(struct fth_expression_parser *parser, const char *what);

struct fth_unit_of_text {
    const char *name;
    enum fth_expression_type type;
    double scale;
};
/* A constant without a unit gets one. False: that is too much. */
bool fth_expression_parse_in_unit(struct fth_part_of_expression *constant,
                                  const struct fth_unit_of_text *unit);

struct fth_part_of_expression *fth_expression_parse_number(struct fth_expression_parser *parser);
struct fth_part_of_expression *fth_expression_parse_text(struct fth_expression_parser *parser);

#endif
