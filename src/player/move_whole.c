/* Bytes through pipes. Who reads gets as many as in the run, whoever is faster now; who found the
 * end waits for it. A process that is not as patient as its partner is slow goes on without. */
#include "player/player.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Until there is something to read, or room; false: that took too long. */
static bool wait_for(int file, short event, int64_t until)
{
    struct pollfd waited = {.fd = file, .events = event};
    int found;
    do {
        int64_t left = (until - fth_player_now()) / 1000000;
        found = poll(&waited, 1, left < 0 ? 0 : left > 1000 ? 1000 : (int)left);
    } while (found <= 0 && fth_player_now() < until);
    return found > 0;
}

int64_t fth_player_move_whole(struct fth_player_thread *thread, const struct fth_script_op *op,
                              int file, int *error)
{
    bool reads = op->what == FTH_SCRIPT_READ;
    int64_t wanted = op->arguments[2], moved = 0, part = 0;
    int64_t until = fth_player_wait_limit();
    *error = file < 0 ? EBADF : 0;
    if (*error)
        return -1;
    while (moved < wanted) {
        if (!wait_for(file, reads ? POLLIN : POLLOUT, until)) {
            *error = ETIMEDOUT;
            fth_player.gave_up = true;
            break;
        }
        size_t rest = (size_t)(wanted - moved);
        part = reads ? read(file, thread->taken + moved, rest)
                     : write(file, fth_player.given + moved, rest);
        if (part < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        *error = part < 0 ? errno : 0;
        if (part <= 0)
            break;
        moved += part;
    }
    return moved || !*error ? moved : -1;
}
