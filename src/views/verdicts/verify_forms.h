/* Forms of a verdict on the consistency that a run needs: text, the inside of a page, facts, and
 * tables for formats that have none of their own. */
#ifndef FTH_VIEWS_VERIFY_FORMS_H
#define FTH_VIEWS_VERIFY_FORMS_H

#include "base/json.h"
#include "table/table.h"
#include "verify/verify.h"
#include "views/output/output.h"

/* top: groups shown of each model; 0: all. `asked`: the model to judge by, or NULL for all of
 * them. */
void fth_views_verify(struct fth_output *output, const struct fth_verdict *verdict,
                      const char *asked, size_t top);
/* Of that what stands between the models and their violations: lines. */
void fth_views_verify_remarks(struct fth_output *output, const struct fth_verdict *verdict);
/* The same as what stands in a page of HTML. */
void fth_views_verify_html(struct fth_output *output, const struct fth_verdict *verdict,
                           const char *asked, size_t top);
/* All of it, for programs: the keys are described in docs/fathom-verify.1.md. */
void fth_views_verify_facts(struct fth_json *json, const struct fth_verdict *verdict);

/* For the page of a run: the same facts, and in words what the text says of them; docs/page.md. */
void fth_views_verify_page(struct fth_sink *to, const struct fth_verdict *verdict);

/* "safe_as_seen": a safety as programs read it, which is a contract. */
const char *fth_views_verdict_key(enum fth_safety safety);

/* A row for each model, and one for each group of violations of those that are shown (for people),
 * or of all. To be freed. */
struct fth_table *fth_views_verdict_models(const struct fth_verdict *verdict, bool for_people);
struct fth_table *fth_views_verdict_violations(const struct fth_verdict *verdict, const char *asked,
                                               bool for_people);
/* A row for each race on a file position. To be freed. */
struct fth_table *fth_views_verdict_positions(const struct fth_verdict *verdict);

#endif
