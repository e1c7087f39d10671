/* Where in their files accesses of each function began, in classes (base/value_class.h). For
 * pictures. */
#ifndef FTH_ANALYSIS_OFFSET_CLASSES_H
#define FTH_ANALYSIS_OFFSET_CLASSES_H

#include <stdint.h>

struct fth_offset_classes {
    uint32_t limit;     /* of functions */
    uint64_t **classes; /* by function (fth_call_class.index): FTH_VALUE_CLASSES; NULL: none */
};

/* So many accesses of this function, the first at `first`, each `step` behind the one before. */
void fth_offset_classes_put(struct fth_offset_classes *offsets, uint32_t function, uint64_t first,
                            int64_t step, uint64_t calls);
/* Adds *from, and frees it. */
void fth_offset_classes_merge(struct fth_offset_classes *into, struct fth_offset_classes *from);
void fth_offset_classes_free(struct fth_offset_classes *offsets);

#endif
