/* Signals that ask a command for its end (SIGINT, SIGTERM, SIGHUP): it notes the first one, removes
 * what it has made of its own, and then ends of it. A second one ends the command at once. */
#ifndef FTH_CMD_INTERRUPTED_H
#define FTH_CMD_INTERRUPTED_H

#include <sys/types.h>

/* From then on. Signals that are ignored stay so. */
void fth_cmd_watch_signals(void);
/* Which one came; 0: none. */
int fth_cmd_interrupted(void);
/* It is passed on to this process, or to the group of `-to`; 0: to none. One that came before is,
 * too. */
void fth_cmd_pass_signals(pid_t to);
/* Ends the process of the signal that came, if one did. */
void fth_cmd_end_interrupted(void);

#endif
