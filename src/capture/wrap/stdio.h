/* What stdio does underneath its streams. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_STDIO_H
#define FTH_CAPTURE_WRAP_STDIO_H

#include <stdbool.h>

/* From here on, what stdio does underneath its streams is recorded as calls of its own (stdio_read,
 * ...). False: this libc does not let us. */
bool fth_stdio_see(void);
/* libc's tables get back what was in them. */
void fth_stdio_unsee(void);
/* Is it? Then descriptors are given up when stdio closes them. */
extern bool fth_stdio_is_seen;

/* A stream was opened. `is_own`: it opened the descriptor itself. */
void fth_stdio_opened(const void *stream, bool is_own);
/* The program knows a stream's descriptor by its number, and may use it. */
void fth_stdio_shared(int descriptor);
/* This process is about to be copied: both will have all its streams. */
void fth_stdio_copied(void);

#endif
