/* A program or library as it would be in memory, to look at it before the linker loads it. */
#ifndef FTH_PREFIX_CODE_FILE_H
#define FTH_PREFIX_CODE_FILE_H

#include "prefix/code_functions.h"

enum { FTH_CODE_PARTS = 64 };

struct fth_code_file {
    struct fth_code code;
    ElfW(Phdr) parts[FTH_CODE_PARTS];
    void *map;
    size_t length;
};

/* Maps its parts to read. Ends with fth_code_file_unmap. false: it cannot be read, or is none of
 * this machine. */
bool fth_code_file_map(int file, struct fth_code_file *mapped);
void fth_code_file_unmap(struct fth_code_file *mapped);

#endif
