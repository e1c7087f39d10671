/* Processes that the program starts, as text of C: how it does that, and what they do. Inner header
 * of the proxy room. */
#ifndef FTH_PROXY_PROGRAMS_TEXT_H
#define FTH_PROXY_PROGRAMS_TEXT_H

#include "proxy/main_text.h"

/* The functions of the programs, into writing->functions. */
void fth_proxy_write_programs(const struct fth_proxy_parts *parts);
/* What starts them and waits for them: before all functions. */
void fth_proxy_put_program_helpers(const struct fth_writing *writing, FILE *to);
/* At the beginning of main, and at its end. */
void fth_proxy_put_program_begin(const struct fth_writing *writing, FILE *to);
void fth_proxy_put_program_end(const struct fth_writing *writing, FILE *to);

#endif
