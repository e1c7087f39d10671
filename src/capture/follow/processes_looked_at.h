/* Looks at other processes in /proc, which is left out: they tell whether a process is over. Inner
 * header of the capture room. */
#ifndef FTH_CAPTURE_FOLLOW_PROCESSES_LOOKED_AT_H
#define FTH_CAPTURE_FOLLOW_PROCESSES_LOOKED_AT_H

/* This absolute path is left out. Notes the process that it is of, once. */
void fth_process_is_looked_at(const char *path);

#endif
