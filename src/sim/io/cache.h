/* What servers do with requests between network and disk. Tasks wait in a server; its cache layer
 * says which data may enter, and which tasks go to the disk next, several of them as one operation.
 * A new layer is one more row of the table in cache.c.
 *
 *     NoCache             in the order of arrival, reads first; a write is only taken when none is
 *                         there
 *     WriteBehind         writes are taken as long as there is memory
 *     Aggregation         tasks that touch the oldest one go with it
 *     AggregationReorder  reads and writes in turns; each time what is first in its file, with what
 *     touches it
 *     ServerDirected      the same; what is written is fetched from clients in the order of the
 *                         disk (directed.c)
 *     WriteBack           what is written stays in memory until it must go (write_back.c)
 *
 * (Kunkel 2013, section 5.4.5.) */
#ifndef FTH_SIM_CACHE_H
#define FTH_SIM_CACHE_H

#include "sim/io/serving.h"

/* NULL: there is none of that name. */
const struct fth_sim_cache *fth_sim_cache(const char *name);
/* Their names, one after the other; NULL: no more. */
const char *fth_sim_cache_name(size_t index);

#endif
