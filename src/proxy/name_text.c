/* Names as strings of C, whose numbers are expressions. */
#include "proxy/written_call.h"

#include "base/memory.h"
#include "proxy/named_ranks.h"

#include <inttypes.h>
#include <string.h>

static FILE *out(struct fth_written_call *call)
{
    return call->text.file;
}
static bool is_secret(const struct fth_written_call *call, size_t field)
{
    const struct fth_field *of = &call->form->row->fields[field];
    return call->writing->settings->anonymous &&
           (of->role == FTH_ROLE_PATH || strstr(of->name, "name") || strstr(of->name, "path"));
}

struct name_text {
    struct fth_growing_text format, arguments;
    bool counts; /* a number in it is no constant */
};

struct name_number {
    char *text;
    int64_t constant;
    bool is_constant;
    unsigned width;
};

static void put_name_number(struct name_text *name, const struct name_number *number,
                            unsigned own_width)
{
    if (number->is_constant) {
        fprintf(name->format.file, "%0*" PRId64, (int)own_width, number->constant);
    } else {
        fprintf(name->format.file, number->width ? "%%0%uld" : "%%ld", number->width);
        fprintf(name->arguments.file, ", %s", number->text);
        name->counts = true;
    }
}

static void put_plain_byte(struct name_text *name, const char *at)
{
    const char one[2] = {*at, 0};
    fth_proxy_write_escaped(name->format.file, one, false);
}

static void read_numbers(struct fth_written_call *call, const struct fth_argument *argument,
                         struct name_number numbers[static 8])
{
    const struct fth_known_form *known = fth_body_form(call->writing->body, call->item->number);
    for (uint32_t i = 0; i < argument->count; i++) {
        numbers[i].text = fth_proxy_write_number(call->writing, call->item, argument->first + i,
                                                 &numbers[i].constant, &numbers[i].is_constant);
        numbers[i].width = known->numbers[argument->first + i].width;
        fth_proxy_note_named(
            call->writing, &(struct fth_named_number){
                               argument->text, i, numbers[i].text, numbers[i].is_constant,
                               numbers[i].is_constant ? numbers[i].constant
                                                      : known->numbers[argument->first + i].most});
    }
}

/* Which of the numbers the name has, in order: kept. */
static char *name_of(struct fth_written_call *call, size_t field,
                     const struct name_number numbers[static 8], size_t kept[static 8])
{
    const struct fth_argument *argument = &call->form->arguments[field];
    struct fth_secret_name secret = {.text = argument->text};
    for (size_t i = 0; i < 8; i++)
        kept[i] = i;
    if (!is_secret(call, field))
        return fth_text_copy(argument->text);
    secret.is_path = call->form->row->fields[field].role == FTH_ROLE_PATH;
    for (uint32_t i = 0; i < argument->count; i++) {
        secret.numbers[i] = numbers[i].constant;
        secret.widths[i] = argument->widths[i];
    }
    return fth_proxy_write_anonymous(call->writing, &secret, kept);
}

void fth_proxy_put_name(struct fth_written_call *call, size_t field)
{
    const struct fth_argument *argument = &call->form->arguments[field];
    struct name_number numbers[8] = {{0}};
    size_t kept[8], number = 0;
    if (argument->null) {
        fputs("NULL", out(call));
        return;
    }
    read_numbers(call, argument, numbers);
    char *own = name_of(call, field, numbers, kept);
    struct name_text name = {0};
    fth_growing_text_open(&name.format);
    fth_growing_text_open(&name.arguments);
    for (const char *at = own; *at; at++)
        if (*at == 1) {
            size_t which = kept[number++];
            put_name_number(&name, &numbers[which], argument->widths[which]);
        } else if (*at == '%') {
            fputs("%%", name.format.file);
        } else {
            put_plain_byte(&name, at);
        }
    fth_growing_text_end(&name.format);
    fth_growing_text_end(&name.arguments);
    if (name.counts || strchr(own, '%')) {
        call->writing->needs |= FTH_NEEDS_NAME;
        fprintf(out(call), "name(\"%s\"%s)", name.format.text, name.arguments.text);
    } else {
        fprintf(out(call), "\"%s\"", name.format.text);
    }
    free(name.format.text);
    free(name.arguments.text);
    for (uint32_t i = 0; i < argument->count; i++)
        free(numbers[i].text);
    free(own);
}
