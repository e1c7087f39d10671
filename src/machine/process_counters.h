/* The counters of one process: each function takes the text of one of its files in /proc. */
#ifndef FTH_MACHINE_PROCESS_COUNTERS_H
#define FTH_MACHINE_PROCESS_COUNTERS_H

#include "machine/reading.h"

/* /proc/PID/stat. Fills *born, when it was started in ticks since the node was: it distinguishes
 * the process from later ones with its number. False: that is no such text, or the process is a
 * zombie; then nothing is handed on. */
bool fth_process_stat(const char *stat, uint64_t *born, const struct fth_taker *taker);
/* /proc/PID/status: switches of its first thread. */
void fth_process_switches(const char *status, const struct fth_taker *taker);
/* /proc/PID/io: what went to and came from storage. */
void fth_process_io(const char *io, const struct fth_taker *taker);

#endif
