/* Outputs: a sink that is drained with write(2), and the properties of the terminal behind it. */
#include "views/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_out(struct fth_sink *sink)
{
    struct fth_output *output = sink->context;
    size_t done = 0;
    while (done < sink->used) {
        ssize_t written = write(output->descriptor, sink->bytes + done, sink->used - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            output->error_number = errno;
            output->reader_left = errno == EPIPE;
            return false;
        }
        done += (size_t)written;
    }
    sink->used = 0;
    return true;
}

static size_t terminal_width(int descriptor)
{
    struct winsize size;
    if (!ioctl(descriptor, TIOCGWINSZ, &size) && size.ws_col)
        return size.ws_col;
    return 80;
}

static struct fth_style find_style(int descriptor)
{
    struct fth_style style = {0};
    setlocale(LC_CTYPE, "");
    style.unicode = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (!isatty(descriptor))
        return style;
    /* https://no-color.org: any value but the empty one switches colours off. */
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    style.colour = !(no_color && *no_color) && terminal && strcmp(terminal, "dumb");
    style.width = terminal_width(descriptor);
    return style;
}

int fth_views_check_output(const char *path, const char *const *inputs, struct fth_error **error)
{
    struct stat out, in;
    if (!inputs || stat(path, &out))
        return 0;
    for (; *inputs; inputs++)
        if (!stat(*inputs, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return fth_fail(
                error, "cannot write to '%s': it is the input; choose another name with -o", path);
    return 0;
}

static void begin(struct fth_output *output)
{
    output->style = find_style(output->descriptor);
    fth_sink_open(&output->sink, output->buffer, sizeof output->buffer);
    output->sink.drain = write_out;
    output->sink.context = output;
}

int fth_views_open(struct fth_output *output, const char *path, const char *const *inputs,
                   struct fth_error **error)
{
    output->path = path && strcmp(path, "-") ? path : NULL;
    output->error_number = 0;
    output->reader_left = false;
    output->descriptor = STDOUT_FILENO;
    if (output->path) {
        if (fth_views_check_output(path, inputs, error))
            return -1;
        output->descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (output->descriptor < 0)
            return fth_fail_errno(error, "cannot write to '%s'", path);
    }
    begin(output);
    return 0;
}

void fth_views_open_file(struct fth_output *output, int descriptor, const char *path)
{
    output->path = path;
    output->descriptor = descriptor;
    output->error_number = 0;
    output->reader_left = false;
    begin(output);
}

static int report_failure(const struct fth_output *output, struct fth_error **error)
{
    if (!output->error_number || output->reader_left)
        return 0;
    errno = output->error_number;
    if (output->path)
        return fth_fail_errno(error, "cannot write to '%s'", output->path);
    return fth_fail_errno(error, "cannot write to the standard output");
}

int fth_views_finish(struct fth_output *output, struct fth_error **error)
{
    fth_sink_flush(&output->sink);
    return report_failure(output, error);
}

int fth_views_close(struct fth_output *output, struct fth_error **error)
{
    fth_sink_flush(&output->sink);
    /* A full disk may show only when a file is closed (NFS, quotas). */
    if (output->path && close(output->descriptor) && !output->error_number)
        output->error_number = errno;
    return report_failure(output, error);
}

void fth_views_print(struct fth_output *output, const char *format, ...)
{
    char text[1024], *whole = text;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text) {
        va_start(arguments, format);
        length = vasprintf(&whole, format, arguments);
        va_end(arguments);
    }
    if (length > 0)
        fth_sink_bytes(&output->sink, whole, (size_t)length);
    if (whole != text && length >= 0)
        free(whole);
}

void fth_views_paint(struct fth_output *output, enum fth_paint paint)
{
    static const char *const codes[] = {
        [FTH_PAINT_PLAIN] = "\033[0m",    [FTH_PAINT_TITLE] = "\033[1m",
        [FTH_PAINT_QUIET] = "\033[2m",    [FTH_PAINT_GOOD] = "\033[32m",
        [FTH_PAINT_WARNING] = "\033[33m", [FTH_PAINT_BAD] = "\033[31m",
        [FTH_PAINT_NAME] = "\033[36m",    [FTH_PAINT_BAR] = "\033[34m",
    };
    if (output->style.colour)
        fth_sink_text(&output->sink, codes[paint]);
}
