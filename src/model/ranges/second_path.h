/* The second path of a call that names two: rename, link. */
#ifndef FTH_MODEL_RANGES_SECOND_PATH_H
#define FTH_MODEL_RANGES_SECOND_PATH_H

/* Absolute as the first one is known to be: `whole` is that, and ends in `given`; `other` is the
 * second one as it was given. NULL: it cannot be known, or one of them is NULL. To be freed. */
char *fth_second_path(const char *whole, const char *given, const char *other);

#endif
