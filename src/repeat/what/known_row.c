/* Rows of a trace against those of the catalogue: see the header. */
#include "repeat/what/known_row.h"

#include "trace/record/builtin.h"

#include <string.h>

const struct fth_row *fth_repeat_known_row(const struct fth_row *of_trace)
{
    const struct fth_row *own = fth_catalog_find(fth_builtin_catalog(), of_trace->name);
    if (!own || own->field_count != of_trace->field_count ||
        strcmp(own->layer, of_trace->layer) != 0 || strcmp(own->kind, of_trace->kind) != 0 ||
        strcmp(own->result.type, of_trace->result.type) != 0)
        return NULL;
    for (size_t i = 0; i < own->field_count; i++)
        if (strcmp(own->fields[i].type, of_trace->fields[i].type) != 0 ||
            (strcmp(own->fields[i].role_words, of_trace->fields[i].role_words) != 0 &&
             own->fields[i].role != FTH_ROLE_DATA)) /* traces of old versions have contents */
            return NULL;
    return own;
}
