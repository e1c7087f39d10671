/* The flags that would change how the kernel writes (O_APPEND, O_DIRECT) are taken off descriptors
 * of files that live in the file system, as the server may write through such a descriptor, too
 * (fth_published_hold). They are kept in a field of the open file that travels with it wherever it
 * goes: the signal of F_SETSIG. */
#ifndef FTH_PREFIX_KEPT_FLAGS_H
#define FTH_PREFIX_KEPT_FLAGS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>

enum { FTH_PREFIX_DESCRIPTORS = 65536, FTH_PREFIX_KEPT = O_APPEND | O_DIRECT };

/* O_APPEND and O_DIRECT, as the program has set them; and the flags that the kernel has. */
int fth_prefix_flags(int descriptor);
void fth_prefix_set_flags(int descriptor, int flags);
int fth_prefix_kernel_flags(int descriptor);
/* Has it O_APPEND? With the lock of the client. The system is asked only where somebody on this
 * node has changed such flags of any file since: processes count these changes in the file
 * `changes` of the instance. */
bool fth_prefix_appends(int descriptor);
/* Finds that file, or makes it. */
void fth_prefix_begin_flags(int folder);
/* The descriptor is another one from now on. */
void fth_prefix_forget_flags(int descriptor);

#endif
