/* Expressions for the numbers of a body. Its processes are read twice more: to find strides, and
 * then to keep what has none and to see which parameters follow from others. */
#ifndef FTH_PROXY_BODY_FIT_H
#define FTH_PROXY_BODY_FIT_H

#include "proxy/body.h"

int fth_body_fit(struct fth_body *body, struct fth_trace *trace, struct fth_error **error);

#endif
