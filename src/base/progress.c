/* The progress bar. The clock is looked at once per stride; the stride adapts to about 50 looks a
 * second, so that the cost per unit of work vanishes whatever a unit is. */
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define PATIENCE SECOND
#define BETWEEN_DRAWINGS (SECOND / 10)
#define BETWEEN_LOOKS (SECOND / 50)
#define WIDTH 30

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

void fth_progress_begin(struct fth_progress *progress, const char *what, uint64_t total)
{
    *progress = (struct fth_progress){.what = what, .total = total, .stride = 1};
    progress->enabled = isatty(STDERR_FILENO);
    progress->next_look = progress->enabled ? 1 : UINT64_MAX;
    progress->start = now();
}

static void draw_share(const struct fth_progress *progress, int64_t elapsed)
{
    double share = (double)progress->done / (double)progress->total;
    if (share > 1)
        share = 1;
    char bar[WIDTH + 1];
    int full = (int)(share * WIDTH);
    memset(bar, '=', (size_t)full);
    memset(bar + full, ' ', (size_t)(WIDTH - full));
    bar[WIDTH] = 0;
    double left = (double)elapsed / (double)SECOND * (1 - share) / (share > 0 ? share : 1);
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%, %.0f s left", progress->what, bar, share * 100,
            left);
}

void fth_progress_look(struct fth_progress *progress)
{
    int64_t time = now(), elapsed = time - progress->start;
    uint64_t per_look = (uint64_t)((double)progress->done * (double)BETWEEN_LOOKS /
                                   (double)(elapsed > 0 ? elapsed : 1));
    /* At most doubled, so that a burst at the start cannot put the next look far away. */
    progress->stride = per_look < 1                      ? 1
                       : per_look > 2 * progress->stride ? 2 * progress->stride
                                                         : per_look;
    progress->next_look = progress->done + progress->stride;
    if (elapsed < PATIENCE || time - progress->shown < BETWEEN_DRAWINGS)
        return;
    progress->shown = time;
    if (progress->total)
        draw_share(progress, elapsed);
    else
        fprintf(stderr, "\r\033[K%s: %llu", progress->what, (unsigned long long)progress->done);
    fflush(stderr);
}

void fth_progress_end(struct fth_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = 0;
    progress->next_look = UINT64_MAX;
}
