/* Vectors of pieces. */
#include "prefix/vectors.h"

#include <errno.h>
#include <limits.h>

int64_t fth_vector_bytes(const struct iovec *pieces, int count)
{
    uint64_t bytes = 0;
    if (count < 0 || count > IOV_MAX) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < count; i++) {
        bytes += pieces[i].iov_len;
        if (pieces[i].iov_len > SSIZE_MAX || bytes > SSIZE_MAX) {
            errno = EINVAL;
            return -1;
        }
    }
    return (int64_t)(bytes < FTH_VECTOR_MOST ? bytes : FTH_VECTOR_MOST);
}

bool fth_vector_is_within(int64_t offset, int64_t bytes)
{
    if (offset <= INT64_MAX - bytes)
        return true;
    errno = EINVAL;
    return false;
}

enum { PAGE = 4096 };

bool fth_vector_is_nowhere(const struct iovec *piece)
{
    uintptr_t at = (uintptr_t)piece->iov_base;
    return piece->iov_len && (at < PAGE || at >= (uintptr_t)-PAGE);
}

int fth_vector_usable(const struct iovec *pieces, int count)
{
    int usable = 0;
    while (usable < count && !fth_vector_is_nowhere(&pieces[usable]))
        usable++;
    return usable;
}
