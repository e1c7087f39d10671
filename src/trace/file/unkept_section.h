/* Calls that were made but not kept, because there was no room for them or no right to write, as
 * section LOST has them. */
#ifndef FTH_TRACE_FILE_UNKEPT_SECTION_H
#define FTH_TRACE_FILE_UNKEPT_SECTION_H

#include "base/bytes.h"
#include "trace/file/part.h"

/* Of a process image; the image is 0 for processes of which nothing was kept. */
struct fth_unkept_of {
    uint64_t image;
    struct fth_unkept unkept;
};
/* Zero is an empty list. */
struct fth_unkept_list {
    struct fth_unkept_of *items;
    size_t count;
};

void fth_unkept_add(struct fth_unkept_list *list, uint64_t image, const struct fth_unkept *unkept);
/* Those of an image, or NULL. O(count). */
const struct fth_unkept *fth_unkept_of(const struct fth_unkept_list *list, uint64_t image);
void fth_unkept_write(const struct fth_unkept_list *list, struct fth_bytes *to);
int fth_unkept_read(struct fth_unkept_list *list, const void *bytes, size_t length,
                    struct fth_error **error);
void fth_unkept_free(struct fth_unkept_list *list);

#endif
