/* Errors: one line of text that grows at its front while it travels up. */
#include "base/error.h"

#include "base/visible.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fth_error {
    char *text;
};

static struct fth_error out_of_memory = {"out of memory"};

static void set(struct fth_error **error, const char *format, va_list arguments, const char *tail)
{
    char *head = NULL, *text = NULL;
    char *plain;
    if (vasprintf(&plain, format, arguments) >= 0) {
        head = fth_visible(plain); /* there may be anything in what it quotes */
        free(plain);
    }
    struct fth_error *made = malloc(sizeof *made);
    if (!made || !head || asprintf(&text, "%s%s%s", head, tail ? ": " : "", tail ? tail : "") < 0) {
        free(made);
        made = &out_of_memory;
    } else {
        made->text = text;
    }
    free(head);
    *error = made;
}

int fth_fail(struct fth_error **error, const char *format, ...)
{
    if (!error)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    set(error, format, arguments, NULL);
    va_end(arguments);
    return -1;
}

int fth_fail_errno(struct fth_error **error, const char *format, ...)
{
    int number = errno;
    if (!error)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    set(error, format, arguments, strerror(number));
    va_end(arguments);
    return -1;
}

int fth_fail_in(struct fth_error **error, const char *format, ...)
{
    if (!error || !*error)
        return -1;
    struct fth_error *inner = *error;
    va_list arguments;
    va_start(arguments, format);
    set(error, format, arguments, inner->text);
    va_end(arguments);
    fth_error_free(inner);
    return -1;
}

const char *fth_error_text(const struct fth_error *error)
{
    return error ? error->text : "no error";
}

void fth_error_free(struct fth_error *error)
{
    if (!error || error == &out_of_memory)
        return;
    free(error->text);
    free(error);
}
