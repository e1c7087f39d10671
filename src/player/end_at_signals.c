/* Signals that end a process: what a library does with the arguments of a call is not known before,
 * and a trace may have any. */
#include "player/player.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Only what is safe in a handler: no locks, no memory. */
static void end_at(int signal)
{
    const struct fth_script_op *op = fth_player_doing;
    const char *name = op ? fth_player_blob(fth_player.functions[op->function].name) : "";
    char text[400];
    int length =
        snprintf(text, sizeof text, "fathom replay: process %u was ended by signal %d%s%.200s\n",
                 fth_player.process, signal, *name ? " in its call of " : "", name);
    ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    (void)written;
    _exit(1);
}

void fth_player_catch_signals(void)
{
    static const int ends[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    struct sigaction end = {.sa_handler = end_at, .sa_flags = SA_NODEFER};
    struct sigaction nothing = {.sa_handler = SIG_IGN};
    sigemptyset(&end.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &end, NULL);
    /* the calls fail then, as all others do */
    sigaction(SIGPIPE, &nothing, NULL);
    sigaction(SIGXFSZ, &nothing, NULL);
}
