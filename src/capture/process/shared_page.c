/* Pages in the spill folder that all processes of a node share, mapped: what they have taken of the
 * budget together (budget.c), which programs one of them has looked at (strangers.c), how often
 * something was renamed (paths.c), and which files of programs the run writes
 * (follow/written_files.c). */
#include "capture/process/shared_page.h"

#include "capture/process/spill_folder.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"

#include <fcntl.h>

enum {
    BYTES = (sizeof(struct fth_spill_shared) + FTH_SPILL_PAGE - 1) / FTH_SPILL_PAGE * FTH_SPILL_PAGE
};

struct fth_spill_shared *fth_shared_page;

static void map_page(const char *name)
{
    int error, file = fth_spill_open(name, O_RDWR | O_CREAT, &error);
    if (file < 0)
        return;
    fth_shared_page = fth_file_map(file, 0, BYTES, &error);
    fth_file_close(file);
}

/* Forked children have it from their parents. In memory where there is some, however short it is;
 * where there is no room for it there is none for anything else, either. */
void fth_shared_page_start(void)
{
    if (fth_shared_page) /* of a recording before this one */
        fth_unmap(fth_shared_page, BYTES);
    fth_shared_page = NULL;
    map_page(FTH_SPILL_MEMORY "/" FTH_SPILL_SHARED);
    if (!fth_shared_page)
        map_page(FTH_SPILL_SHARED);
}
