/* A verdict on the consistency that a run needs, for people, as a page and as JSON. */
#ifndef FTH_VIEWS_VERIFY_H
#define FTH_VIEWS_VERIFY_H

#include "base/json.h"
#include "verify/verify.h"
#include "views/output.h"

/* top: groups shown of each model; 0: all. `asked`: the model to judge by, or NULL for all of
 * them. */
void fth_views_verify(struct fth_output *output, const struct fth_verdict *verdict,
                      const char *asked, size_t top);
/* The same as a page that stands alone. */
void fth_views_verify_html(struct fth_output *output, const struct fth_verdict *verdict,
                           const char *asked, size_t top);
void fth_views_verify_json(struct fth_json *json, const struct fth_verdict *verdict);

#endif
