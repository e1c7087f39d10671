/* Instructions of x86-64 (Intel, Software Developer's Manual, volume 2, appendix A). */
#include "prefix/machine_code.h"

#include <string.h>

enum { REX_W = 8 };

/* What stands behind an opcode. */
enum behind {
    NO = 0,    /* it is no instruction, or one that we do not know */
    BARE = 1,  /* nothing */
    MOD = 2,   /* a ModRM byte */
    BYTE = 4,  /* an immediate of one byte */
    WORD = 8,  /* of two */
    LONG = 16, /* of four, or two if the operands have 16 bits */
    FAR = 32,  /* a distance of four, always */
    WIDE = 64, /* of as many as the operand has */
};
enum { MODB = MOD | BYTE, MODL = MOD | LONG };

/* clang-format off */
static const uint8_t plain[256] = {
/* 00 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 08 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 10 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 18 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 20 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 28 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 30 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 38 */ MOD, MOD, MOD, MOD, BYTE, LONG, NO, NO,
/* 40 */ NO, NO, NO, NO, NO, NO, NO, NO,
/* 48 */ NO, NO, NO, NO, NO, NO, NO, NO,
/* 50 */ BARE, BARE, BARE, BARE, BARE, BARE, BARE, BARE,
/* 58 */ BARE, BARE, BARE, BARE, BARE, BARE, BARE, BARE,
/* 60 */ NO, NO, NO, MOD, NO, NO, NO, NO,
/* 68 */ LONG, MODL, BYTE, MODB, BARE, BARE, BARE, BARE,
/* 70 */ BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE,
/* 78 */ BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE,
/* 80 */ MODB, MODL, NO, MODB, MOD, MOD, MOD, MOD,
/* 88 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 90 */ BARE, BARE, BARE, BARE, BARE, BARE, BARE, BARE,
/* 98 */ BARE, BARE, NO, BARE, BARE, BARE, BARE, BARE,
/* a0 */ NO, NO, NO, NO, BARE, BARE, BARE, BARE,
/* a8 */ BYTE, LONG, BARE, BARE, BARE, BARE, BARE, BARE,
/* b0 */ BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE,
/* b8 */ WIDE, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE,
/* c0 */ MODB, MODB, WORD, BARE, NO, NO, MODB, MODL,
/* c8 */ WORD | BYTE, BARE, WORD, BARE, BARE, BYTE, NO, BARE,
/* d0 */ MOD, MOD, MOD, MOD, NO, NO, NO, BARE,
/* d8 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* e0 */ BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE, BYTE,
/* e8 */ FAR, FAR, NO, BYTE, BARE, BARE, BARE, BARE,
/* f0 */ NO, BARE, NO, NO, BARE, BARE, MOD, MOD,
/* f8 */ BARE, BARE, BARE, BARE, BARE, BARE, MOD, MOD,
};

/* Behind 0f. Those of 38 and 3a are read by themselves. */
static const uint8_t code_0f[256] = {
/* 00 */ MOD, MOD, MOD, MOD, NO, BARE, BARE, BARE,
/* 08 */ BARE, BARE, NO, BARE, NO, MOD, BARE, MODB,
/* 10 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 18 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 20 */ MOD, MOD, MOD, MOD, NO, NO, NO, NO,
/* 28 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 30 */ BARE, BARE, BARE, BARE, BARE, BARE, NO, BARE,
/* 38 */ NO, NO, NO, NO, NO, NO, NO, NO,
/* 40 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 48 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 50 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 58 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 60 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 68 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 70 */ MODB, MODB, MODB, MODB, MOD, MOD, MOD, BARE,
/* 78 */ MOD, MOD, NO, NO, MOD, MOD, MOD, MOD,
/* 80 */ FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR,
/* 88 */ FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR,
/* 90 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* 98 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* a0 */ BARE, BARE, BARE, MOD, MODB, MOD, MOD, MOD,
/* a8 */ BARE, BARE, BARE, MOD, MODB, MOD, MOD, MOD,
/* b0 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* b8 */ MOD, MOD, MODB, MOD, MOD, MOD, MOD, MOD,
/* c0 */ MOD, MOD, MODB, MOD, MODB, MODB, MODB, MOD,
/* c8 */ BARE, BARE, BARE, BARE, BARE, BARE, BARE, BARE,
/* d0 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* d8 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* e0 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* e8 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* f0 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
/* f8 */ MOD, MOD, MOD, MOD, MOD, MOD, MOD, MOD,
};
/* clang-format on */

struct reading {
    const uint8_t *at, *end;
    bool repeats;           /* prefixes f2, f3 */
    bool has_short_address; /* prefix 67 */
    struct fth_instruction *found;
};

static int next(struct reading *reading)
{
    return reading->at < reading->end ? *reading->at++ : -1;
}

static int peek(const struct reading *reading)
{
    return reading->at < reading->end ? *reading->at : -1;
}

static bool skip(struct reading *reading, size_t bytes)
{
    bool there = (size_t)(reading->end - reading->at) >= bytes;
    reading->at += there ? bytes : 0;
    return there;
}

static void read_prefixes(struct reading *reading)
{
    static const uint8_t prefixes[] = {0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e,
                                       0x36, 0x3e, 0x26, 0x64, 0x65};
    int byte;
    while ((byte = peek(reading)) >= 0 && memchr(prefixes, byte, sizeof prefixes)) {
        reading->found->is_short |= byte == 0x66;
        reading->repeats |= byte == 0xf2 || byte == 0xf3;
        reading->has_short_address |= byte == 0x67;
        reading->at++;
    }
    if (byte >= 0x40 && byte <= 0x4f) {
        reading->found->has_rex = true;
        reading->found->rex = (uint8_t)(byte & 0xf);
        reading->at++;
    }
}

/* With what it says stands behind it. */
static bool read_modrm(struct reading *reading)
{
    int modrm = next(reading), sib = 0;
    if (modrm < 0)
        return false;
    unsigned mod = (unsigned)modrm >> 6, rm = (unsigned)modrm & 7;
    reading->found->modrm = (uint8_t)modrm;
    if (mod == 3)
        return true;
    if (rm == 4 && (sib = next(reading)) < 0)
        return false;
    bool is_far = mod == 2 || (!mod && (rm == 5 || (rm == 4 && (sib & 7) == 5)));
    return skip(reading, is_far ? 4 : mod);
}

static bool read_immediate(struct reading *reading, size_t size)
{
    reading->found->immediate = reading->at;
    reading->found->immediate_size = (uint8_t)size;
    return skip(reading, size);
}

static size_t immediate_size(const struct fth_instruction *found, unsigned behind)
{
    size_t long_size = found->is_short && !(found->rex & REX_W) ? 2 : 4, size = 0;
    size += behind & BYTE ? 1 : 0;
    size += behind & WORD ? 2 : 0;
    size += behind & FAR ? 4 : 0;
    size += behind & LONG ? long_size : 0;
    size += behind & WIDE ? (found->rex & REX_W ? 8 : long_size) : 0;
    return size;
}

static bool read_behind(struct reading *reading, unsigned behind)
{
    if (behind == NO || (behind & MOD && !read_modrm(reading)))
        return false;
    size_t size = immediate_size(reading->found, behind);
    return !size || read_immediate(reading, size);
}

/* Of vectors, by the maps of VEX and EVEX: 1 is 0f, 2 is 0f 38, 3 is 0f 3a; 5 and 6 are of numbers
 * of 16 bits. */
static bool read_vector(struct reading *reading, unsigned map, bool has_bare)
{
    int opcode = next(reading);
    if (opcode < 0)
        return false;
    reading->found->map = FTH_OTHER_CODE;
    reading->found->opcode = (uint8_t)opcode;
    reading->found->is_short = false;
    switch (map) {
    case 1:
        if (opcode == 0x77)
            return has_bare;
        return read_behind(reading, MOD | (code_0f[opcode] & BYTE));
    case 2:
    case 5:
    case 6:
        return read_behind(reading, MOD);
    case 3:
        return read_behind(reading, MODB);
    default:
        return false;
    }
}

static bool read_vex(struct reading *reading, int first)
{
    int second = next(reading), map = 1;
    if (second < 0)
        return false;
    if (first == 0xc4) {
        map = second & 0x1f;
        if (next(reading) < 0)
            return false;
    }
    return read_vector(reading, (unsigned)map, true);
}

static bool read_evex(struct reading *reading)
{
    int second = next(reading);
    return second >= 0 && skip(reading, 2) && read_vector(reading, second & 7, false);
}

/* AMD's XOP, where it is not pop. */
static bool read_xop(struct reading *reading)
{
    enum { LAST_OF_POP = 7 };
    int second = peek(reading), opcode;
    if (second < 0 || (second & 0x1f) <= LAST_OF_POP)
        return read_behind(reading, plain[0x8f]);
    if (!skip(reading, 2) || (opcode = next(reading)) < 0)
        return false;
    reading->found->map = FTH_OTHER_CODE;
    reading->found->is_short = false;
    return read_behind(reading, (second & 0x1f) == 8 ? MODB : (second & 0x1f) == 9 ? MOD : MODL);
}

/* extrq and insertq have two bytes behind them. */
static bool read_0f(struct reading *reading)
{
    int opcode = next(reading);
    struct fth_instruction *found = reading->found;
    if (opcode < 0)
        return false;
    found->map = FTH_CODE_0F;
    found->opcode = (uint8_t)opcode;
    if (opcode == 0x38 || opcode == 0x3a) {
        found->map = FTH_OTHER_CODE;
        return next(reading) >= 0 && read_behind(reading, opcode == 0x38 ? MOD : MODB);
    }
    if (opcode == 0x78 && (found->is_short || reading->repeats))
        return read_behind(reading, MOD | WORD);
    return read_behind(reading, code_0f[opcode]);
}

/* test, of not, neg, mul and div, has an immediate. */
static bool read_group(struct reading *reading, int opcode)
{
    if (!read_modrm(reading))
        return false;
    bool is_test = (reading->found->modrm >> 3 & 7) < 2;
    return !is_test ||
           read_immediate(reading, immediate_size(reading->found, opcode == 0xf6 ? BYTE : LONG));
}

static bool read_opcode(struct reading *reading)
{
    int opcode = next(reading);
    if (opcode < 0)
        return false;
    reading->found->opcode = (uint8_t)opcode;
    switch (opcode) {
    case 0x0f:
        return read_0f(reading);
    case 0x62:
        return read_evex(reading);
    case 0x8f:
        return read_xop(reading);
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
        return skip(reading, reading->has_short_address ? 4 : 8);
    case 0xc4:
    case 0xc5:
        return read_vex(reading, opcode);
    case 0xf6:
    case 0xf7:
        return read_group(reading, opcode);
    default:
        return read_behind(reading, plain[opcode]);
    }
}

bool fth_instruction_read(const uint8_t *at, const uint8_t *end, struct fth_instruction *found)
{
    enum { MOST = 15 };
    struct reading reading = {at, end - at > MOST ? at + MOST : end, false, false, found};
    *found = (struct fth_instruction){.length = 0};
    read_prefixes(&reading);
    if (!read_opcode(&reading))
        return false;
    found->length = (uint8_t)(reading.at - at);
    return true;
}
