/* CUDA has no wrappers: what it does is told by CUPTI (capture/cuda). */
#include "capture/wrap_bound.h"
