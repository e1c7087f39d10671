/* What <fathom/trace.h> shows of a call as a line of text. */
#include "log.h"

#include <inttypes.h>
#include <stdio.h>

static void put_text(struct fth_bytes *to, const char *text)
{
    fth_bytes_put(to, text, strlen(text));
}

static void put_integer(struct fth_bytes *to, int64_t integer)
{
    char digits[24];
    fth_bytes_put(to, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, integer));
}

static void put_name(struct fth_bytes *to, const char *name)
{
    if (!name)
        return;
    put_text(to, "<");
    put_text(to, name);
    put_text(to, ">");
}

static void put_value(struct fth_bytes *to, const struct fth_value *value)
{
    switch (value->type) {
    case FTH_VALUE_NONE:
        put_text(to, "null");
        return;
    case FTH_VALUE_HANDLE:
        put_text(to, "#");
        __attribute__((fallthrough));
    case FTH_VALUE_INTEGER:
        put_integer(to, value->integer);
        put_name(to, value->text);
        return;
    case FTH_VALUE_TEXT:
        put_text(to, "\"");
        put_text(to, value->text);
        put_text(to, "\"");
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_HANDLES:
    case FTH_VALUE_TEXTS:
        put_text(to, value->type == FTH_VALUE_HANDLES ? "#[" : "[");
        for (size_t i = 0; i < value->count; i++) {
            if (value->type != FTH_VALUE_TEXTS)
                put_integer(to, value->integers[i]);
            if (value->texts)
                put_name(to, value->texts[i]);
            put_text(to, " ");
        }
        put_text(to, "]");
    }
}

void put_call(struct fth_bytes *to, const struct fth_call *call)
{
    put_text(to, call->function->name);
    put_text(to, call->from_fortran ? " (Fortran) depth " : " depth ");
    put_integer(to, call->depth);
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        put_text(to, " ");
        put_text(to, call->function->parameters[i].name);
        put_text(to, "=");
        put_value(to, &call->arguments[i]);
    }
    put_text(to, " result=");
    put_value(to, &call->result);
    put_text(to, " errno=");
    put_integer(to, call->error_number);
    put_name(to, call->error_name);
    put_text(to, " file=");
    put_text(to, call->file ? call->file : "none");
    put_text(to, call->reads ? " reads" : "");
    put_text(to, call->writes ? " writes" : "");
    put_text(to, call->bytes_known ? " bytes=" : " unknown bytes=");
    put_integer(to, (int64_t)call->bytes);
    put_text(to, " tid=");
    put_integer(to, call->tid);
    fth_bytes_put(to, "", 1);
}
