/* What of files others see, and what of others is seen. All functions are called with the lock of
 * the client. */
#ifndef FTH_PREFIX_PUBLISHING_H
#define FTH_PREFIX_PUBLISHING_H

#include "prefix/prefix.h"

/* What the process wrote is attached. false: errno is set. */
bool fth_prefix_publish(struct fth_client_file *file, int descriptor);
/* The same of all files. */
bool fth_prefix_publish_all(void);
/* The same, as there is no room for more in the buffer. */
bool fth_prefix_publish_early(void);
/* What others attached is asked for before it is read the next time. */
void fth_prefix_fetch(struct fth_client_file *file);
void fth_prefix_fetch_all(void);
/* What is attached of the file, NULL: of all files, is written to the folder below, and forgotten:
 * that is the truth until somebody writes again. false: errno is set. */
bool fth_prefix_settle(struct fth_client_file *file);

#endif
