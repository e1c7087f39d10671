/* Built without UCX: instances that ask for it do not start, and there are no ways. */
#include "fs/server/ucx_ways.h"

#ifndef FATHOM_UCX
const bool fth_ucx_is_built_in = false;

int fth_ucx_try(const char *device, struct fth_error **error)
{
    return fth_fail(error,
                    "--rdma %s: Fathom was built without UCX; install its headers (Debian: "
                    "libucx-dev) and build again, or start without --rdma: servers speak by TCP",
                    device);
}

struct fth_ucx *fth_ucx_begin(const char *device, struct fth_error **error)
{
    fth_ucx_try(device, error);
    return NULL;
}

void fth_ucx_end(struct fth_ucx *ucx)
{
    (void)ucx;
}

int fth_ucx_file(const struct fth_ucx *ucx)
{
    (void)ucx;
    return -1;
}

bool fth_ucx_rest(struct fth_ucx *ucx)
{
    (void)ucx;
    return true;
}

struct fth_ucx_way *fth_ucx_way_new(struct fth_ucx *ucx, uint64_t mark)
{
    (void)ucx;
    (void)mark;
    return NULL;
}

void fth_ucx_way_tell(const struct fth_ucx_way *way, struct fth_bytes *out)
{
    (void)way;
    (void)out;
}

bool fth_ucx_way_reach(struct fth_ucx_way *way, struct fth_view *said)
{
    (void)way;
    (void)said;
    return false;
}

bool fth_ucx_way_is_reached(const struct fth_ucx_way *way)
{
    (void)way;
    return false;
}

void fth_ucx_way_send(struct fth_ucx_way *way, const struct fth_bytes *message)
{
    (void)way;
    (void)message;
}

void fth_ucx_way_settle(struct fth_ucx_way *way, int most)
{
    (void)way;
    (void)most;
}

void fth_ucx_way_end(struct fth_ucx_way *way)
{
    (void)way;
}

int fth_ucx_take(struct fth_ucx *ucx,
                 void (*take)(void *data, uint64_t mark, struct fth_view *message), void *data)
{
    (void)ucx;
    (void)take;
    (void)data;
    return 0;
}
#endif
