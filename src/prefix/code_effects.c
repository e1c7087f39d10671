/* What instructions of x86-64 do. */
#include "prefix/machine_code.h"

#include <string.h>

enum { REX_B = 1, REX_R = 4 };

int64_t fth_instruction_value(const struct fth_instruction *instruction)
{
    uint64_t value = 0;
    unsigned size = instruction->immediate_size, unused = 64 - 8 * size;
    if (!size || size > sizeof value)
        return 0;
    memcpy(&value, instruction->immediate, size);
    return (int64_t)(value << unused) >> unused;
}

bool fth_instruction_is_jump(const struct fth_instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    if (instruction->map == FTH_CODE_0F)
        return opcode >= 0x80 && opcode <= 0x8f;
    return instruction->map == FTH_PLAIN_CODE &&
           ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xe0 && opcode <= 0xe3) ||
            opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb);
}

static unsigned group(const struct fth_instruction *instruction)
{
    return instruction->modrm >> 3 & 7;
}

bool fth_instruction_ends(const struct fth_instruction *instruction)
{
    static const uint8_t opcodes[] = {0xc2, 0xc3, 0xca, 0xcb, 0xcc, 0xcf, 0xe9, 0xeb, 0xf4};
    enum { JUMP = 4, FAR_JUMP = 5, UNDEFINED = 0x0b };
    if (instruction->map == FTH_CODE_0F)
        return instruction->opcode == UNDEFINED;
    return instruction->map == FTH_PLAIN_CODE &&
           (memchr(opcodes, instruction->opcode, sizeof opcodes) ||
            (instruction->opcode == 0xff &&
             (group(instruction) == JUMP || group(instruction) == FAR_JUMP)));
}

bool fth_instruction_is_system_call(const struct fth_instruction *instruction)
{
    enum { SYSCALL = 0x05, SYSENTER = 0x34, INT = 0xcd, OF_LINUX = 0x80 };
    if (instruction->map == FTH_CODE_0F)
        return instruction->opcode == SYSCALL || instruction->opcode == SYSENTER;
    return instruction->map == FTH_PLAIN_CODE && instruction->opcode == INT &&
           *instruction->immediate == OF_LINUX;
}

bool fth_instruction_sets_eax(const struct fth_instruction *instruction, uint32_t *value)
{
    uint8_t opcode = instruction->opcode;
    *value = 0;
    if (instruction->map != FTH_PLAIN_CODE || instruction->is_short ||
        instruction->rex & (REX_B | REX_R))
        return false;
    if (opcode == 0xb8 || (opcode == 0xc7 && instruction->modrm == 0xc0)) {
        *value = (uint32_t)fth_instruction_value(instruction);
        return true;
    }
    return instruction->modrm == 0xc0 &&
           (opcode == 0x31 || opcode == 0x33 || opcode == 0x29 || opcode == 0x2b);
}

/* Of a byte, register 4 may be ah. */
static bool is_rax(const struct fth_instruction *instruction, unsigned low, unsigned upper)
{
    bool is_ah = low == 4 && !(instruction->opcode & 1) && !instruction->has_rex;
    return (!low || is_ah) && !(instruction->rex & upper);
}

static bool keeps_register(const struct fth_instruction *instruction)
{
    return !is_rax(instruction, group(instruction), REX_R);
}

static bool keeps_operand(const struct fth_instruction *instruction)
{
    return instruction->modrm >> 6 != 3 || !is_rax(instruction, instruction->modrm & 7, REX_B);
}

/* add, or, adc, sbb, and, sub, xor, cmp. */
static bool keeps_by_arithmetic(const struct fth_instruction *instruction)
{
    enum { TO_OPERAND = 2, TO_REGISTER = 4, COMPARE = 0x38 };
    unsigned form = instruction->opcode & 7;
    if (instruction->opcode >= COMPARE)
        return true;
    return form < TO_OPERAND    ? keeps_operand(instruction)
           : form < TO_REGISTER ? keeps_register(instruction)
                                : false;
}

static bool keeps_plain(const struct fth_instruction *instruction)
{
    enum { INCREASE = 0, DECREASE = 1, PUSH = 6, COMPARE = 7, TEST = 1, NEGATE = 3 };
    unsigned opcode = instruction->opcode, of = group(instruction);
    if (opcode < 0x40)
        return keeps_by_arithmetic(instruction);
    switch (opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
        return of == COMPARE || keeps_operand(instruction);
    case 0x88:
    case 0x89:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xc7:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return keeps_operand(instruction);
    case 0x63:
    case 0x69:
    case 0x6b:
    case 0x8a:
    case 0x8b:
    case 0x8d:
        return keeps_register(instruction);
    case 0x68:
    case 0x6a:
    case 0x84:
    case 0x85:
    case 0xa8:
    case 0xa9:
    case 0xeb:
    case 0xe9:
        return true;
    case 0xf6:
    case 0xf7:
        return of <= TEST || (of <= NEGATE && keeps_operand(instruction));
    case 0xfe:
    case 0xff:
        return of == PUSH || (of <= DECREASE && keeps_operand(instruction));
    default:
        break;
    }
    if (opcode == 0x90) /* exchanges registers */
        return !(instruction->rex & REX_B);
    if (opcode >= 0x58 && opcode <= 0x5f) /* pop */
        return opcode != 0x58 || instruction->rex & REX_B;
    if (opcode >= 0xb0 && opcode <= 0xbf)
        return (opcode & 7 && (opcode != 0xb4 || instruction->has_rex)) || instruction->rex & REX_B;
    return (opcode >= 0x50 && opcode <= 0x57) || (opcode >= 0x70 && opcode <= 0x7f);
}

static bool keeps_0f(const struct fth_instruction *instruction)
{
    unsigned opcode = instruction->opcode;
    if (opcode == 0xb6 || opcode == 0xb7 || opcode == 0xbe || opcode == 0xbf || opcode == 0xaf ||
        (opcode >= 0x40 && opcode <= 0x4f))
        return group(instruction) || instruction->rex & REX_R;
    if (opcode == 0x1e) /* endbr64; others read a register of the shadow stack */
        return instruction->modrm == 0xfa;
    return (opcode >= 0x10 && opcode <= 0x1f) || opcode == 0x28 || opcode == 0x29 ||
           (opcode >= 0x80 && opcode <= 0x8f);
}

bool fth_instruction_keeps_rax(const struct fth_instruction *instruction)
{
    return instruction->map == FTH_PLAIN_CODE
               ? keeps_plain(instruction)
               : instruction->map == FTH_CODE_0F && keeps_0f(instruction);
}
