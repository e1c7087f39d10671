/* Files of programs and of the system that the run itself writes. Inner header of the capture
 * room. */
#ifndef FTH_CAPTURE_FOLLOW_WRITTEN_FILES_H
#define FTH_CAPTURE_FOLLOW_WRITTEN_FILES_H

#include "capture/follow/descriptor_identity.h"

#include <stdbool.h>

/* The file, which would be left out, is written, or becomes another one: calls on it are recorded
 * from now on. False: they are not, and that is noted. */
bool fth_file_is_written(const char *path);
/* Has some process on this node said so? If not, a call on it is left out, which `reads` it. */
bool fth_file_was_written(const char *path, bool reads);
/* The same of a file with several names, which is recorded under this one. */
void fth_names_are_written(const struct fth_identity_known *file, const char *path);
bool fth_names_were_written(const struct fth_identity_known *file);

#endif
