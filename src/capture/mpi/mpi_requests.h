/* Slots of requests that do not depend on the order in which requests end. Inner header of the
 * capture room. */
#ifndef FTH_CAPTURE_MPI_MPI_REQUESTS_H
#define FTH_CAPTURE_MPI_MPI_REQUESTS_H

#include <stdint.h>

enum { FTH_REQUESTS_FOLLOWED = 62 }; /* of an array; longer ones are kept as they are */

/* The slot for a new request of who has this name, an odd number; -1: any. */
int32_t fth_requests_choose(uint32_t name);
/* The program waits for the requests of an array, whose slots these are. Null handles get the slots
 * of those that stood there before; returns the bits of their places. */
uint64_t fth_requests_seen(const void *at, int32_t *slots, int64_t count);

#endif
