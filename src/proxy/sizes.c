/* Where every amount and every place of a program are multiplied by the same number, what was apart
 * stays apart, and what met still meets. */
#include "proxy/sizes.h"

#include "catalog/values.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool moves(const struct fth_row *row)
{
    return fth_kind_reads(row->kind) || fth_kind_writes(row->kind) || !strcmp(row->kind, "send") ||
           !strcmp(row->kind, "recv") || !strcmp(row->kind, "exchange") ||
           !strcmp(row->kind, "collective") || !strcmp(row->kind, "start");
}

bool fth_proxy_grows(const struct fth_row *row, size_t field)
{
    switch (row->fields[field].role) {
    case FTH_ROLE_OFFSET:
    case FTH_ROLE_OFFSET_VIEW:
    case FTH_ROLE_DISTANCE:
    case FTH_ROLE_BYTES:
    case FTH_ROLE_ITEMS:
    case FTH_ROLE_IOV:
        return true;
    case FTH_ROLE_COUNT:
        return moves(row);
    case FTH_ROLE_VALUE:
        return !strcmp(row->kind, "truncate");
    default:
        return false;
    }
}

const char *fth_proxy_why_fixed(const struct fth_form *form)
{
    const struct fth_row *row = form->row;
    bool grows = false, has_list = false;
    if (form->fills)
        return "bytes came to its streams without a call";
    if (!strcmp(row->layer, "hdf5") || !strcmp(row->layer, "netcdf") ||
        !strcmp(row->layer, "pnetcdf"))
        return "its files have a format with shapes of their own";
    if (!strcmp(row->kind, "view") || !strcmp(row->kind, "type"))
        return "it has datatypes or views of MPI, whose shapes do not grow";
    if (fth_field_with_role(row, FTH_ROLE_AIO) >= 0)
        return "it has asynchronous I/O";
    if (!strcmp(row->kind, "control"))
        return "it has control commands, which may name bytes of a file";
    for (size_t i = 0; i < row->field_count; i++) {
        enum fth_written written = form->arguments[i].written;
        grows |= fth_proxy_grows(row, i) || written == FTH_WRITTEN_CONTENT ||
                 written == FTH_WRITTEN_FORMAT;
        has_list |= written == FTH_WRITTEN_LIST || written == FTH_WRITTEN_TABLE;
    }
    if (moves(row) && has_list)
        return "it has lists of counts or places";
    bool has_pieces = fth_layer_is(row->layer, FTH_LAYER_STREAMS) &&
                      (fth_kind_reads(row->kind) || fth_kind_writes(row->kind));
    return has_pieces && !grows ? "it reads or writes single bytes or lines" : NULL;
}
