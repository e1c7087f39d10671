/* The server of `fathom view`: HTTP on one socket, for those who know its token. */
#ifndef FTH_CMD_VIEW_HTTP_SERVER_H
#define FTH_CMD_VIEW_HTTP_SERVER_H

#include "base/error.h"
#include "cmd/view/picture.h"

/* Built with libmicrohttpd? Else there is no server. */
extern const bool fth_server_is_built_in;

struct fth_server;
/* For so many runs. address NULL: loopback only. port 0: any that is free. NULL: *error is set. */
struct fth_server *fth_server_open(const char *address, unsigned port, size_t runs,
                                   struct fth_error **error);
unsigned fth_server_port(const struct fth_server *server);
/* The token that the address has behind the port. */
const char *fth_server_token(const struct fth_server *server);
/* From now on the page shows this of a run, the first of which is 0; it is the server's then. NULL:
 * what it shows already. `goes_on`: others will follow, as the run is still being recorded. */
void fth_server_show(struct fth_server *server, size_t run, struct fth_picture *picture,
                     bool goes_on);
/* Time of the monotonic clock when a page asked for something last, or when it was opened; ns. */
int64_t fth_server_last_asked(const struct fth_server *server);

#endif
