/* The first signal that asks for the end: see the header. */
#include "cmd/shared/interrupted.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted, passed_to;

static void interrupt(int number)
{
    int before = errno;
    interrupted = number;
    if (passed_to)
        kill(passed_to, number);
    errno = before;
}

void fth_cmd_watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], &action, &before) && before.sa_handler == SIG_IGN)
            sigaction(numbers[i], &before, NULL);
}

int fth_cmd_interrupted(void)
{
    return interrupted;
}

void fth_cmd_pass_signals(pid_t to)
{
    passed_to = to;
    if (passed_to && interrupted)
        kill(passed_to, interrupted);
}

void fth_cmd_end_interrupted(void)
{
    if (!interrupted)
        return;
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}
