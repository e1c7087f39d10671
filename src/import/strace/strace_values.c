/* Values in logs of strace: see the header. */
#include "import/strace/strace_values.h"

#include "base/hash.h"
#include "base/intern.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- strings ---- */

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

static int hex(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* What stands behind the backslash at at[-1]. */
static const char *unescape(const char *at, const char *end, struct fth_bytes *to)
{
    static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
    char c = *at++;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter) {
        c = meanings[letter - letters];
    } else if (is_octal(c)) {
        int value = c - '0';
        for (int i = 0; i < 2 && at < end && is_octal(*at); i++)
            value = value * 8 + (*at++ - '0');
        c = (char)value;
    } else if (c == 'x' && at < end && hex(*at) >= 0) {
        int value = hex(*at++);
        if (at < end && hex(*at) >= 0)
            value = value * 16 + hex(*at++);
        c = (char)value;
    }
    fth_bytes_put(to, &c, 1);
    return at;
}

static const char *put_plain(const char *at, const char *end, struct fth_bytes *to)
{
    const char *start = at;
    while (at < end && *at != '\\' && *at != '"')
        at++;
    fth_bytes_put(to, start, (size_t)(at - start));
    return at;
}

bool fth_strace_string(struct fth_strace_text text, struct fth_bytes *to, uint64_t *cut)
{
    fth_strace_skip(&text, "@"); /* a name of a socket without a file */
    if (!fth_strace_skip(&text, "\""))
        return false;
    const char *at = text.at;
    while (at < text.end && *at != '"') {
        at = put_plain(at, text.end, to);
        if (at + 1 < text.end && *at == '\\')
            at = unescape(at + 1, text.end, to);
        else if (at < text.end && *at == '\\')
            at++;
    }
    text.at = at;
    if (fth_strace_skip(&text, "\"") && fth_strace_skip(&text, "...")) {
        fth_bytes_put(to, "...", 3);
        ++*cut;
    }
    return true;
}

void fth_strace_plain_path(struct fth_strace_text text, struct fth_bytes *to)
{
    const char *at = text.at, *colon = at;
    while (colon < text.end && *colon != ':')
        colon++;
    bool is_file = at == text.end || *at == '/' || colon == text.end;
    bool is_address = !is_file && !fth_strace_skip(&text, "pipe:") &&
                      !fth_strace_skip(&text, "socket:") && !fth_strace_skip(&text, "anon_inode:");
    if (is_address)
        fth_bytes_put(to, "socket:[", 8);
    while (at < text.end && (!is_file || *at != '<')) {
        if (at + 1 < text.end && *at == '\\')
            at = unescape(at + 1, text.end, to);
        else
            fth_bytes_put(to, at++, 1);
    }
    if (is_address)
        fth_bytes_put(to, "]", 1);
}

bool fth_strace_strings(struct fth_strace_text text, struct fth_bytes *to, uint64_t *cut)
{
    struct fth_strace_text list, item;
    if (!fth_strace_inside(text, &list))
        return false;
    while (fth_strace_item(&list, &item)) {
        if (!fth_strace_string(item, to, cut)) {
            fth_bytes_put(to, item.at, (size_t)(item.end - item.at)); /* ... */
            ++*cut;
        }
        fth_bytes_put(to, "", 1);
    }
    return true;
}

/* ---- numbers ---- */

int fth_strace_flags_named(const struct fth_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->flags_count; i++)
        if (strcmp(catalog->flags[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int64_t named(const struct fth_catalog *catalog, int flags_index,
                     struct fth_strace_text name)
{
    size_t length = (size_t)(name.end - name.at);
    const struct fth_flags *flags = &catalog->flags[flags_index];
    for (size_t i = 0; i < flags->count; i++)
        if (strncmp(flags->entries[i].name, name.at, length) == 0 &&
            !flags->entries[i].name[length])
            return flags->entries[i].value;
    return 0;
}

/* Kinds of files, in modes. */
static int64_t kind_of_file(struct fth_strace_text name)
{
    static const struct {
        const char *name;
        int64_t value;
    } kinds[] = {{"S_IFREG", S_IFREG}, {"S_IFDIR", S_IFDIR}, {"S_IFCHR", S_IFCHR},
                 {"S_IFBLK", S_IFBLK}, {"S_IFIFO", S_IFIFO}, {"S_IFSOCK", S_IFSOCK},
                 {"S_IFLNK", S_IFLNK}, {"S_ISUID", S_ISUID}, {"S_ISGID", S_ISGID},
                 {"S_ISVTX", S_ISVTX}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fth_strace_is(name, kinds[i].name))
            return kinds[i].value;
    return 0;
}

static int64_t joined(const struct fth_catalog *catalog, int flags_index,
                      struct fth_strace_text text)
{
    int64_t all = 0, number;
    while (text.at < text.end) {
        struct fth_strace_text word = {text.at, text.at};
        while (word.end < text.end && *word.end != '|' && *word.end != ' ')
            word.end++;
        text.at = word.end;
        if (fth_strace_number(&word, &number))
            all |= number;
        else
            all |= flags_index >= 0 ? named(catalog, flags_index, word) : kind_of_file(word);
        while (text.at < text.end && *text.at == ' ')
            text.at++;
        if (!fth_strace_skip(&text, "|"))
            return all;
    }
    return all;
}

int64_t fth_strace_flags(const struct fth_catalog *catalog, int flags_index,
                         struct fth_strace_text text)
{
    enum { KNOWN = 256, LONGEST = 56 };
    static struct known {
        char text[LONGEST];
        uint8_t length;
        int16_t flags_index;
        int64_t value;
    } known[KNOWN];
    size_t length = (size_t)(text.end - text.at);
    if (length == 0 || length > LONGEST || (*text.at >= '0' && *text.at <= '9'))
        return joined(catalog, flags_index, text);
    uint64_t hash = fth_hash_bytes(FTH_HASH_START + (uint64_t)flags_index, text.at, length);
    struct known *at = &known[hash % KNOWN];
    if (at->length == length && at->flags_index == flags_index &&
        memcmp(at->text, text.at, length) == 0)
        return at->value;
    memcpy(at->text, text.at, length);
    at->length = (uint8_t)length;
    at->flags_index = (int16_t)flags_index;
    at->value = joined(catalog, flags_index, text);
    return at->value;
}

int64_t fth_strace_integer(struct fth_strace_text text)
{
    return joined(NULL, -1, text);
}

int64_t fth_strace_whence(struct fth_strace_text text)
{
    static const char *const names[] = {"SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA",
                                        "SEEK_HOLE"};
    for (int i = 0; i < 5; i++)
        if (fth_strace_is(text, names[i]))
            return i;
    return fth_strace_integer(text);
}

int64_t fth_strace_descriptor(struct fth_strace_text text, struct fth_strace_text *path)
{
    int64_t number;
    *path = (struct fth_strace_text){text.at, text.at};
    if (fth_strace_skip(&text, "AT_FDCWD"))
        number = AT_FDCWD;
    else if (!fth_strace_number(&text, &number))
        return -1;
    fth_strace_skip(&text, " /* AT_FDCWD */"); /* -X verbose */
    fth_strace_decoration(&text, path);
    return (int)number;
}

int64_t fth_strace_iovec(struct fth_strace_text text)
{
    struct fth_strace_text list, item, at;
    int64_t all = 0, number;
    if (!fth_strace_inside(text, &list))
        return -1;
    while (fth_strace_item(&list, &item)) {
        if (!fth_strace_find(item, "iov_len=", &at) || !fth_strace_number(&at, &number) ||
            number < 0 || __builtin_add_overflow(all, number, &all))
            return -1;
    }
    return all;
}

bool fth_strace_pointed(struct fth_strace_text text, int64_t *number)
{
    struct fth_strace_text behind;
    if (fth_strace_find(text, "=> ", &behind))
        text = behind;
    return fth_strace_skip(&text, "[") && fth_strace_number(&text, number);
}

static int64_t signal_of(const struct fth_catalog *catalog, struct fth_strace_text text)
{
    static int flags = -1;
    if (flags < 0)
        flags = fth_strace_flags_named(catalog, "signal");
    const char *end = text.at;
    while (end < text.end && ((*end >= 'A' && *end <= 'Z') || (*end >= '0' && *end <= '9')))
        end++;
    text.end = end;
    return fth_strace_flags(catalog, flags, text) & 0x7f;
}

bool fth_strace_wait_status(const struct fth_catalog *catalog, struct fth_strace_text text,
                            int64_t *status)
{
    struct fth_strace_text at;
    int64_t number;
    if (!fth_strace_skip(&text, "[{"))
        return false;
    if (fth_strace_find(text, "WEXITSTATUS(s) == ", &at) && fth_strace_number(&at, &number))
        *status = (number & 0xff) << 8;
    else if (fth_strace_find(text, "WTERMSIG(s) == ", &at))
        *status = signal_of(catalog, at) | (fth_strace_find(text, "WCOREDUMP(s)", &at) ? 0x80 : 0);
    else if (fth_strace_find(text, "WSTOPSIG(s) == ", &at))
        *status = signal_of(catalog, at) << 8 | 0x7f;
    else if (fth_strace_find(text, "WIFCONTINUED(s)", &at))
        *status = 0xffff;
    else
        return false;
    return true;
}

/* ---- results ---- */

int fth_strace_error(struct fth_strace_text name)
{
    enum { MOST = 134 };
    static struct fth_intern names;
    static const char *const again[] = {"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
                                        "ERESTART_RESTARTBLOCK"};
    uint32_t number;
    for (int i = (int)names.count; i < MOST; i++) {
        const char *known = i ? strerrorname_np(i) : NULL;
        char other[] = {1, (char)i, 0}; /* a number without a name still takes one */
        fth_intern(&names, known ? known : other, known ? strlen(known) : 2);
    }
    for (size_t i = 0; i < sizeof again / sizeof *again; i++)
        if (fth_strace_is(name, again[i]))
            return EINTR;
    if (fth_strace_is(name, "ENOTSUP"))
        return EOPNOTSUPP;
    return fth_intern_find(&names, name.at, (size_t)(name.end - name.at), &number) ? (int)number
                                                                                   : 0;
}

static struct fth_strace_text first_word(struct fth_strace_text text)
{
    struct fth_strace_text word = {text.at, text.at};
    while (word.end < text.end && *word.end != ' ')
        word.end++;
    return word;
}

bool fth_strace_result_read(struct fth_strace_text text, struct fth_strace_result *result)
{
    *result = (struct fth_strace_result){.path = {text.at, text.at}};
    if (fth_strace_skip(&text, "?")) {
        fth_strace_skip_blanks(&text);
        int error = fth_strace_error(first_word(text));
        result->how = error ? FTH_STRACE_FAILED : FTH_STRACE_NO_RETURN;
        result->value = error;
        return true;
    }
    result->is_pointer = text.end - text.at > 1 && text.at[0] == '0' && text.at[1] == 'x';
    if (!fth_strace_number(&text, &result->value))
        return false;
    fth_strace_decoration(&text, &result->path);
    if (result->value != -1)
        return true;
    fth_strace_skip_blanks(&text);
    int error = fth_strace_error(first_word(text));
    if (error) {
        result->how = FTH_STRACE_FAILED;
        result->value = error;
    }
    return true;
}
