/* What locks cost, as a page. */
#ifndef FTH_CMD_FS_COST_H
#define FTH_CMD_FS_COST_H

#include "cmd/shared/page_options.h"

/* Of a program on `nodes` nodes with so many processes each, which each make so many requests. */
struct fth_cmd_fs_cost {
    uint32_t nodes, processes, operations;
    int64_t global, local, conflict; /* ns: Ts, Tl, Tc of one request */
};

int fth_cmd_fs_cost(const struct fth_cmd_fs_cost *cost, const struct fth_cmd_page *page,
                    struct fth_error **error);

#endif
