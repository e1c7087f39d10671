/* Times of a block that is shorter than most, coded number by number, function by function: a
 * duration by its gap. That takes a fifth less than frequent values and zstd, and time for each bit
 * of each call; so it is done where a track ends, and long tracks are read as fast as ever. */
#include "trace/columns/number_coder.h"
#include "trace/columns/times.h"

#include "base/memory.h"

enum {
    NEAR_LENGTHS = 6, /* longer numbers are as one */
    OF_OTHERS = 2,    /* how much a number counts that another group had */
};

struct models {
    struct fth_number_model gaps, durations[NEAR_LENGTHS];
};
struct coding {
    struct fth_number_coder coder;
    struct models group;
    struct fth_number_model counts;
};

static unsigned near(uint64_t value)
{
    unsigned bits = fth_bits_of(value);
    return bits < NEAR_LENGTHS ? bits : NEAR_LENGTHS - 1;
}

/* What is known of other groups counts less than what comes. */
static void begin_group(struct coding *coding)
{
    struct fth_bit_chance *chances = (struct fth_bit_chance *)(void *)&coding->group;
    for (size_t i = 0; i < sizeof coding->group / sizeof *chances; i++)
        if (chances[i].seen > OF_OTHERS)
            chances[i].seen = OF_OTHERS;
}

static void code_group(struct coding *coding, uint64_t *gaps, uint64_t *durations, uint32_t calls)
{
    begin_group(coding);
    for (uint32_t i = 0; i < calls; i++) {
        gaps[i] = fth_code_number(&coding->coder, &coding->group.gaps, gaps[i]);
        durations[i] =
            fth_code_number(&coding->coder, &coding->group.durations[near(gaps[i])], durations[i]);
    }
}

void fth_times_put_coded(struct fth_bytes *to, const uint64_t *const values[FTH_TIME_COLUMNS],
                         const uint32_t *group_calls, uint32_t groups)
{
    struct coding *coding = fth_new(1, sizeof *coding);
    coding->coder.writes = true;
    fth_bit_writer_open(&coding->coder.bits, to);
    fth_code_number(&coding->coder, &coding->counts, groups);
    for (uint32_t i = 0, first = 0; i < groups; first += group_calls[i++]) {
        fth_code_number(&coding->coder, &coding->counts, group_calls[i]);
        code_group(coding, (uint64_t *)(uintptr_t)values[0] + first,
                   (uint64_t *)(uintptr_t)values[1] + first, group_calls[i]);
    }
    fth_bit_writer_close(&coding->coder.bits);
    free(coding);
}

int fth_times_read_coded(struct fth_times_reader *reader, const uint8_t *bytes, size_t length,
                         uint32_t calls, struct fth_error **error)
{
    struct coding *coding = fth_new(1, sizeof *coding);
    fth_times_reader_begin(reader, calls);
    reader->arrangement = FTH_TIMES_BY_FUNCTION;
    fth_bit_reader_open(&coding->coder.bits, fth_view_of(bytes, length));
    uint64_t groups = fth_code_number(&coding->coder, &coding->counts, 0);
    uint32_t first = 0;
    bool good = groups && groups <= calls;
    reader->ends = fth_new(good ? groups : 0, sizeof *reader->ends);
    while (good && reader->groups < groups) {
        uint64_t count = fth_code_number(&coding->coder, &coding->counts, 0);
        good = count && count <= calls - first;
        if (!good)
            break;
        code_group(coding, reader->values[0] + first, reader->values[1] + first, (uint32_t)count);
        reader->ends[reader->groups++] = first += (uint32_t)count;
    }
    good = good && first == calls && coding->coder.bits.from.at == coding->coder.bits.from.end;
    free(coding);
    return good ? 0 : fth_fail(error, "coded times are damaged");
}
