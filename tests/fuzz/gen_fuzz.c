/* Any text is a template without hints, which stays as it is, or becomes a program, or is refused
 * with an error; in all languages, by all libraries. For libFuzzer. */
#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const libraries[] = {"posix", "mpiio", "pnetcdf", "hdf5", "netcdf4", NULL};
    static const char *const languages[] = {"c", "c++", "fortran"};
    for (size_t i = 0; i < 3; i++) {
        struct fth_error *error = NULL;
        struct fth_gen_program program;
        const struct fth_gen_options options = {
            .library = libraries[length % 6], .language = languages[i], .processes = 4};
        int result =
            fth_gen_make("t", (const char *)bytes, length, &options, &program, &error);
        if ((result != 0) != (error != NULL) || (!result && !program.text))
            abort();
        fth_gen_program_free(&program);
        fth_error_free(error);
    }
    return 0;
}
