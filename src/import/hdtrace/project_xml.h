/* The XML of a project of HDTrace, which is not trusted: no document type, so no entities of its
 * own; no element longer than what a call can have; no deep nesting. */
#ifndef FTH_IMPORT_HDTRACE_PROJECT_XML_H
#define FTH_IMPORT_HDTRACE_PROJECT_XML_H

#ifdef FATHOM_EXPAT
#include "base/error.h"

#include <expat.h>
#include <stdbool.h>
#include <stdint.h>

struct fth_project_xml {
    const char *path; /* of the file, for messages */
    void *data;       /* of the handlers; any of these may be NULL */
    void (*begin)(struct fth_project_xml *xml, const char *name, const char **attributes);
    void (*end)(struct fth_project_xml *xml, const char *name);
    void (*text)(struct fth_project_xml *xml, const char *text, int length);
    struct fth_error **error;
    /* its own */
    XML_Parser parser;
    uint32_t depth;
    int64_t last, fed; /* bytes: before the last element; so far */
    bool is_over, has_failed;
};

/* -1: *error is set, and names the place. */
int fth_project_parse(struct fth_project_xml *xml);
int fth_project_parse_bytes(struct fth_project_xml *xml, const char *bytes, size_t length);
/* Called by handlers: the file is refused at this place. */
void fth_project_refuse(struct fth_project_xml *xml, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Called by handlers: the rest is of no interest. */
void fth_project_stop(struct fth_project_xml *xml);

/* NULL: there is none. */
const char *fth_project_attribute(const char **attributes, const char *name);
/* False: it is no integer. */
bool fth_project_integer(const char *text, int64_t *value);
/* Seconds with a fraction, as nanoseconds. False: it is no time, or not within 100 years. */
bool fth_project_time(const char *text, int64_t *time);

#endif
#endif
