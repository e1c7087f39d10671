/* Rows of a trace against those of the catalogue: see the header. */
#include "repeat/what/known_row.h"

#include "trace/record/builtin.h"

#include <string.h>

/* Traces of old versions have contents, and lack lists that are kept now. */
static bool has_changed(const struct fth_field *own, const struct fth_field *of_trace)
{
    return own->role == FTH_ROLE_DATA ||
           (own->role == FTH_ROLE_IN && own->array && of_trace->role == FTH_ROLE_NONE);
}

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
             !has_changed(&own->fields[i], &of_trace->fields[i])))
            return NULL;
    return own;
}
