/* Taking strings apart and putting them together. */
#include "trace/names/names.h"

#include "base/memory.h"

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* ---- taking apart ---- */

static void keep_bytes(const uint8_t *bytes, size_t length, struct fth_bytes *to)
{
    *fth_bytes_room(to, 1) = FTH_TEMPLATE_BYTES;
    to->length++;
    fth_bytes_put(to, bytes, length);
}

static bool split_list(const uint8_t *bytes, size_t length, struct fth_bytes *to,
                       struct fth_name *name)
{
    struct fth_view view = fth_view_of(bytes, length);
    while (view.at < view.end && !view.failed && name->count < FTH_LIST_NUMBERS)
        name->numbers[name->count++] = fth_view_signed(&view);
    if (view.failed || view.at < view.end)
        return false;
    *fth_bytes_room(to, 1) = FTH_TEMPLATE_LIST;
    to->length++;
    fth_bytes_varint(to, name->count);
    return true;
}

/* How many bytes from `at` on are no digits. */
static size_t text_at(const uint8_t *bytes, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && !is_digit(bytes[end]))
        end++;
    return end - at;
}

/* How many digits begin at `at`, if they are a number. */
static size_t number_at(const uint8_t *bytes, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && is_digit(bytes[end]))
        end++;
    return end - at;
}

static size_t count_numbers(const uint8_t *bytes, size_t length)
{
    size_t count = 0, digits;
    for (size_t at = text_at(bytes, length, 0); at < length; at += text_at(bytes, length, at)) {
        digits = number_at(bytes, length, at);
        count += digits <= FTH_NAME_DIGITS;
        at += digits;
    }
    return count;
}

static void split_text(const uint8_t *bytes, size_t length, struct fth_bytes *to,
                       struct fth_name *name)
{
    size_t count = count_numbers(bytes, length), digits;
    size_t left_alone = count > FTH_NAME_NUMBERS ? count - FTH_NAME_NUMBERS : 0;
    uint8_t *at = fth_bytes_room(to, length + 1), *begin = at;
    *at++ = FTH_TEMPLATE_NUMBERS;
    for (size_t i = 0; i < length; i += digits) {
        size_t text = text_at(bytes, length, i);
        memcpy(at, bytes + i, text);
        at += text;
        i += text;
        digits = number_at(bytes, length, i);
        bool number = digits && digits <= FTH_NAME_DIGITS;
        if (!number || left_alone) {
            left_alone -= number;
            memcpy(at, bytes + i, digits);
            at += digits;
            continue;
        }
        int64_t value = 0;
        for (size_t k = i; k < i + digits; k++)
            value = value * 10 + (bytes[k] - '0');
        name->numbers[name->count] = value;
        name->digits[name->count++] = (uint8_t)(digits | (bytes[i] == '0' && digits > 1 ? 128 : 0));
        *at++ = FTH_NUMBER_MARK;
    }
    to->length += (size_t)(at - begin);
}

void fth_name_split(const uint8_t *bytes, size_t length, bool list, struct fth_bytes *to,
                    struct fth_name *name)
{
    name->count = 0;
    if (list && split_list(bytes, length, to, name))
        return;
    name->count = 0;
    if (list || memchr(bytes, FTH_NUMBER_MARK, length))
        keep_bytes(bytes, length, to);
    else
        split_text(bytes, length, to, name);
}

/* ---- templates ---- */

/* The component with the number that is marked at `mark`, and which of its numbers that is: what it
 * shares its place with. */
static uint32_t place_of(const uint8_t *text, size_t length, size_t mark, struct fth_intern *places)
{
    size_t begin = mark, end = mark;
    uint8_t which = 0;
    while (begin && text[begin - 1] != '/')
        which = (uint8_t)(which + (text[--begin] == FTH_NUMBER_MARK));
    while (end < length && text[end] != '/')
        end++;
    struct fth_bytes key = {0};
    fth_bytes_put(&key, &which, 1);
    fth_bytes_put(&key, text + begin, end - begin);
    uint32_t place = fth_intern(places, key.data, key.length);
    fth_bytes_free(&key);
    return place;
}

bool fth_template_read(struct fth_template *template, const uint8_t *bytes, size_t length,
                       struct fth_intern *places)
{
    *template = (struct fth_template){.bytes = bytes, .length = length};
    if (length == 0 || bytes[0] > FTH_TEMPLATE_LIST ||
        (bytes[0] == FTH_TEMPLATE_NULL && length != 1))
        return false;
    if (bytes[0] == FTH_TEMPLATE_LIST) {
        struct fth_view view = fth_view_of(bytes + 1, length - 1);
        uint64_t count = fth_view_varint(&view);
        template->count = count <= FTH_LIST_NUMBERS ? (unsigned)count : 0;
        return !view.failed && view.at == view.end && count <= FTH_LIST_NUMBERS;
    }
    if (bytes[0] != FTH_TEMPLATE_NUMBERS)
        return true;
    const uint8_t *text = bytes + 1, *end = bytes + length, *at = text;
    for (; (at = memchr(at, FTH_NUMBER_MARK, (size_t)(end - at))); at++) {
        if (template->count == FTH_NAME_NUMBERS)
            return false;
        if (places)
            template->places[template->count] =
                place_of(text, length - 1, (size_t)(at - text), places);
        template->count++;
    }
    return true;
}

/* ---- what is expected ---- */

static int64_t *last_at(struct fth_last_numbers *last, uint32_t place)
{
    if (place >= last->count) {
        size_t count = (size_t)place * 2 + 8;
        last->numbers = fth_resize(last->numbers, count, sizeof *last->numbers);
        memset(last->numbers + last->count, 0, (count - last->count) * sizeof *last->numbers);
        last->count = count;
    }
    return &last->numbers[place];
}

void fth_last_number_set(struct fth_last_numbers *last, uint32_t place, int64_t number)
{
    *last_at(last, place) = number;
}

/* The width that it was written with the last time stays, if these digits can come of it. */
static int64_t with_width(int64_t number, uint8_t digits, int64_t last)
{
    int64_t written = digits & 127, width = (int64_t)((uint64_t)last % FTH_NAME_WIDTHS);
    bool zero = digits & 128;
    if (zero ? width != written : width > written)
        width = zero ? written : 0;
    return number * FTH_NAME_WIDTHS + width;
}

void fth_name_pack(struct fth_last_numbers *last, const struct fth_template *template,
                   struct fth_name *name, bool literal)
{
    for (unsigned i = 0; template->bytes[0] == FTH_TEMPLATE_NUMBERS && i < name->count; i++) {
        int64_t *expected = last_at(last, template->places[i]);
        int64_t number = with_width(name->numbers[i], name->digits[i], *expected);
        name->numbers[i] = literal ? number : number - *expected;
        *expected = number;
    }
}

void fth_name_settle(struct fth_name *name, uint8_t kind)
{
    for (unsigned i = 0; kind == FTH_TEMPLATE_NUMBERS && i < name->count; i++)
        name->numbers[i] = with_width(name->numbers[i], name->digits[i], 0);
}

void fth_name_unpack(struct fth_last_numbers *last, const struct fth_template *template,
                     int64_t *numbers, bool literal)
{
    for (unsigned i = 0; template->bytes[0] == FTH_TEMPLATE_NUMBERS && i < template->count; i++) {
        int64_t *expected = last_at(last, template->places[i]);
        if (!literal)
            numbers[i] = (int64_t)((uint64_t)numbers[i] + (uint64_t)*expected);
        *expected = numbers[i];
    }
}

/* ---- putting together ---- */

static void put_number(struct fth_bytes *to, uint64_t number)
{
    char digits[FTH_NAME_WIDTHS + 24], *end = digits + sizeof digits, *at = end;
    uint64_t left = number / FTH_NAME_WIDTHS, width = number % FTH_NAME_WIDTHS;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    while ((uint64_t)(end - at) < width)
        *--at = '0';
    fth_bytes_put(to, at, (size_t)(end - at));
}

void fth_name_join(const struct fth_template *template, const int64_t *numbers,
                   struct fth_bytes *to)
{
    const uint8_t *at = template->bytes + 1, *end = template->bytes + template->length;
    if (template->bytes[0] == FTH_TEMPLATE_LIST) {
        for (unsigned i = 0; i < template->count; i++)
            fth_bytes_signed(to, numbers[i]);
        return;
    }
    if (template->bytes[0] == FTH_TEMPLATE_BYTES) {
        fth_bytes_put(to, at, (size_t)(end - at));
        return;
    }
    while (at < end) {
        const uint8_t *mark = memchr(at, FTH_NUMBER_MARK, (size_t)(end - at));
        fth_bytes_put(to, at, (size_t)((mark ? mark : end) - at));
        if (!mark)
            break;
        put_number(to, (uint64_t)*numbers++);
        at = mark + 1;
    }
}
