/* `fathom wrap --from`: a header becomes a first `.calls` file. */
#include "base/memory.h"
#include "base/visible.h"
#include "catalog/header/header.h"
#include "cmd/wrap/wrap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "include/kv.h": "kv.calls". */
static char *default_output(const char *header)
{
    const char *slash = strrchr(header, '/'), *base = slash ? slash + 1 : header;
    const char *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    return fth_text_format("%.*s.calls", (int)length, base);
}

/* The compiler waits for whoever writes to a named pipe, and reads a device without an end. */
static int check_header(const char *path, struct fth_error **error)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)
               ? fth_fail(error, "'%s' cannot be used: it is not a regular file", path)
               : 0;
}

/* What somebody has edited is not written over. */
static int write_draft(const char *path, const char *draft, bool may_replace,
                       struct fth_error **error)
{
    struct stat facts;
    bool is_pipe = stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode);
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (may_replace ? O_TRUNC : O_EXCL) |
                (is_pipe ? O_NONBLOCK : 0); /* maybe of nobody who reads */
    int file = strcmp(path, "-") == 0 ? dup(STDOUT_FILENO) : open(path, flags, 0666);
    size_t left = strlen(draft);
    if (file < 0 && errno == EEXIST)
        return fth_fail(error, "'%s' exists already; choose another file with --output", path);
    if (file < 0)
        return fth_fail_errno(error, "cannot write '%s'", path);
    while (left) {
        ssize_t written = write(file, draft, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            fth_fail_errno(error, "cannot write '%s'", path);
            break;
        }
        draft += written;
        left -= (size_t)written;
    }
    if (close(file) != 0 && !*error)
        fth_fail_errno(error, "cannot write '%s'", path);
    return *error ? -1 : 0;
}

int fth_wrap_draft(const struct fth_wrap_request *request, struct fth_error **error)
{
    size_t length;
    struct fth_header_counts counts = {0};
    char *text = check_header(request->input, error)
                     ? NULL
                     : fth_wrap_preprocess(request, request->input, &length, error);
    if (!text)
        return -1;
    char *draft = fth_header_draft(request->input, text, length, &counts);
    char *output =
        request->output ? fth_text_copy(request->output) : default_output(request->input);
    int result = -1;
    if (!draft || !output)
        fth_fail(error, "out of memory");
    else if (!counts.rows && !counts.left_out)
        fth_fail(error, "'%s' itself declares no function", request->input);
    else
        result = write_draft(output, draft, request->output != NULL, error);
    if (result == 0 && !request->quiet)
        fth_say(stderr,
                "fathom: %zu function%s of '%s' -> %s; %zu are not wrapped (listed at its end)\n",
                counts.rows, counts.rows == 1 ? "" : "s", request->input,
                strcmp(output, "-") == 0 ? "standard output" : output, counts.left_out);
    if (result == 0 && !request->quiet && strcmp(output, "-") != 0)
        fth_say(stderr, "fathom: next: review it, then: fathom wrap %s\n", output);
    free(output);
    free(draft);
    free(text);
    return result;
}
