/* Numbers with their units, as people write them: "96 MiB/s", "0.2 ms", "2660 MHz". */
#ifndef FTH_SIM_TEXT_UNITS_H
#define FTH_SIM_TEXT_UNITS_H

#include "base/error.h"

#include <stdint.h>

enum fth_sim_quantity {
    FTH_SIM_COUNT,     /* 12 */
    FTH_SIM_BYTES,     /* 64 KiB: bytes; a unit is needed, as with all that follow */
    FTH_SIM_RATE,      /* 96 MiB/s: bytes per second */
    FTH_SIM_TIME,      /* 0.2 ms: nanoseconds */
    FTH_SIM_FREQUENCY, /* 2660 MHz: per second */
};

/* The value of `text` in the smallest unit, exact where it is whole, else cut off. -1: *error says
 * what is wrong. */
int fth_sim_parse(const char *text, enum fth_sim_quantity quantity, uint64_t *value,
                  struct fth_error **error);

#endif
