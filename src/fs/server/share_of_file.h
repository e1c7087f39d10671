/* Which server of an instance a block of a file belongs to (holders/share_rule.h). Files that are
 * known by their path are whole at their home. Inner header of the fs room. */
#ifndef FTH_FS_SHARE_OF_FILE_H
#define FTH_FS_SHARE_OF_FILE_H

#include "fs/protocol/held_files.h"
#include "holders/share_rule.h"

static inline uint32_t fth_share_server(uint32_t servers, const char *file, size_t length,
                                        uint64_t block)
{
    return fth_share_block_server(servers, file, length,
                                  fth_held_is_identity(file, length) ? block : 0);
}

#endif
