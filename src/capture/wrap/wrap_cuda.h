/* CUDA has no wrappers: what it does is reported by CUPTI (capture/cuda). */
#include "capture/wrap/wrap_bound.h"
