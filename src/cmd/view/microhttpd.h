/* libmicrohttpd, loaded when the server starts: it needs ten more libraries, which no other command
 * should have to load. */
#ifndef FTH_CMD_VIEW_MICROHTTPD_H
#define FTH_CMD_VIEW_MICROHTTPD_H

#include "base/error.h"

#include <microhttpd.h>

/* Its functions by their names without MHD_. */
#define FTH_HTTP_FUNCTIONS(X)                                                                      \
    X(add_response_header)                                                                         \
    X(create_response_from_buffer)                                                                 \
    X(destroy_response)                                                                            \
    X(get_daemon_info)                                                                             \
    X(lookup_connection_value)                                                                     \
    X(queue_response)                                                                              \
    X(resume_connection)                                                                           \
    X(start_daemon)                                                                                \
    X(suspend_connection)

struct fth_http {
#define FTH_HTTP_MEMBER(name) __typeof__(MHD_##name) *name;
    FTH_HTTP_FUNCTIONS(FTH_HTTP_MEMBER)
#undef FTH_HTTP_MEMBER
};
extern struct fth_http fth_http;

/* Once, before any of them is called. -1: *error says how to get the library. */
int fth_http_load(struct fth_error **error);

#endif
