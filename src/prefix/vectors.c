/* Vectors of pieces. */
#include "prefix/vectors.h"

#include "prefix/program_memory.h"

#include <errno.h>
#include <limits.h>

int64_t fth_vector_bytes(const struct iovec *pieces, int count)
{
    uint64_t bytes = 0;
    if (count < 0 || count > IOV_MAX) {
        errno = EINVAL;
        return -1;
    }
    size_t listed = (size_t)count * sizeof *pieces;
    if (fth_memory_there(pieces, listed, false) < listed) {
        errno = EFAULT;
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

int64_t fth_vector_usable(const struct iovec *pieces, int count, int64_t bytes)
{
    int64_t usable = 0;
    for (int i = 0; i < count && usable < bytes; i++) {
        size_t there = fth_memory_there(pieces[i].iov_base, pieces[i].iov_len, false);
        usable += (int64_t)there;
        if (there < pieces[i].iov_len)
            break;
    }
    if (!usable && bytes)
        errno = EFAULT;
    return usable < bytes ? usable : bytes;
}
