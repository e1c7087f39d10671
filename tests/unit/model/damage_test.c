/* A trace that is cut anywhere, or in which any byte is changed, is refused with one error that
 * says where. */
#include "fathom/access.h"

#include "made_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

static char path[64];
static struct fth_bytes whole;

static int make(void **state)
{
    (void)state;
    whole = made_trace(&(struct made){2, 2, 20, 1000, true, 2, 0, NULL});
    return 0;
}

static int forget(void **state)
{
    (void)state;
    fth_bytes_free(&whole);
    return 0;
}

static struct fth_trace *open_bytes(const void *bytes, size_t length, struct fth_error **error)
{
    made_write(path, bytes, length);
    return fth_trace_open(path, error);
}

static void assert_refused(const void *bytes, size_t length, const char *what, size_t at)
{
    struct fth_error *error = NULL;
    struct fth_trace *trace = open_bytes(bytes, length, &error);
    if (trace || !error)
        fail_msg("%s at byte %zu of %zu is accepted", what, at, whole.length);
    const char *text = fth_error_text(error);
    bool says_where = strstr(text, "byte") || strstr(text, "header") || strstr(text, "version");
    if (strncmp(text, "cannot read trace '", 19) != 0 || strchr(text, '\n') || !says_where)
        fail_msg("%s at byte %zu: '%s'", what, at, text);
    fth_error_free(error);
}

static void whole_is_read(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    struct fth_trace *trace = open_bytes(whole.data, whole.length, &error);
    if (!trace)
        fail_msg("%s", fth_error_text(error));
    assert_int_equal(fth_trace_info(trace)->calls, 160);
    fth_trace_close(trace);
}

static void cut_anywhere(void **state)
{
    (void)state;
    assert_true(whole.length > 1000);
    for (size_t length = 0; length < whole.length; length++)
        assert_refused(whole.data, length, "a cut", length);
}

static void changed_anywhere(void **state)
{
    (void)state;
    srandom(1);
    for (size_t at = 0; at < whole.length; at++) {
        uint8_t flip = (uint8_t)(1 << random() % 8);
        whole.data[at] ^= flip;
        assert_refused(whole.data, whole.length, "a change", at);
        whole.data[at] ^= flip;
    }
}

static void assert_version_refused(uint32_t version, const char *advice)
{
    struct fth_error *error = NULL;
    struct fth_header header;
    memcpy(&header, whole.data, sizeof header);
    header.version = version;
    header.checksum = XXH64(&header, FTH_HEADER_BYTES - 8, 0);
    struct fth_bytes other = {0};
    fth_bytes_put(&other, whole.data, whole.length);
    memcpy(other.data, &header, sizeof header);
    assert_null(open_bytes(other.data, other.length, &error));
    if (!strstr(fth_error_text(error), "version") || !strstr(fth_error_text(error), advice))
        fail_msg("version %u: '%s'", version, fth_error_text(error));
    fth_error_free(error);
    fth_bytes_free(&other);
}

static void other_versions(void **state)
{
    (void)state;
    assert_version_refused(FTH_TRACE_VERSION + 1, "use a newer Fathom");
    assert_version_refused(FTH_OLDEST_TRACE_VERSION - 1, "use the Fathom that recorded it");
}

static void longer(void **state)
{
    (void)state;
    struct fth_bytes longer = {0};
    fth_bytes_put(&longer, whole.data, whole.length);
    fth_bytes_put(&longer, "", 1);
    assert_refused(longer.data, longer.length, "a byte more", whole.length);
    fth_bytes_put(&longer, whole.data, whole.length);
    assert_refused(longer.data, longer.length, "another trace", whole.length);
    fth_bytes_free(&longer);
}

/* The head of a section, sealed again, with another number in it. */
static void heads_are_not_believed(void **state)
{
    (void)state;
    for (size_t at = FTH_HEADER_BYTES; at < whole.length;) {
        struct fth_section head;
        memcpy(&head, whole.data + at, sizeof head);
        uint64_t stored = fth_section_unseal(&head);
        for (unsigned byte = 0; byte < 32; byte++)
            for (unsigned bit = 0; bit < 8; bit++) {
                struct fth_section changed = head;
                ((uint8_t *)&changed)[byte] ^= (uint8_t)(1 << bit);
                fth_section_seal(&changed, stored);
                memcpy(whole.data + at, &changed, sizeof changed);
                struct fth_error *error = NULL;
                struct fth_trace *trace = open_bytes(whole.data, whole.length, &error);
                if (trace && head.kind != FTH_SECTION_END)
                    fail_msg("byte %u of the head at %zu", byte, at);
                fth_trace_close(trace);
                fth_error_free(error);
            }
        memcpy(whole.data + at, &head, sizeof head);
        at += sizeof head + head.stored;
    }
}

/* Goes through the calls, what they access and what they work on; how that ends is no matter. */
static void read_all(struct fth_trace *trace)
{
    struct fth_error *error = NULL;
    for (size_t proc = 0; proc < fth_trace_process_count(trace) && proc < 4; proc++) {
        struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
        struct fth_accesses *accesses = calls ? fth_accesses_open(trace, proc, calls) : NULL;
        struct fth_access access;
        struct fth_range range;
        for (int i = 0; accesses && i < 1000 && fth_accesses_next(accesses, &access, &error) > 0;
             i++) {
            for (int k = 0; k < 10 && fth_accesses_range(accesses, &range); k++)
                ;
            while (fth_calls_ended_handle(calls))
                ;
        }
        fth_accesses_close(accesses);
        fth_calls_close(calls);
        fth_error_free(error);
        error = NULL;
    }
}

/* Other bytes in a section, which is sealed again: it is refused or read. */
static void contents_are_not_believed(void **state)
{
    (void)state;
    srandom(2);
    for (size_t at = FTH_HEADER_BYTES; at < whole.length;) {
        struct fth_section head;
        memcpy(&head, whole.data + at, sizeof head);
        uint8_t *stored = whole.data + at + sizeof head;
        for (size_t i = 0; i < head.stored; i++) {
            uint8_t before = stored[i];
            struct fth_section changed = head;
            stored[i] = i % 2 ? (uint8_t)random() : (uint8_t)(before + 1);
            fth_section_seal(&changed, XXH64(stored, head.stored, head.kind));
            memcpy(whole.data + at, &changed, sizeof changed);
            struct fth_error *error = NULL;
            struct fth_trace *trace = open_bytes(whole.data, whole.length, &error);
            if (trace)
                read_all(trace);
            fth_trace_close(trace);
            fth_error_free(error);
            stored[i] = before;
        }
        memcpy(whole.data + at, &head, sizeof head);
        at += sizeof head + head.stored;
    }
}

/* What no trace is. */
static void foreign_files(void **state)
{
    (void)state;
    uint8_t noise[4096];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)random();
    const char *const texts[] = {"", "#!/bin/sh\n",
                                 "\x89HDF\r\n\032\n and much more than thirty-two bytes, too",
                                 "\x89"
                                 "FATHOM\n",
                                 "\x89"
                                 "FATHOM\n and much more than thirty-two bytes, too"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fth_error *error = NULL;
        assert_null(open_bytes(texts[i], strlen(texts[i]), &error));
        assert_non_null(error);
        fth_error_free(error);
    }
    struct fth_error *error = NULL;
    assert_null(open_bytes(noise, sizeof noise, &error));
    assert_non_null(strstr(fth_error_text(error), "not a Fathom trace"));
    fth_error_free(error);
}

int main(void)
{
    snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("trace", 0));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_is_read),          cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(changed_anywhere),       cmocka_unit_test(longer),
        cmocka_unit_test(foreign_files),          cmocka_unit_test(other_versions),
        cmocka_unit_test(heads_are_not_believed), cmocka_unit_test(contents_are_not_believed),
    };
    return cmocka_run_group_tests(tests, make, forget);
}
