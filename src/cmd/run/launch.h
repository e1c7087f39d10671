/* Runs a command as if nobody stood between it and its caller, and ends as it did. */
#ifndef FTH_CMD_RUN_LAUNCH_H
#define FTH_CMD_RUN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A variable of the command's environment; value NULL: taken out. */
struct fth_setting {
    const char *name;
    char *value;
};

struct fth_outcome {
    pid_t pid;
    int exec_error;     /* errno when the command could not be started, else 0 */
    int status;         /* as from waitpid, once */
    int64_t start, end; /* ns since 1970; the end 0 as long as it runs */
    int64_t duration;   /* ns */
};

/* Runs argv with these settings (ended by a NULL name) and waits. The command has the descriptors,
 * the signal mask and the signal dispositions that we were started with. Meanwhile signals that a
 * terminal sends to both are left to the command, and signals that somebody sends to us are passed
 * on to it. `dies_with_us`: when we are killed, so is the command. `meanwhile` is called when it
 * runs; it takes a few milliseconds at most, in which no signal is passed on. -1: there could be no
 * process for the command, errno says why. */
int fth_launch(char *const *argv, const struct fth_setting *settings, bool dies_with_us,
               void (*meanwhile)(void), struct fth_outcome *outcome);

/* Its status, as from waitpid: for who is called meanwhile and cannot go on. */
int fth_launch_wait(pid_t child);

/* The exit status that shells use for a command that could not be started. */
int fth_launch_status_of_error(int exec_error);

/* Ends this process as the command ended: returns its exit status, or dies of the same signal,
 * without a core dump. */
int fth_launch_end_alike(int status);

#endif
