/* Standard streams: see player.h. A stream keeps its buffer when dup2 makes its descriptor lead to
 * another file, and hands it there. */
#include "player/player.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { STANDARD = 3 };

/* by descriptor; NULL: none */
static FILE *streams[STANDARD];

int64_t fth_player_open_standard(int64_t stream_slot, int64_t descriptor, int *error)
{
    int file = (int)fth_player.slots[fth_player.plan->fd_class][descriptor];
    int flags = fcntl(file, F_GETFL);
    FILE *stream = NULL;
    if (flags >= 0) {
        flags &= O_ACCMODE;
        stream = fdopen(file, flags == O_WRONLY ? "w" : flags == O_RDWR ? "r+" : "r");
    }
    *error = errno;
    streams[descriptor] = stream;
    fth_player.slots[fth_player.plan->stream_class][stream_slot] = (int64_t)(uintptr_t)stream;
    return (int64_t)(uintptr_t)stream;
}

void fth_player_follow_descriptors(void)
{
    const struct fth_script_plan *plan = fth_player.plan;
    for (uint32_t i = 0; i < STANDARD && i < plan->class_sizes[plan->fd_class]; i++)
        if (streams[i])
            streams[i]->_fileno = (int)fth_player.slots[plan->fd_class][i];
}

void fth_player_forget_stream(int64_t stream)
{
    for (int i = 0; i < STANDARD; i++)
        if ((int64_t)(uintptr_t)streams[i] == stream)
            streams[i] = NULL;
}

static void forget_streams(void)
{
    for (int i = 0; i < STANDARD; i++)
        streams[i] = NULL;
}

void fth_player_close_on_exec(void)
{
    const struct fth_script_plan *plan = fth_player.plan;
    int64_t *slots = fth_player.slots[plan->fd_class];
    for (uint32_t i = 0; i < plan->class_sizes[plan->fd_class]; i++)
        if (slots[i] >= 0 && fcntl((int)slots[i], F_GETFD) == FD_CLOEXEC) {
            close((int)slots[i]);
            slots[i] = -1;
        }
    forget_streams();
}
