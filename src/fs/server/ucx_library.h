/* UCX, loaded when an instance asks for it by --rdma: no other command should have to load it, and
 * it looks at each allocation of memory. Inner header of the fs room. */
#ifndef FTH_FS_UCX_LIBRARY_H
#define FTH_FS_UCX_LIBRARY_H

#include "base/error.h"

#ifdef FATHOM_UCX
#include <ucp/api/ucp.h>

/* Its functions by their names without ucp_. */
#define FTH_UCX_FUNCTIONS(X)                                                                       \
    X(am_recv_data_nbx)                                                                            \
    X(am_send_nbx)                                                                                 \
    X(cleanup)                                                                                     \
    X(config_modify)                                                                               \
    X(config_read)                                                                                 \
    X(config_release)                                                                              \
    X(ep_close_nbx)                                                                                \
    X(ep_create)                                                                                   \
    X(ep_flush_nbx)                                                                                \
    X(init_version)                                                                                \
    X(request_check_status)                                                                        \
    X(request_free)                                                                                \
    X(worker_arm)                                                                                  \
    X(worker_create)                                                                               \
    X(worker_destroy)                                                                              \
    X(worker_get_address)                                                                          \
    X(worker_get_efd)                                                                              \
    X(worker_progress)                                                                             \
    X(worker_release_address)                                                                      \
    X(worker_set_am_recv_handler)

struct fth_ucx_functions {
#define FTH_UCX_MEMBER(name) __typeof__(ucp_##name) *name;
    FTH_UCX_FUNCTIONS(FTH_UCX_MEMBER)
#undef FTH_UCX_MEMBER
    __typeof__(ucs_status_string) *text_of;
};
extern struct fth_ucx_functions fth_ucp;

/* Once, before any of them is called. -1: *error says how to get the library. */
int fth_ucx_load(struct fth_error **error);
#endif

#endif
