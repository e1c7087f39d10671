/* Which loops of a program are its steps. Inner header of the proxy room. */
#ifndef FTH_PROXY_MAIN_LOOP_H
#define FTH_PROXY_MAIN_LOOP_H

#include "proxy/main_text.h"

/* Marks them in the bodies; their turns are writing->steps, 0: there are none. */
void fth_proxy_find_steps(const struct fth_proxy_parts *parts);

#endif
