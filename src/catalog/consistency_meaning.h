/* What calls mean to models of consistency, by their rows and layers (docs/catalog.md, "What calls
 * mean"). */
#ifndef FTH_CATALOG_CONSISTENCY_MEANING_H
#define FTH_CATALOG_CONSISTENCY_MEANING_H

#include "catalog/catalog.h"
#include "catalog/values.h"

/* FTH_MEANS_... of a row; `layer` is that of the row. */
unsigned fth_row_means(const struct fth_catalog *catalog, const struct fth_row *row,
                       const struct fth_layer *layer);
/* Do macros of the layer call this function where a buffer is at its end? */
bool fth_layer_refills(const struct fth_layer *layer, const char *function);
/* The meaning that "opens", "closes" and "syncs" are the words for; false: it is none of them. */
bool fth_means_of_word(const char *word, unsigned *means);
/* Has it rows or layers, beyond those that were given to it, that readers of traces of version 5
 * cannot read? */
bool fth_catalog_adds_meaning(const struct fth_catalog *catalog);

#endif
