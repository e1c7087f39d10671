/* What a call says of the calls inside it: see fth_row_covers. */
#include "catalog/values.h"

#include <string.h>

/* What a library does to files while a request is waited for, the call that made the request has
 * accounted for. */
static bool completes_requests(const struct fth_row *row, unsigned layer_is)
{
    return (strcmp(row->kind, "wait") == 0 || strcmp(row->kind, "test") == 0) &&
           layer_is & FTH_LAYER_MESSAGES;
}

unsigned fth_row_covers(const struct fth_catalog *catalog, const struct fth_row *row,
                        unsigned layer_is)
{
    bool file =
        fth_kind_is_about_files(row->kind) &&
        (fth_field_with_file(catalog, row) >= 0 || fth_field_with_role(row, FTH_ROLE_PATH) >= 0 ||
         (row->flags & (FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT)));
    if (completes_requests(row, layer_is))
        return FTH_COVERS_FILES | FTH_COVERS_BYTES;
    if (!file)
        return 0;
    bool accounts_for_inner_bytes =
        !fth_row_is_buffered(catalog, row) && !(layer_is & FTH_LAYER_SYSTEM);
    return FTH_COVERS_FILES | (accounts_for_inner_bytes ? FTH_COVERS_BYTES : 0);
}
