/* Instructions of x86-64, as far as it matters where they end, what they do to the register of
 * numbers of system calls, and where they jump to. */
#ifndef FTH_PREFIX_MACHINE_CODE_H
#define FTH_PREFIX_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_instruction {
    uint8_t length;
    enum { FTH_PLAIN_CODE, FTH_CODE_0F, FTH_OTHER_CODE } map; /* that the opcode is of */
    uint8_t opcode;
    bool is_short; /* the operands have 16 bits */
    bool has_rex;
    uint8_t rex;   /* its bits W, R, X, B */
    uint8_t modrm; /* 0: there is none */
    const uint8_t *immediate;
    uint8_t immediate_size; /* 0: there is none */
};

/* Reads what begins at `at`. false: that is no instruction that is known, or ends behind `end`. */
bool fth_instruction_read(const uint8_t *at, const uint8_t *end, struct fth_instruction *found);
/* The immediate, with its sign. */
int64_t fth_instruction_value(const struct fth_instruction *instruction);
/* Does it jump to a place that it says itself? */
bool fth_instruction_is_jump(const struct fth_instruction *instruction);
/* Is what stands behind it not reached by it? */
bool fth_instruction_ends(const struct fth_instruction *instruction);
/* syscall, sysenter, int 0x80. */
bool fth_instruction_is_system_call(const struct fth_instruction *instruction);
/* Does it leave a constant in eax? */
bool fth_instruction_sets_eax(const struct fth_instruction *instruction, uint32_t *value);
/* Is rax behind it certainly what it was before? */
bool fth_instruction_keeps_rax(const struct fth_instruction *instruction);

#endif
