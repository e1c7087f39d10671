/* The folder of a replay: it holds its files, and, while the replay runs, its scripts. */
#ifndef FTH_CMD_REPLAY_TARGET_H
#define FTH_CMD_REPLAY_TARGET_H

#include "repeat/what/file_places.h"

/* Touches nothing. Is there a folder that it can be made in, is it empty if it is there, is there
 * space for the files that must be there before? -1 and *error: no. */
int fth_replay_check_target(const char *into, const struct fth_repeat_places *places,
                            struct fth_error **error);
/* Makes it, with the folders and files that must be there before the first call. */
int fth_replay_make_files(const char *into, const struct fth_repeat_places *places,
                          struct fth_error **error);
/* Removes the files that were made in it, and itself if `is_new`: it was made for them. */
void fth_replay_remove_files(const char *into, bool is_new, const struct fth_repeat_places *places);
/* Removes the folder with all in it. */
void fth_replay_remove(const char *folder);

#endif
