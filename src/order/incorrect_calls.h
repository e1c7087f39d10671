/* What is wrong with the calls of a run. Inner header of the order room. */
#ifndef FTH_ORDER_INCORRECT_CALLS_H
#define FTH_ORDER_INCORRECT_CALLS_H

#include "order/build/operations.h"
#include "order/build/order_semantics.h"

struct fth_order_findings;
struct fth_order_findings *
fth_order_findings_new(const struct fth_trace *trace, const struct fth_order_operations *operations,
                       size_t process_count,
                       const struct fth_order_semantics_table *semantics_table, size_t most);
/* `context`: a struct fth_order_findings. `why` adds to the sentence, or is NULL. */
void fth_order_find(void *context, enum fth_order_finding_kind kind, size_t proc,
                    const struct fth_order_operation *operation, const char *why);
void fth_order_findings_sort(struct fth_order_findings *findings);
const struct fth_order_finding *fth_order_findings_kept(const struct fth_order_findings *findings,
                                                        size_t *count);
uint64_t fth_order_findings_counted(const struct fth_order_findings *findings,
                                    enum fth_order_finding_kind kind);
void fth_order_findings_free(struct fth_order_findings *findings);

#endif
