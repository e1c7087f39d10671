/* Samples of a node's counters: filling the table, halving it, and its bytes. */
#include "trace/file/sample_section.h"

#include "base/memory.h"

/* What a reader takes: more than any writer makes. */
enum { MOST_READ_ROWS = 1 << 16, MOST_TEXT = 4096, MOST_HALVINGS = 40 };
static const int64_t most_time = INT64_C(1) << 62;

/* ---- filling ---- */

void fth_samples_init(struct fth_samples *samples, const char *host, int64_t interval,
                      int64_t start)
{
    *samples =
        (struct fth_samples){.host = fth_text_copy(host), .interval = interval, .start = start};
}

void fth_samples_free(struct fth_samples *samples)
{
    for (size_t i = 0; i < samples->series_count; i++) {
        struct fth_sample_series *series = &samples->series[i];
        free(series->name);
        free(series->instance);
        free(series->values);
        free(series->least);
        free(series->most);
    }
    for (size_t i = 0; i < samples->note_count; i++)
        free(samples->notes[i]);
    free(samples->notes);
    free(samples->series);
    free(samples->times);
    free(samples->host);
    *samples = (struct fth_samples){0};
}

void fth_samples_note(struct fth_samples *samples, const char *sentence)
{
    FTH_GROW(samples->notes, samples->note_count);
    samples->notes[samples->note_count++] = fth_text_copy(sentence);
}

size_t fth_samples_series(struct fth_samples *samples, const struct fth_sample_series *like)
{
    if (samples->series_count == FTH_SAMPLES_MOST_SERIES)
        return SIZE_MAX;
    FTH_GROW(samples->series, samples->series_count);
    samples->series[samples->series_count] = (struct fth_sample_series){
        .name = fth_text_copy(like->name),
        .instance = fth_text_copy(like->instance),
        .kind = like->kind,
        .unit = like->unit,
        .image = like->image,
        .first = samples->rows,
    };
    return samples->series_count++;
}

/* What a rate grew in one interval, when it grew by `amount` from one time to the other. */
static int64_t in_one_interval(const struct fth_samples *samples, int64_t amount, int64_t from,
                               int64_t to)
{
    double scaled = (double)amount * (double)samples->interval / (double)(to - from);
    return scaled < 0x1p62 ? (int64_t)(scaled + 0.5) : INT64_C(1) << 62;
}

void fth_samples_begin(struct fth_samples *samples, int64_t time)
{
    bool first = !samples->rows && !samples->held;
    samples->before = first ? samples->start : samples->now;
    samples->now = time > samples->before ? time : samples->before + 1;
}

void fth_samples_value(struct fth_samples *samples, size_t number, int64_t value)
{
    struct fth_sample_series *series = &samples->series[number];
    struct fth_held *held = &series->held;
    if (series->first + series->count != samples->rows)
        return;
    int64_t extreme = series->kind == FTH_SERIES_RATE
                          ? in_one_interval(samples, value, samples->before, samples->now)
                          : value;
    held->least = held->count && held->least < extreme ? held->least : extreme;
    held->most = held->count && held->most > extreme ? held->most : extreme;
    held->sum = (int64_t)((uint64_t)held->sum + (uint64_t)value);
    held->count++;
}

/* ---- rows ---- */

static void end_row_of(struct fth_samples *samples, struct fth_sample_series *series)
{
    struct fth_held *held = &series->held;
    if (!held->count)
        return;
    uint32_t count = series->count;
    FTH_GROW(series->values, count);
    series->values[count] =
        series->kind == FTH_SERIES_RATE ? held->sum : held->sum / (int64_t)held->count;
    if (samples->halvings) {
        FTH_GROW(series->least, count);
        FTH_GROW(series->most, count);
        series->least[count] = held->least;
        series->most[count] = held->most;
    }
    series->count++;
    samples->values++;
    *held = (struct fth_held){0};
}

static void end_row(struct fth_samples *samples)
{
    for (size_t i = 0; i < samples->series_count; i++)
        end_row_of(samples, &samples->series[i]);
    FTH_GROW(samples->times, samples->rows);
    samples->times[samples->rows++] = samples->now;
    samples->held = 0;
}

/* Up to now a row was one sample: its value is its least and its most. */
static void begin_extremes(const struct fth_samples *samples, struct fth_sample_series *series)
{
    size_t limit = 1;
    while (limit <= series->count)
        limit *= 2;
    series->least = fth_new(limit, sizeof *series->least);
    series->most = fth_new(limit, sizeof *series->most);
    for (uint32_t i = 0; i < series->count; i++) {
        uint32_t row = series->first + i;
        int64_t value = series->values[i];
        if (series->kind == FTH_SERIES_RATE)
            value = in_one_interval(samples, value, row ? samples->times[row - 1] : samples->start,
                                    samples->times[row]);
        series->least[i] = series->most[i] = value;
    }
}

static int64_t mean_of(int64_t a, int64_t b)
{
    return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

static void merge_pair(struct fth_sample_series *series, uint32_t to, uint32_t one, uint32_t other)
{
    int64_t a = series->values[one], b = series->values[other];
    int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
    series->values[to] = series->kind == FTH_SERIES_RATE ? sum : mean_of(a, b);
    uint32_t lower = series->least[other] < series->least[one] ? other : one;
    uint32_t higher = series->most[other] > series->most[one] ? other : one;
    int64_t least = series->least[lower], most = series->most[higher];
    series->least[to] = least;
    series->most[to] = most;
}

static void keep_alone(struct fth_sample_series *series, uint32_t to, uint32_t from)
{
    series->values[to] = series->values[from];
    series->least[to] = series->least[from];
    series->most[to] = series->most[from];
}

/* A series that begins or ends in the middle of a pair has half of that row. */
static void halve_series(struct fth_sample_series *series)
{
    uint32_t from = 0, to = 0;
    if (series->first % 2 && series->count)
        keep_alone(series, to++, from++);
    for (; from + 1 < series->count; from += 2)
        merge_pair(series, to++, from, from + 1);
    if (from < series->count)
        keep_alone(series, to++, from);
    series->first /= 2;
    series->count = to;
}

static void halve(struct fth_samples *samples)
{
    samples->values = 0;
    for (size_t i = 0; i < samples->series_count; i++) {
        struct fth_sample_series *series = &samples->series[i];
        if (!samples->halvings)
            begin_extremes(samples, series);
        halve_series(series);
        samples->values += series->count;
    }
    for (uint32_t row = 0; row < samples->rows / 2; row++)
        samples->times[row] = samples->times[2 * row + 1];
    samples->rows /= 2;
    samples->halvings++;
}

static bool is_full(const struct fth_samples *samples)
{
    return samples->rows >= FTH_SAMPLES_MOST_ROWS || samples->values > FTH_SAMPLES_MOST_VALUES;
}

void fth_samples_end(struct fth_samples *samples)
{
    samples->held++;
    if (samples->held < UINT32_C(1) << samples->halvings)
        return;
    end_row(samples);
    if (is_full(samples) && samples->rows % 2 == 0 && samples->halvings < MOST_HALVINGS)
        halve(samples);
}

void fth_samples_finish(struct fth_samples *samples)
{
    if (samples->held)
        end_row(samples);
}

/* ---- bytes ---- */

enum { METHOD_PLAIN, METHOD_DIFFERENCES };

static void put_text(struct fth_bytes *to, const char *text)
{
    fth_bytes_text(to, text, strlen(text));
}

static void put_head(struct fth_bytes *to, const char *host, int64_t interval, unsigned halvings,
                     char *const *notes, size_t note_count)
{
    put_text(to, host);
    fth_bytes_varint(to, (uint64_t)interval);
    fth_bytes_varint(to, halvings);
    fth_bytes_varint(to, note_count);
    for (size_t i = 0; i < note_count; i++)
        put_text(to, notes[i]);
}

static void put_times(struct fth_bytes *to, int64_t start, const int64_t *times, uint32_t rows)
{
    fth_bytes_varint(to, rows);
    fth_bytes_signed(to, start);
    for (uint32_t row = 0; row < rows; row++)
        fth_bytes_varint(to, (uint64_t)(times[row] - (row ? times[row - 1] : start)));
}

/* Plain or as differences, whichever is shorter. */
static void put_column(struct fth_bytes *to, int64_t *values, uint32_t count)
{
    struct fth_bytes plain = {0}, different = {0};
    fth_bytes_varint(&plain, METHOD_PLAIN);
    fth_plain_put(&plain, values, count);
    if (count > 1) {
        int64_t *differences = fth_new(count - 1, sizeof *differences);
        for (uint32_t i = 1; i < count; i++)
            differences[i - 1] = (int64_t)((uint64_t)values[i] - (uint64_t)values[i - 1]);
        fth_bytes_varint(&different, METHOD_DIFFERENCES);
        fth_bytes_signed(&different, values[0]);
        fth_plain_put(&different, differences, count - 1);
        free(differences);
    }
    bool differs = count > 1 && different.length < plain.length;
    const struct fth_bytes *shorter = differs ? &different : &plain;
    fth_bytes_put(to, shorter->data, shorter->length);
    fth_bytes_free(&plain);
    fth_bytes_free(&different);
}

static void put_series(struct fth_bytes *to, const struct fth_sample_series *series, bool extremes)
{
    put_text(to, series->name);
    put_text(to, series->instance);
    fth_bytes_varint(to, series->kind);
    fth_bytes_varint(to, series->unit);
    fth_bytes_put(to, &series->image, sizeof series->image);
    fth_bytes_varint(to, series->first);
    fth_bytes_varint(to, series->count);
    put_column(to, series->values, series->count);
    if (extremes) {
        put_column(to, series->least, series->count);
        put_column(to, series->most, series->count);
    }
}

void fth_samples_write(const struct fth_samples *samples, struct fth_bytes *to)
{
    size_t count = 0;
    put_head(to, samples->host, samples->interval, samples->halvings, samples->notes,
             samples->note_count);
    put_times(to, samples->start, samples->times, samples->rows);
    for (size_t i = 0; i < samples->series_count; i++)
        count += samples->series[i].count > 0;
    fth_bytes_varint(to, count);
    for (size_t i = 0; i < samples->series_count; i++)
        if (samples->series[i].count)
            put_series(to, &samples->series[i], samples->halvings > 0);
}

/* ---- reading ---- */

static const char *read_text(struct fth_read_samples *samples, struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = length > MOST_TEXT ? NULL : fth_view_bytes(view, length);
    if (!bytes) {
        view->failed = true;
        return "";
    }
    char *text = fth_new(length + 1, 1);
    memcpy(text, bytes, length);
    FTH_GROW(samples->texts, samples->text_count);
    samples->texts[samples->text_count++] = text;
    return text;
}

static bool is_time(int64_t time)
{
    return -most_time < time && time < most_time;
}

static bool read_times(struct fth_read_samples *samples, struct fth_view *view)
{
    uint64_t rows = fth_view_count(view, 1);
    int64_t time = samples->start = fth_view_signed(view);
    if (view->failed || rows > MOST_READ_ROWS || !is_time(time))
        return false;
    samples->times = fth_new(rows, sizeof *samples->times);
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t lasted = fth_view_varint(view);
        if (view->failed || lasted == 0 || lasted >= (uint64_t)(most_time - time))
            return false;
        samples->times[row] = time += (int64_t)lasted;
    }
    samples->rows = (uint32_t)rows;
    return true;
}

static bool read_head(struct fth_read_samples *samples, struct fth_view *view)
{
    samples->host = read_text(samples, view);
    samples->interval = (int64_t)fth_view_varint(view);
    uint64_t halvings = fth_view_varint(view), notes = fth_view_count(view, 1);
    for (uint64_t i = 0; i < notes && !view->failed; i++)
        read_text(samples, view);
    if (view->failed || samples->interval <= 0 || !is_time(samples->interval) ||
        halvings > MOST_HALVINGS)
        return false;
    samples->halvings = (unsigned)halvings;
    samples->note_count = notes;
    return read_times(samples, view);
}

static bool read_column(struct fth_packed_column *column, struct fth_view *view, uint32_t count)
{
    uint64_t method = fth_view_varint(view), before = 0;
    if (method == METHOD_DIFFERENCES && count > 1) {
        before = (uint64_t)fth_view_signed(view);
        count--;
    } else if (method != METHOD_PLAIN) {
        return false;
    }
    if (!fth_plain_read(column, view, count))
        return false;
    column->method = (uint8_t)method;
    column->before = before;
    return true;
}

static bool read_series(struct fth_read_samples *samples, struct fth_view *view)
{
    FTH_GROW(samples->series, samples->series_count);
    struct fth_read_series *series = &samples->series[samples->series_count++];
    *series = (struct fth_read_series){0};
    series->name = read_text(samples, view);
    series->instance = read_text(samples, view);
    uint64_t kind = fth_view_varint(view), unit = fth_view_varint(view);
    const uint8_t *image = fth_view_bytes(view, sizeof series->image);
    uint64_t first = fth_view_varint(view), count = fth_view_varint(view);
    if (!image || view->failed || kind > FTH_SERIES_RATE || unit >= FTH_SERIES_UNITS ||
        first > samples->rows || count == 0 || count > samples->rows - first)
        return false;
    memcpy(&series->image, image, sizeof series->image);
    series->kind = (enum fth_series_kind)kind;
    series->unit = (enum fth_series_unit)unit;
    series->first = (uint32_t)first;
    series->count = (uint32_t)count;
    for (int i = 0; i < (samples->halvings ? 3 : 1); i++)
        if (!read_column(&series->columns[i], view, series->count))
            return false;
    return true;
}

int fth_samples_read(struct fth_read_samples *samples, const void *bytes, size_t length,
                     struct fth_error **error)
{
    const size_t least_series = 2 + 2 + sizeof(uint64_t) + 2 + 4;
    struct fth_view view = fth_view_of(bytes, length);
    *samples = (struct fth_read_samples){0};
    bool good = read_head(samples, &view);
    samples->packed = view.at;
    samples->packed_length = fth_view_left(&view);
    uint64_t count = good ? fth_view_count(&view, least_series) : 0;
    for (uint64_t i = 0; i < count && good; i++)
        good = read_series(samples, &view);
    if (good && !view.failed && view.at == view.end)
        return 0;
    size_t at = (size_t)(view.at - (const uint8_t *)bytes);
    fth_read_samples_free(samples);
    return fth_fail(error, "its samples are damaged at byte %zu of them", at);
}

void fth_read_samples_free(struct fth_read_samples *samples)
{
    for (size_t i = 0; i < samples->text_count; i++)
        free(samples->texts[i]);
    free(samples->texts);
    free(samples->times);
    free(samples->series);
    *samples = (struct fth_read_samples){0};
}

int64_t fth_series_next(struct fth_packed_column *column)
{
    uint64_t read = column->read++;
    if (column->method == METHOD_PLAIN)
        return fth_plain_at(column, read);
    if (read)
        column->before += (uint64_t)fth_plain_at(column, read - 1);
    return (int64_t)column->before;
}

void fth_samples_rewrite(const struct fth_read_samples *samples, struct fth_bytes *to)
{
    put_head(to, samples->host, samples->interval, samples->halvings, samples->texts + 1,
             samples->note_count);
    put_times(to, samples->start, samples->times, samples->rows);
    fth_bytes_put(to, samples->packed, samples->packed_length);
}
