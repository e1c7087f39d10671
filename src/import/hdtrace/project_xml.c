/* XML of projects, by Expat: see the header. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/project_xml.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16, LONGEST_ELEMENT = 1 << 22, MOST_DEPTH = 600 };

/* ---- what is refused ---- */

void fth_project_refuse(struct fth_project_xml *xml, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!xml->has_failed)
        fth_fail(xml->error, "'%s' is damaged: line %lu, column %lu: %s", xml->path,
                 XML_GetCurrentLineNumber(xml->parser), XML_GetCurrentColumnNumber(xml->parser) + 1,
                 text);
    xml->has_failed = true;
    XML_StopParser(xml->parser, XML_FALSE);
}

void fth_project_stop(struct fth_project_xml *xml)
{
    xml->is_over = true;
    XML_StopParser(xml->parser, XML_FALSE);
}

static void refuse_type(void *data, const char *name, const char *system, const char *public,
                        int has_subset)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_subset;
    fth_project_refuse(data, "a document type, which no file of a project has");
}

/* ---- elements ---- */

static void begin(void *data, const char *name, const char **attributes)
{
    struct fth_project_xml *xml = data;
    xml->last = XML_GetCurrentByteIndex(xml->parser);
    if (++xml->depth > MOST_DEPTH)
        fth_project_refuse(xml, "more than %d elements inside one another", MOST_DEPTH);
    else if (xml->begin && !xml->has_failed && !xml->is_over)
        xml->begin(xml, name, attributes);
}

static void end(void *data, const char *name)
{
    struct fth_project_xml *xml = data;
    xml->last = XML_GetCurrentByteIndex(xml->parser);
    xml->depth--;
    if (xml->end && !xml->has_failed && !xml->is_over)
        xml->end(xml, name);
}

static void take_text(void *data, const char *text, int length)
{
    struct fth_project_xml *xml = data;
    if (xml->text && !xml->has_failed && !xml->is_over)
        xml->text(xml, text, length);
}

static bool open_parser(struct fth_project_xml *xml)
{
    xml->parser = XML_ParserCreate(NULL);
    xml->depth = 0;
    xml->last = xml->fed = 0;
    xml->is_over = xml->has_failed = false;
    if (!xml->parser)
        return false;
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, begin, end);
    XML_SetCharacterDataHandler(xml->parser, take_text);
    XML_SetStartDoctypeDeclHandler(xml->parser, refuse_type);
    return true;
}

/* False: there is nothing more to parse. */
static bool feed(struct fth_project_xml *xml, const char *bytes, size_t length, bool is_last)
{
    xml->fed += (int64_t)length;
    if (XML_Parse(xml->parser, bytes, (int)length, is_last) == XML_STATUS_OK) {
        if (!is_last && xml->fed - xml->last > LONGEST_ELEMENT)
            fth_project_refuse(xml, "an element or text of more than %d bytes", LONGEST_ELEMENT);
        return !xml->has_failed;
    }
    if (!xml->has_failed && !xml->is_over)
        fth_project_refuse(xml, "%s", XML_ErrorString(XML_GetErrorCode(xml->parser)));
    return false;
}

static int close_parser(struct fth_project_xml *xml)
{
    XML_ParserFree(xml->parser);
    return xml->has_failed ? -1 : 0;
}

/* ---- files ---- */

static int fail(struct fth_project_xml *xml)
{
    xml->has_failed = true;
    return fth_fail_errno(xml->error, "cannot read '%s'", xml->path);
}

/* A pipe would never end. */
static int open_file(struct fth_project_xml *xml)
{
    struct stat facts;
    int file = open(xml->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        fth_fail_errno(xml->error, "cannot open '%s'", xml->path);
    else if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        fth_fail(xml->error, "'%s' is no file", xml->path);
        close(file);
        file = -1;
    }
    return file;
}

int fth_project_parse(struct fth_project_xml *xml)
{
    static char bytes[PIECE];
    ssize_t count;
    int file = open_file(xml);
    if (file < 0)
        return -1;
    if (!open_parser(xml)) {
        close(file);
        return fth_fail(xml->error, "the Expat library cannot be used");
    }
    do {
        count = read(file, bytes, sizeof bytes);
        if (count < 0 && errno != EINTR)
            fail(xml);
    } while ((count < 0 && errno == EINTR) ||
             (count >= 0 && feed(xml, bytes, (size_t)count, count == 0) && count > 0));
    close(file);
    return close_parser(xml);
}

int fth_project_parse_bytes(struct fth_project_xml *xml, const char *bytes, size_t length)
{
    if (!open_parser(xml))
        return fth_fail(xml->error, "the Expat library cannot be used");
    feed(xml, bytes, length, true);
    return close_parser(xml);
}

/* ---- values ---- */

const char *fth_project_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

bool fth_project_integer(const char *text, int64_t *value)
{
    bool is_negative = *text == '-';
    const char *at = text + is_negative;
    *value = 0;
    if (!*at)
        return false;
    for (; *at; at++) {
        int digit = *at - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(*value, 10, value) ||
            __builtin_sub_overflow(*value, digit, value))
            return false;
    }
    return is_negative || !__builtin_sub_overflow(0, *value, value);
}

enum { DIGITS = 9 };

bool fth_project_time(const char *text, int64_t *time)
{
    bool is_negative = *text == '-';
    int64_t seconds = 0, part = 0;
    const char *at = text + (*text == '-' || *text == '+');
    int digits = 0;
    if (*at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        seconds = seconds * 10 + (*at - '0');
        if (seconds > INT64_C(4000000000))
            return false;
    }
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, digits++)
            part = digits < DIGITS ? part * 10 + (*at - '0') : part;
    for (; digits < DIGITS; digits++)
        part *= 10;
    *time = seconds * 1000000000 + part;
    if (is_negative)
        *time = -*time;
    return !*at;
}
#endif
