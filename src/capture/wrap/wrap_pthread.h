/* What the generated wrappers of threads and their locks need. */
#ifndef FTH_CAPTURE_WRAP_WRAP_PTHREAD_H
#define FTH_CAPTURE_WRAP_WRAP_PTHREAD_H

#include "capture/follow/library_handles.h"
#include "capture/wrap/wrap_libc.h"

#include <time.h>

#endif
