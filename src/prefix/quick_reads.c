/* Reading without the lock. */
#include "prefix/quick_reads.h"

#include "fs/client/copy_bytes.h"
#include "fs/client/read_pieces.h"
#include "prefix/program_memory.h"

/* For more, the lock costs nothing. */
enum { MOST = 256 << 10 };

static uint64_t turn_now(void)
{
    return __atomic_load_n(&fth_prefix.turn, __ATOMIC_RELAXED);
}

bool fth_prefix_read_quickly(const struct fth_client_file *file, void *to, size_t size,
                             uint64_t offset)
{
    uint64_t turn = __atomic_load_n(&fth_prefix.turn, __ATOMIC_ACQUIRE);
    struct fth_own_window window;
    if (turn != __atomic_load_n(&file->window.turn, __ATOMIC_RELAXED) || size > MOST || !size ||
        fth_prefix_is_new_child() || fth_client.instance.chaos)
        return false;
    window.begin = __atomic_load_n(&file->window.begin, __ATOMIC_RELAXED);
    window.end = __atomic_load_n(&file->window.end, __ATOMIC_RELAXED);
    window.from = __atomic_load_n(&file->window.from, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (turn_now() != turn || offset < window.begin || offset >= window.end ||
        size > window.end - offset || fth_memory_there(to, size, true) != size)
        return false;
    fth_copy_bytes(to, window.from + (offset - window.begin), size);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return turn_now() == turn;
}

/* Does an access want more than to read? */
static bool is_plain(const struct fth_client_file *file)
{
    enum { MORE = FTH_AT_ACCESS | FTH_AT_BOUND };
    return !fth_prefix.is_strict && !(file->model->moments.fetches & MORE) &&
           !(file->model->moments.publishes & FTH_AT_BOUND);
}

void fth_prefix_open_window(struct fth_client_file *file, uint64_t offset)
{
    struct fth_interval own;
    if (!is_plain(file) || !fth_read_pieces_own(file, offset, &own))
        return;
    __atomic_store_n(&file->window.begin, own.begin, __ATOMIC_RELAXED);
    __atomic_store_n(&file->window.end, own.end, __ATOMIC_RELAXED);
    __atomic_store_n(&file->window.from, fth_own_buffer_at(&fth_client.buffer, own.place),
                     __ATOMIC_RELAXED);
    /* when the lock is left */
    __atomic_store_n(&file->window.turn, fth_prefix.turn + 1, __ATOMIC_RELAXED);
}
