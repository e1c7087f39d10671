/* Files that are given to the system. */
#include "prefix/given_files.h"

#include "prefix/fresh_bytes.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool write_interval(int writer, const struct fth_interval *interval)
{
    const uint8_t *from = fth_own_buffer_at(&fth_client.buffer, interval->place);
    for (uint64_t at = interval->begin; at < interval->end;) {
        long count = syscall(SYS_pwrite64, writer, from + (at - interval->begin),
                             interval->end - at, at);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? (uint64_t)count : 0;
    }
    return true;
}

bool fth_prefix_write_given(struct fth_client_file *file, int descriptor)
{
    struct fth_interval interval;
    int writer = fth_prefix_writer_of(file, descriptor);
    writer = writer < 0 ? fth_prefix_any_writer(file) : writer;
    for (uint64_t at = 0; fth_intervals_find(&file->own, at, &interval); at = interval.end)
        if (!(interval.state & FTH_OWN_ATTACHED) && !write_interval(writer, &interval))
            return false;
    fth_intervals_free(&file->own);
    fth_intervals_free(&file->attached);
    fth_intervals_free(&file->seen);
    fth_prefix_fresh_clear(file);
    file->is_written = false;
    return true;
}
