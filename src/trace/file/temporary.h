/* Files that become others when they are whole: PATH.PID.tmp beside PATH, of the process PID that
 * writes it. */
#ifndef FTH_TRACE_FILE_TEMPORARY_H
#define FTH_TRACE_FILE_TEMPORARY_H

/* Its name; to be freed. */
char *fth_temporary_name(const char *path, long pid);

/* Makes it, for reading and writing, locked as long as it is open; before that removes those beside
 * `path` whose process was killed. -1: errno says why. */
int fth_temporary_open(const char *path, const char *name);

#endif
