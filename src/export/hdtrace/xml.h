/* XML on its way out: texts of the program need not be valid in it. */
#ifndef FTH_EXPORT_HDTRACE_XML_H
#define FTH_EXPORT_HDTRACE_XML_H

#include "base/sink.h"

/* The text, escaped. What XML has no character for (control characters, bytes that are not UTF-8)
 * becomes U+FFFD. */
void fth_xml_put(struct fth_sink *to, const char *text);
/* " name='text'" */
void fth_xml_text(struct fth_sink *to, const char *name, const char *text);
void fth_xml_integer(struct fth_sink *to, const char *name, int64_t value);
/* Nanoseconds as seconds. */
void fth_xml_time(struct fth_sink *to, const char *name, int64_t time);

#endif
