/* Texts of names with one number or none, by template and number: names that come again are not put
 * together again. */
#ifndef FTH_TRACE_NAMES_KNOWN_NAMES_H
#define FTH_TRACE_NAMES_KNOWN_NAMES_H

#include "trace/names/names.h"

/* Names of a template that counts through its numbers: a place for each number from 0 on. */
struct fth_known_row {
    uint32_t *texts; /* by number; 0: not known here */
    uint32_t room;
    uint32_t count; /* of names that came, here or elsewhere */
    uint32_t width; /* of their numbers; others are elsewhere */
};

struct fth_known_names { /* all zero: none */
    struct fth_known_name {
        const struct fth_template *template; /* NULL: nothing is here */
        int64_t number;
        uint32_t text;
    } * places;
    uint32_t room, count;
    struct fth_known_row *rows; /* by number of a template */
    uint32_t row_limit;
};

/* Where the number of the text stands, until the next one is asked for; 0: the name is not known,
 * and who asks finds its text by other means. Templates must stay where they are. */
uint32_t *fth_known_name(struct fth_known_names *names, const struct fth_template *template,
                         int64_t number);
void fth_known_names_free(struct fth_known_names *names);

#endif
