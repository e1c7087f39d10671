/* Words for people: dates, and texts that are safe on a terminal. */
#ifndef FTH_VIEWS_DISPLAY_TEXT_H
#define FTH_VIEWS_DISPLAY_TEXT_H

#include "base/phrase.h"
#include "base/sink.h"

struct fth_phrase fth_views_date(int64_t ns); /* since 1970: "2026-01-31T12:00:00.123456789Z" */
struct fth_phrase fth_views_local_date(int64_t ns); /* "2026-01-31 13:00:00 +0100" */

/* A duration in three digits and no space: "+12.3us" without the sign. Fast. */
void fth_views_put_duration(struct fth_sink *sink, int64_t ns);

/* Columns that a text takes on a terminal when put with fth_views_put_text. */
size_t fth_views_width(const char *text);
/* The text with control characters and invalid UTF-8 made visible (\n, \x1b), so that no file name
 * can send commands to a terminal. When it is wider than `width`, its middle (or end) is left out;
 * 0: never. Returns the columns that it took. */
enum fth_cut { FTH_CUT_MIDDLE, FTH_CUT_END };
size_t fth_views_put_text(struct fth_sink *sink, const char *text, size_t width, enum fth_cut cut,
                          bool unicode);
/* The same in double quotes, with quotes and backslashes escaped: a C string. */
void fth_views_put_quoted(struct fth_sink *sink, const char *text);
/* One argument of a command line, quoted for a shell where it has to be. */
void fth_views_put_argument(struct fth_sink *sink, const char *text);

#endif
