/* The state of the player, and how it gives up. */
#include "player/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

_Thread_local const struct fth_script_op *fth_player_doing;
struct fth_player fth_player = {.lock = PTHREAD_MUTEX_INITIALIZER};

void fth_player_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("fathom replay: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    if (fth_player.abort)
        fth_player.abort();
    _exit(1);
}

int64_t fth_player_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
