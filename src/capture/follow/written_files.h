/* Files of programs and of the system that the run itself writes. Inner header of the capture
 * room. */
#ifndef FTH_CAPTURE_FOLLOW_WRITTEN_FILES_H
#define FTH_CAPTURE_FOLLOW_WRITTEN_FILES_H

#include <stdbool.h>

/* The file, which would be left out, is written, or becomes another one: calls on it are recorded
 * from now on. False: they are not, and that is noted. */
bool fth_file_is_written(const char *path);
/* Has some process on this node said so? If not, a call on it is left out, which `reads` it. */
bool fth_file_was_written(const char *path, bool reads);

#endif
