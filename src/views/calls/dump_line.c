/* What the lines of calls and of operations have in common: whose they are, and when they ran. */
#include "views/calls/dump_calls.h"

#include "views/output/display_text.h"

static unsigned digits_of(uint64_t value)
{
    unsigned digits = 1;
    while (value /= 10)
        digits++;
    return digits;
}

/* Columns of "rank 12" or "process 3", and of a thread behind it, whatever is the widest in this
 * trace. */
static size_t name_width(const struct fth_process *process, size_t proc)
{
    size_t width = process->rank == FTH_NO_RANK
                       ? strlen("proc ") + digits_of(proc)
                       : strlen("rank ") + digits_of((uint64_t)process->rank);
    if (process->world > 0)
        width += strlen("world  ") + digits_of((uint64_t)process->world);
    if (process->thread_count > 1)
        width += 1 + digits_of(process->thread_count - 1);
    return width;
}

void fth_views_dump_open(struct fth_dump *dump, struct fth_output *output,
                         const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    *dump = (struct fth_dump){.output = output, .trace = trace};
    dump->time_decimals = info->resolution >= 1000 ? 6 : info->resolution >= 100 ? 7 : 9;
    dump->time_width = digits_of((uint64_t)info->end / 1000000000) + 1 + dump->time_decimals;
    size_t count = fth_trace_process_count(trace);
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        size_t width = process->calls ? name_width(process, proc) : 0;
        dump->name_width = width > dump->name_width ? width : dump->name_width;
    }
}

void fth_views_put_who(struct fth_dump *dump, size_t proc, uint32_t thread)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_process *process = fth_trace_process(dump->trace, proc);
    size_t width = strlen("rank ");
    fth_sink_char(sink, '[');
    if (process->world > 0) {
        fth_sink_text(sink, "world ");
        fth_sink_integer(sink, process->world);
        fth_sink_char(sink, ' ');
        width += strlen("world  ") + digits_of((uint64_t)process->world);
    }
    uint64_t number = process->rank == FTH_NO_RANK ? proc : (uint64_t)process->rank;
    fth_sink_text(sink, process->rank == FTH_NO_RANK ? "proc " : "rank ");
    fth_sink_unsigned(sink, number);
    width += digits_of(number);
    if (process->thread_count > 1) {
        fth_sink_char(sink, '.');
        fth_sink_unsigned(sink, thread);
        width += 1 + digits_of(thread);
    }
    fth_sink_char(sink, ']');
    fth_sink_fill(sink, ' ', 1 + (width < dump->name_width ? dump->name_width - width : 0));
}

void fth_views_put_when(struct fth_dump *dump, int64_t start, int64_t end)
{
    struct fth_sink *sink = &dump->output->sink;
    char text[32];
    struct fth_sink words;
    int64_t unit = 1;
    for (unsigned i = dump->time_decimals; i < 9; i++)
        unit *= 10;
    fth_sink_open(&words, text, sizeof text);
    fth_sink_decimal(&words, start / unit, dump->time_decimals);
    fth_sink_fill(sink, ' ', words.used < dump->time_width ? dump->time_width - words.used : 0);
    fth_sink_bytes(sink, text, words.used);

    fth_sink_open(&words, text, sizeof text);
    fth_sink_char(&words, '+');
    fth_views_put_duration(&words, end - start);
    fth_sink_fill(sink, ' ', words.used < 9 ? 9 - words.used : 1);
    fth_sink_bytes(sink, text, words.used);
    fth_sink_text(sink, "  ");
}
