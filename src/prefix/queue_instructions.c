/* Looking for instructions that make queues. */
#include "prefix/queue_instructions.h"

#include "prefix/machine_code.h"

#include <string.h>
#include <sys/syscall.h>

#if defined __x86_64__

/* The bytes that may be a system call, up to `end`, from `at` on. */
static const uint8_t *next_bytes(const uint8_t *at, const uint8_t *end)
{
    enum { SYSCALL = 0x050f, SYSENTER = 0x340f, INT = 0x80cd };
    for (; end - at >= 2; at++) {
        unsigned both = at[0] | (unsigned)at[1] << 8;
        if (both == SYSCALL || both == SYSENTER || both == INT)
            return at;
    }
    return NULL;
}

/* Of 64 bits, of the same with pointers of 32 bits, of 32 bits. */
static bool is_number_of_queues(uint32_t number)
{
    uint32_t plain = number & ~(uint32_t)FTH_SHORT_POINTERS;
    return plain == SYS_io_uring_setup || plain == SYS_io_setup || plain == FTH_IO_SETUP_SHORT ||
           plain == FTH_IO_SETUP_32;
}

/* What is looked at, and how many more bytes may be read for it: what would take too long counts as
 * what cannot be read. */
struct search {
    const struct fth_code *code;
    const ElfW(Phdr) * part;
    uint64_t budget;
};
enum { BUDGET = 1 << 28 };

static bool spend(struct search *search, size_t bytes)
{
    bool can = bytes <= search->budget;
    search->budget -= can ? bytes : search->budget;
    return can;
}

/* A place in a function, or between functions. */
struct place {
    struct fth_code_piece of;
    const uint8_t *at;
};

/* What is known of the number where instructions have been read up to. */
struct number {
    bool is_constant;
    uint32_t value;
    const uint8_t *since; /* behind the instruction that set it */
};

static void step(struct number *number, const struct fth_instruction *instruction,
                 const uint8_t *behind)
{
    uint32_t value;
    if (fth_instruction_sets_eax(instruction, &value))
        *number = (struct number){true, value, behind};
    else if (fth_instruction_ends(instruction) || !fth_instruction_keeps_rax(instruction))
        number->is_constant = false;
}

enum reading { READ, WITHIN /* it is within an instruction */, UNREADABLE };

/* Does this instruction consist of prefixes, and the system call at the place? */
static bool is_call_at(const struct fth_instruction *instruction, const uint8_t *from,
                       const uint8_t *place)
{
    enum { CALL_BYTES = 2 };
    return fth_instruction_is_system_call(instruction) &&
           from + instruction->length == place + CALL_BYTES;
}

/* Reads from `from` to a place, or to a system call whose last bytes are there. */
static enum reading read_to(const uint8_t *from, const uint8_t *place, const uint8_t *end,
                            struct number *number)
{
    struct fth_instruction instruction;
    *number = (struct number){.is_constant = false};
    while (from < place) {
        if (!fth_instruction_read(from, end, &instruction))
            return UNREADABLE;
        if (is_call_at(&instruction, from, place))
            return READ;
        from += instruction.length;
        step(number, &instruction, from);
    }
    return from == place ? READ : WITHIN;
}

enum { NEAR = 256 /* bytes: what was read out of step is in step again */ };

/* Does what is at `to` lead to the place? Data may stand in the way between a jump and where it
 * leads, so that what is behind looks like other instructions. */
static bool leads(const struct place *place, const uint8_t *to)
{
    struct number number;
    return read_to(to, place->at, place->of.end, &number) == READ;
}

/* What stands between the last instruction and the page's end. */
static bool are_zeros(const uint8_t *at, const uint8_t *end)
{
    while (at < end && !*at)
        at++;
    return at == end;
}

/* Is there a jump in the function to [first, place] that leads there? What cannot be read may be
 * one. */
static bool has_jump(const struct place *place, const uint8_t *first)
{
    struct fth_instruction instruction;
    for (const uint8_t *at = place->of.begin; at < place->of.end; at += instruction.length) {
        if (!fth_instruction_read(at, place->of.end, &instruction))
            return !are_zeros(at, place->of.end);
        if (!fth_instruction_is_jump(&instruction))
            continue;
        const uint8_t *to = at + instruction.length + fth_instruction_value(&instruction);
        if (to >= first && to <= place->at && leads(place, to))
            return true;
    }
    return false;
}

/* The same of a jump or call over four bytes of distance in these bytes, wherever it begins. */
static bool has_far_jump(const uint8_t *at, const uint8_t *end, const struct place *place,
                         const uint8_t *first)
{
    enum { CALL = 0xe8, JUMP = 0xe9, CONDITION = 0x80, CONDITION_LAST = 0x8f, LENGTH = 5 };
    for (; end - at >= LENGTH; at++) {
        int32_t distance;
        if (*at != CALL && *at != JUMP && (*at < CONDITION || *at > CONDITION_LAST))
            continue;
        memcpy(&distance, at + 1, sizeof distance);
        const uint8_t *to = at + LENGTH + distance;
        if (to >= first && to <= place->at && leads(place, to))
            return true;
    }
    return false;
}

/* In all that is code. */
static bool has_jump_anywhere(struct search *search, const struct place *place,
                              const uint8_t *first)
{
    for (size_t i = 0; i < search->code->part_count; i++) {
        const ElfW(Phdr) *part = &search->code->parts[i];
        const uint8_t *begin = (const uint8_t *)(search->code->base + part->p_vaddr);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || !(part->p_flags & PF_R))
            continue;
        if (!spend(search, part->p_filesz) ||
            has_far_jump(begin, begin + part->p_filesz, place, first))
            return true;
    }
    return false;
}

/* The place is a system call. Is its number one of queues, or may it be? */
static bool may_have_number(struct search *search, const struct place *place,
                            const struct number *number)
{
    return !number->is_constant || is_number_of_queues(number->value) ||
           has_jump(place, number->since) || has_jump_anywhere(search, place, number->since);
}

/* The place is within another instruction, unless a jump leads there. */
static bool is_jumped_to(struct search *search, const struct place *place)
{
    const uint8_t *first = place->at - place->of.begin > NEAR ? place->at - NEAR : place->of.begin;
    return has_jump(place, first) ||
           (!place->of.is_function && has_jump_anywhere(search, place, first));
}

static bool makes_queue(struct search *search, const uint8_t *at)
{
    enum { MOST_BETWEEN = 1 << 20 };
    struct place place = {fth_code_piece_at(search->code, search->part, at), at};
    size_t length = (size_t)(place.of.end - place.of.begin);
    struct number number;
    if ((!place.of.is_function && length > MOST_BETWEEN) || !spend(search, length))
        return true;
    switch (read_to(place.of.begin, at, place.of.end, &number)) {
    case READ:
        return may_have_number(search, &place, &number);
    case WITHIN:
        return is_jumped_to(search, &place);
    default:
        return true;
    }
}

static bool part_makes_queues(const struct fth_code *code, const ElfW(Phdr) * part,
                              const uint8_t **where)
{
    struct search search = {code, part, BUDGET};
    const uint8_t *at = (const uint8_t *)(code->base + part->p_vaddr), *end = at + part->p_filesz;
    for (; (at = next_bytes(at, end)); at++)
        if (makes_queue(&search, at)) {
            *where = at;
            return true;
        }
    return false;
}

#else

enum { NEAR = 16 /* instructions */ };

/* svc, with any constant: Linux does not look at it. */
static bool is_system_call(uint32_t instruction)
{
    const uint32_t CALL = 0xd4000001, WITHOUT = 0xffe0001f;
    return (instruction & WITHOUT) == CALL;
}

/* Is the last of the instructions before a system call that concerns its number, register 8, one
 * that puts a constant there? */
static bool has_constant(const uint32_t *code, const uint32_t *call)
{
    const uint32_t CONSTANT = 0x52800000, WITHOUT = 0x7fe00000, REGISTER = 0x1f;
    for (const uint32_t *at = call; at-- > code && call - at <= NEAR;)
        if ((*at & REGISTER) == 8)
            return (*at & WITHOUT) == CONSTANT;
    return false;
}

static const uint32_t *number_at(const uint32_t *code, const uint32_t *end, uint32_t number)
{
    const uint32_t WITHOUT = 0x7fffffff, CONSTANT_TO_8 = 0x52800008;
    for (const uint32_t *at = code; at < end; at++)
        if ((*at & WITHOUT) == (CONSTANT_TO_8 | number << 5))
            return at;
    return NULL;
}

/* Numbers that are constants of a call, however far from it, or any number. */
static bool part_makes_queues(const struct fth_code *code, const ElfW(Phdr) * part,
                              const uint8_t **where)
{
    const uint32_t *begin = (const uint32_t *)(code->base + part->p_vaddr),
                   *end = begin + part->p_filesz / sizeof *begin, *found = NULL;
    bool has_call = false;
    for (const uint32_t *at = begin; at < end && !found; at++) {
        if (!is_system_call(*at))
            continue;
        has_call = true;
        if (!has_constant(begin, at))
            found = at;
    }
    if (has_call && !found)
        found = number_at(begin, end, SYS_io_uring_setup);
    if (has_call && !found)
        found = number_at(begin, end, SYS_io_setup);
    *where = (const uint8_t *)found;
    return found;
}

#endif

/* What cannot be read may have anything. */
bool fth_code_makes_queues(const struct fth_code *code, const uint8_t **where)
{
    const uint8_t *found = NULL;
    bool makes = false;
    for (size_t i = 0; !makes && i < code->part_count; i++) {
        const ElfW(Phdr) *part = &code->parts[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            makes = !(part->p_flags & PF_R) || part_makes_queues(code, part, &found);
    }
    if (where)
        *where = found;
    return makes;
}
