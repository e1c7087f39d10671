/* The hash is SipHash-2-4, by the vectors of its authors; pseudonyms are a function of key and
 * name, part by part. */
#include "export/shared/pseudonyms.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void hash_is_siphash(void **state)
{
    /* vectors_sip64 of the reference implementation: inputs 00, 01, ... of these lengths */
    static const struct {
        size_t length;
        uint64_t hash;
    } known[] = {{0, 0x726fdb47dd0e0e31},
                 {1, 0x74f839c593dc67fd},
                 {8, 0x93f5f5799a932462},
                 {15, 0xa129ca6149be45e5}};
    const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    uint8_t bytes[16];
    (void)state;
    for (uint8_t i = 0; i < sizeof bytes; i++)
        bytes[i] = i;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fth_pseudonyms_hash(key, bytes, known[i].length) == known[i].hash);
}

static void same(const struct fth_pseudonyms *names, const char *text, const char *wanted)
{
    char *made = fth_pseudonym_of_object(names, text);
    assert_string_equal(made, wanted);
    free(made);
}

static void parts_of_a_path_have_their_own(void **state)
{
    const struct fth_pseudonyms names = {{1, 2}}, other = {{1, 3}};
    char *folder = fth_pseudonym(&names, "data"), *file = fth_pseudonym(&names, "a.h5");
    char *elsewhere = fth_pseudonym(&other, "data");
    (void)state;
    assert_int_equal(strlen(folder), 12);
    assert_int_equal(strspn(folder, "abcdefghijklmnopqrstuvwxyz234567"), 12);
    assert_string_equal(file + 12, ".h5");
    assert_string_not_equal(folder, elsewhere);
    char *whole = fth_text_format("/%s/./../%s//%s", folder, folder, file);
    same(&names, "/data/./../data//a.h5", whole);
    same(&names, "", "");
    same(&names, "/", "/");
    same(NULL, "/data/a.h5", "/data/a.h5");
    assert_null(fth_pseudonym(&names, NULL));
    free(whole);
    free(elsewhere);
    free(file);
    free(folder);
}

static void what_is_no_name_stays(void **state)
{
    const struct fth_pseudonyms names = {{1, 2}};
    (void)state;
    same(&names, "MPI_COMM_WORLD", "MPI_COMM_WORLD");
    same(&names, "H5T_NATIVE_INT", "H5T_NATIVE_INT");
    for (const char *const *text =
             (const char *const[]){"MPI_secret", "MPI_A.h5", "H5 A", ".h5", "a.secret", NULL};
         *text; text++) {
        char *made = fth_pseudonym_of_object(&names, *text);
        assert_int_equal(strcspn(made, "."), 12);
        assert_true(!made[12] || !strcmp(made + 12, ".h5"));
        free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_siphash),
        cmocka_unit_test(parts_of_a_path_have_their_own),
        cmocka_unit_test(what_is_no_name_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
