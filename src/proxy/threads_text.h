/* Threads of the program as text of C: how they are started, and how one waits for another. Inner
 * header of the proxy room. */
#ifndef FTH_PROXY_THREADS_TEXT_H
#define FTH_PROXY_THREADS_TEXT_H

#include "proxy/writing.h"

/* Before all functions; nothing where each process has one thread. */
void fth_proxy_put_thread_helpers(const struct fth_writing *writing, FILE *to);
/* In a process that was forked: what its threads have is as in a new one. */
void fth_proxy_put_thread_reset(const struct fth_writing *writing, FILE *to);
/* The text of a helper, where what is `static` in a function is so for each thread. */
void fth_proxy_put_for_threads(const struct fth_writing *writing, const char *text, FILE *to);

#endif
