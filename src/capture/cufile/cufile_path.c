/* Which file a handle of cuFile is to be about: the one that its descriptor is of. */
#include "calls.h"
#include "capture/wrap/wrap_cufile.h"

#include <string.h>

const char *fth_cufile_path(const struct fth_draft *draft, const CUfileDescr_t *descr)
{
    char *room = draft->recorder->text;
    if (!descr || !fth_is_readable(descr, sizeof *descr) || descr->type != FTH_CUFILE_OF_DESCRIPTOR)
        return NULL;
    const char *path = fth_path_of_descriptor(descr->handle.fd);
    size_t length = strnlen(path, FTH_LONGEST_PATH - 1);
    memcpy(room, path, length); /* the path's own place is needed for what is made of it */
    room[length] = 0;
    return length ? room : NULL;
}
