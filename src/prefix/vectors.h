/* Vectors of pieces that a program gives to read and write. */
#ifndef FTH_PREFIX_VECTORS_H
#define FTH_PREFIX_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

enum { FTH_VECTOR_MOST = 0x7ffff000 }; /* bytes of one call, as the kernel has it */

/* The bytes of all pieces, at most FTH_VECTOR_MOST; -1: errno is set. */
int64_t fth_vector_bytes(const struct iovec *pieces, int count);
/* Are bytes from this offset on before the greatest one that there is? false: errno is set. */
bool fth_vector_is_within(int64_t offset, int64_t bytes);
/* How many of these bytes come before the first that is at no memory; 0: errno is EFAULT, unless
 * `bytes` is 0. */
int64_t fth_vector_usable(const struct iovec *pieces, int count, int64_t bytes);

#endif
