/* Which server of an instance of the file system knows who has what: a fixed rule, by which every
 * server finds it without asking, and by which the simulator places requests. A file has a home, by
 * its name in messages, which knows its end; what lies behind its first 64 MiB belongs, in blocks
 * of 64 MiB, to other servers. */
#ifndef FTH_HOLDERS_SHARE_RULE_H
#define FTH_HOLDERS_SHARE_RULE_H

#include <stddef.h>
#include <stdint.h>

enum { FTH_SHARE_SHIFT = 26 };

static inline uint64_t fth_share_block(uint64_t offset)
{
    return offset >> FTH_SHARE_SHIFT;
}

/* The server of a block, of so many. FNV-1a (Fowler, Noll, Vo), mixed (Steele et al., 2014). */
static inline uint32_t fth_share_block_server(uint32_t servers, const char *file, size_t length,
                                              uint64_t block)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)file[i]) * 0x100000001b3;
    hash += block * 0x9e3779b97f4a7c15;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((hash ^ hash >> 31) % servers);
}

#endif
