/* Names as strings of C, whose numbers are expressions. */
#include "proxy/written_call.h"

#include "base/memory.h"

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

static void put_name_number(struct fth_written_call *call, struct name_text *name,
                            const struct fth_argument *argument, uint32_t i)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, argument->first + i, &constant,
                                        &is_constant);
    unsigned width =
        fth_body_form(call->writing->body, call->item->number)->numbers[argument->first + i].width;
    if (is_constant) {
        fprintf(name->format.file, "%0*" PRId64, (int)argument->widths[i], constant);
    } else {
        fprintf(name->format.file, width ? "%%0%uld" : "%%ld", width);
        fprintf(name->arguments.file, ", %s", text);
        name->counts = true;
    }
    free(text);
}

static void put_plain_byte(struct name_text *name, const char *at)
{
    const char one[2] = {*at, 0};
    fth_proxy_write_escaped(name->format.file, one, false);
}

void fth_proxy_put_name(struct fth_written_call *call, size_t field)
{
    const struct fth_argument *argument = &call->form->arguments[field];
    if (argument->null) {
        fputs("NULL", out(call));
        return;
    }
    char *own =
        is_secret(call, field)
            ? fth_proxy_write_anonymous(call->writing, argument->text,
                                        call->form->row->fields[field].role == FTH_ROLE_PATH)
            : fth_text_copy(argument->text);
    struct name_text name = {0};
    fth_growing_text_open(&name.format);
    fth_growing_text_open(&name.arguments);
    uint32_t number = 0;
    for (const char *at = own; *at; at++)
        if (*at == 1)
            put_name_number(call, &name, argument, number++);
        else if (*at == '%')
            fputs("%%", name.format.file);
        else
            put_plain_byte(&name, at);
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
    free(own);
}
