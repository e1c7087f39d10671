/* Stripes as Lustre's attribute and beegfs-ctl tell them, whole and damaged. */
#include "machine/stripes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t put(uint8_t *to, size_t at, uint64_t value, size_t size)
{
    memcpy(to + at, &value, size);
    return at + size;
}

/* A layout of version 1, as lustre_user.h has it, with so many stripes of 4 MiB. */
static size_t put_plain(uint8_t *to, size_t at, uint32_t magic, uint16_t count)
{
    at = put(to, at, magic, 4);
    at = put(to, at, 1, 4);
    at = put(to, at, 77, 8);
    at = put(to, at, 88, 8);
    at = put(to, at, 4 << 20, 4);
    at = put(to, at, count, 2);
    return put(to, at, 0, 2);
}

/* Three layouts for parts of a file, of which two are in use, with 1 and 8 stripes. */
static size_t put_several(uint8_t *to)
{
    static const uint16_t counts[] = {1, 8, 60};
    size_t at = 0, place = 32 + 3 * 48;
    at = put(to, at, 0x0BD60BD0, 4);
    at = put(to, at, 32 + 3 * (48 + 32), 4);
    at = put(to, at, 5, 4);
    at = put(to, at, 0, 2);
    at = put(to, at, 3, 2);
    at += 2 + 6 + 8;
    for (int i = 0; i < 3; i++) {
        at = put(to, at, (uint64_t)i + 1, 4);
        at = put(to, at, i < 2 ? 0x10 : 0, 4);
        at += 16;
        at = put(to, at, place, 4);
        at = put(to, at, 32, 4);
        at += 16;
        place = put_plain(to, place, 0x0BD10BD0, counts[i]);
    }
    return place;
}

static void lustre_is_read(void **state)
{
    (void)state;
    uint8_t bytes[512] = {0};
    struct fth_stripes stripes;
    size_t length = put_plain(bytes, 0, 0x0BD10BD0, 12);
    assert_true(fth_stripes_of_lustre(bytes, length, &stripes));
    assert_int_equal(stripes.count, 12);
    assert_int_equal(stripes.size, 4 << 20);
    length = put_plain(bytes, 0, 0x0BD30BD0, 3) + 16;
    assert_true(fth_stripes_of_lustre(bytes, length, &stripes));
    assert_int_equal(stripes.count, 3);
    length = put_plain(bytes, 0, 0x12345678, 3);
    assert_false(fth_stripes_of_lustre(bytes, length, &stripes));
    memset(bytes, 0, sizeof bytes);
    length = put_several(bytes);
    assert_true(fth_stripes_of_lustre(bytes, length, &stripes));
    assert_int_equal(stripes.count, 8);
}

/* In memory of its own, so that a sanitizer sees who reads on. */
static void damage_is_no_harm(void **state)
{
    (void)state;
    uint8_t whole[512] = {0};
    size_t length = put_several(whole);
    struct fth_stripes stripes;
    for (size_t cut = 0; cut <= length; cut++) {
        uint8_t *bytes = malloc(cut + 1);
        memcpy(bytes, whole, cut);
        fth_stripes_of_lustre(bytes, cut, &stripes);
        for (size_t at = 0; at < cut; at++)
            for (int change = 0; change < 3; change++) {
                bytes[at] = (uint8_t[]){0, 0xff, 0x80}[change];
                fth_stripes_of_lustre(bytes, cut, &stripes);
                bytes[at] = whole[at];
            }
        free(bytes);
    }
}

static void beegfs_is_read(void **state)
{
    (void)state;
    static const char text[] = "Entry type: file\nEntryID: 0-5C3F\nMetadata node: meta [ID: 1]\n"
                               "Stripe pattern details:\n+ Type: RAID0\n+ Chunksize: 512K\n"
                               "+ Number of storage targets: desired: 4; actual: 3\n"
                               "+ Storage targets:\n  + 101 @ storage [ID: 1]\n";
    struct fth_stripes stripes;
    assert_true(fth_stripes_of_beegfs(text, &stripes));
    assert_int_equal(stripes.count, 3);
    assert_int_equal(stripes.size, 512 << 10);
    assert_true(
        fth_stripes_of_beegfs("Chunksize: 1M\nNumber of storage targets: desired: 2", &stripes));
    assert_int_equal(stripes.count, 2);
    assert_int_equal(stripes.size, 1 << 20);
    assert_false(fth_stripes_of_beegfs("", &stripes));
    assert_false(fth_stripes_of_beegfs("Chunksize: x\nNumber of storage targets: 4", &stripes));
    assert_false(fth_stripes_of_beegfs(
        "Chunksize: 18446744073709551615G\nNumber of storage targets: 4", &stripes));
    for (size_t cut = 0; cut < sizeof text; cut++) {
        char *part = strndup(text, cut);
        fth_stripes_of_beegfs(part, &stripes);
        free(part);
    }
}

static void others_have_none(void **state)
{
    (void)state;
    struct fth_stripes stripes;
    assert_false(fth_stripes_ask("ext4", "/", &stripes));
    assert_false(fth_stripes_ask("lustre", "/", &stripes)); /* it is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lustre_is_read),
        cmocka_unit_test(damage_is_no_harm),
        cmocka_unit_test(beegfs_is_read),
        cmocka_unit_test(others_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
