/* What a summary owns. */
#include "proxy/proxy.h"

#include <stdlib.h>

void fth_proxy_summary_free(struct fth_proxy_summary *summary)
{
    free(summary->left_out);
    free(summary->why_ranks);
    free(summary->other_procs);
}
