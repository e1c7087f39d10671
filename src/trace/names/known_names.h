/* Texts of names with one number or none, by template and number: names that come again are not put
 * together again. */
#ifndef FTH_TRACE_NAMES_KNOWN_NAMES_H
#define FTH_TRACE_NAMES_KNOWN_NAMES_H

#include "trace/names/names.h"

struct fth_known_names { /* all zero: none */
    struct fth_known_name {
        const struct fth_template *template; /* NULL: nothing is here */
        int64_t number;
        uint32_t text;
    } * places;
    uint32_t room, count;
};

/* Where the number of the text stands, until the next one is asked for; 0: the name comes for the
 * first time. Templates must stay where they are. */
uint32_t *fth_known_name(struct fth_known_names *names, const struct fth_template *template,
                         int64_t number);
void fth_known_names_free(struct fth_known_names *names);

#endif
