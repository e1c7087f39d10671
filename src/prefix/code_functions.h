/* Where the functions of a loaded object begin and end: the table that unwinds the stack has all
 * that compilers made (Linux Standard Base, .eh_frame_hdr), also of objects without symbols. */
#ifndef FTH_PREFIX_CODE_FUNCTIONS_H
#define FTH_PREFIX_CODE_FUNCTIONS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object in memory: its parts lie at `base` and their addresses. */
struct fth_code {
    uintptr_t base;
    const ElfW(Phdr) * parts;
    size_t part_count;
};

/* The function that has this byte, or what lies between the functions around it, which are known.
 * With `is_function`, it begins with an instruction of a function. */
struct fth_code_piece {
    const uint8_t *begin, *end;
    bool is_function;
};

/* `part`: the one that has the byte. */
struct fth_code_piece fth_code_piece_at(const struct fth_code *code, const ElfW(Phdr) * part,
                                        const uint8_t *at);

#endif
