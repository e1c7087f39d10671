/* `fathom wrap --static`: the options with which a program is linked whose library of the catalogue
 * becomes a part of it (interpose/reach/static.h). */
#include "cmd/record/record.h"
#include "cmd/wrap/wrap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char known[] = "mpi, hdf5, hdf5_hl, netcdf, pnetcdf";

static int find(char path[PATH_MAX], const char *folder, const char *name, const char *ending,
                struct fth_error **error)
{
    int length = snprintf(path, PATH_MAX, "%slibfathom-static-%s%s", folder, name, ending);
    if (length >= PATH_MAX || strchr(name, '/') || access(path, R_OK) != 0)
        return fth_fail(
            error,
            "programs that contain '%s' are not supported; the libraries are %s (looked for '%s')",
            name, known, path);
    return 0;
}

/* The library may call its own functions through the slots, so it is in one group with them. */
int fth_wrap_static(const struct fth_wrap_request *request, struct fth_error **error)
{
    char folder[PATH_MAX], options[PATH_MAX], archive[PATH_MAX];
    if (fth_record_tracer(folder, error))
        return -1;
    strrchr(folder, '/')[1] = 0;
    if (find(options, folder, request->static_library, ".options", error) ||
        find(archive, folder, request->static_library, ".a", error))
        return -1;
    printf("-Wl,@%s -Wl,--start-group %s", options, archive);
    for (size_t i = 0; i < request->flag_count; i++)
        printf(" %s%s", request->flags[i].letter == 'l' ? "-l" : "", request->flags[i].value);
    printf(" -Wl,--end-group\n");
    if (fflush(stdout) != 0 || ferror(stdout))
        return fth_fail_errno(error, "cannot write the options");
    return 0;
}
