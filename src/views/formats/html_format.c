/* A page for a browser that stands alone. */
#include "views/formats/writer.h"

#include "views/tables/html.h"
#include "views/verdicts/verify_forms.h"

static void begin(struct fth_writer *writer)
{
    fth_views_html_begin(writer->output, writer->page.title);
}

static int end(struct fth_writer *writer, struct fth_error **error)
{
    (void)error;
    fth_views_html_end(writer->output);
    return 0;
}

static void put_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                        const char *asked, size_t top)
{
    fth_views_verify_html(writer->output, verdict, asked, top);
}

const struct fth_format fth_format_html = {
    .for_people = true,
    .begin = begin,
    .end = end,
    .verdict = put_verdict,
};
