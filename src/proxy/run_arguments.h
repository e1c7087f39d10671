/* The arguments of the program: turns of its main loop, and how many times as large its sizes are.
 * Inner header of the proxy room. */
#ifndef FTH_PROXY_RUN_ARGUMENTS_H
#define FTH_PROXY_RUN_ARGUMENTS_H

#include "proxy/writing.h"

#include <stdio.h>

bool fth_proxy_has_parameters(const struct fth_writing *writing);
/* A function that reads a number, and where it says what is wrong. */
void fth_proxy_put_argument_helper(const struct fth_writing *writing, FILE *to);
/* Reads them. What is wrong with them is known then, and said later: by one rank. */
void fth_proxy_put_parameters(const struct fth_writing *writing, FILE *to);
/* Behind what reserves memory: is there so much? */
void fth_proxy_put_memory_check(const struct fth_writing *writing, FILE *to);
/* Ends the program where something is wrong. With MPI the rank is known. */
void fth_proxy_put_parameters_check(const struct fth_writing *writing, FILE *to);

#endif
