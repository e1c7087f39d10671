/* Which consistency model a file has that a program opens: by the name that it has then. */
#ifndef FTH_PREFIX_MODEL_CHOICE_H
#define FTH_PREFIX_MODEL_CHOICE_H

#include "prefix/prefix.h"

/* The file is opened by this name, from the folder below, and has the model of it then. With the
 * lock of the client. false: it has another one already, which is said on standard error; errno is
 * EINVAL. */
bool fth_prefix_choose_model(struct fth_client_file *file, const char *name);
/* Asked before a call that makes or cuts off a file, by a path of the folder below and the flags of
 * open: it is refused before it has done so. Without the lock. false: as above. */
bool fth_prefix_may_open(int directory, const char *path, int flags);

#endif
