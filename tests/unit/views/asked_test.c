/* Who may ask the server of the page, and for what. */
#include "views/browser/asked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

static const struct fth_asked_door door = {TOKEN, 8080, NULL};
static const struct fth_asked_head good = {
    .method = "GET", .path = "/" TOKEN "/state", .host = "127.0.0.1:8080"};

static unsigned judged(struct fth_asked_head head)
{
    enum fth_asked_what what;
    return fth_views_judge(&door, &head, &what);
}

static void what_is_asked_for(void **unused)
{
    (void)unused;
    static const char *const paths[] = {
        "/" TOKEN "/",        "/" TOKEN "/state",   "/" TOKEN "/report",  "/" TOKEN "/names",
        "/" TOKEN "/numbers", "/" TOKEN "/maps",    "/" TOKEN "/cells",   "/" TOKEN "/messages",
        "/" TOKEN "/links",   "/" TOKEN "/handles", "/" TOKEN "/samples", "/" TOKEN "/window",
        "/" TOKEN "/call",    "/" TOKEN "/verify",  "/" TOKEN "/filter"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct fth_asked_head head = good;
        enum fth_asked_what what;
        head.path = paths[i];
        assert_int_equal(fth_views_judge(&door, &head, &what), 0);
        assert_int_equal(what, i);
    }
}

static void only_with_the_token(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"/",
                                        "",
                                        "/state",
                                        "/" TOKEN,
                                        "/" TOKEN "x",
                                        "/0123456789abcdef0123456789abcdee/state",
                                        "/1123456789abcdef0123456789abcdef/state",
                                        "/0123456789abcdef0123456789abcde/state",
                                        "//" TOKEN "/state",
                                        "/x" TOKEN "/state"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct fth_asked_head head = good;
        head.path = paths[i];
        assert_int_equal(judged(head), 403);
    }
    struct fth_asked_head other = good;
    other.path = "/" TOKEN "/../etc/passwd";
    assert_int_equal(judged(other), 404);
    other.path = "/" TOKEN "/states";
    assert_int_equal(judged(other), 404);
}

static void only_under_a_name_of_loopback(void **unused)
{
    (void)unused;
    static const char *const right[] = {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"};
    static const char *const wrong[] = {NULL,
                                        "",
                                        "127.0.0.1",
                                        "127.0.0.1:80",
                                        "127.0.0.1:80800",
                                        "evil.example:8080",
                                        "localhost.evil.example:8080",
                                        "192.168.1.2:8080",
                                        "127.0.0.1:8080 "};
    struct fth_asked_head head = good;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        head.host = right[i];
        assert_int_equal(judged(head), 0);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        head.host = wrong[i];
        assert_int_equal(judged(head), 403);
    }
    const struct fth_asked_door bound = {TOKEN, 8080, "192.168.1.2"}, v6 = {TOKEN, 8080, "fe80::1"};
    enum fth_asked_what what;
    head.host = "192.168.1.2:8080";
    assert_int_equal(fth_views_judge(&bound, &head, &what), 0);
    head.host = "[fe80::1]:8080";
    assert_int_equal(fth_views_judge(&v6, &head, &what), 0);
}

static void only_from_its_own_page(void **unused)
{
    (void)unused;
    struct fth_asked_head head = good;
    head.origin = "http://127.0.0.1:8080";
    assert_int_equal(judged(head), 0);
    static const char *const origins[] = {"null", "http://127.0.0.1:8081", "https://127.0.0.1:8080",
                                          "http://evil.example", "http://localhost:8080"};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        head.origin = origins[i];
        assert_int_equal(judged(head), 403);
    }
    head.origin = NULL;
    static const char *const sites[] = {"cross-site", "same-site", ""};
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        head.fetch_site = sites[i];
        assert_int_equal(judged(head), 403);
    }
    head.fetch_site = "none";
    assert_int_equal(judged(head), 0);
    head.fetch_site = "same-origin";
    assert_int_equal(judged(head), 0);
}

/* Another page may lead to the page, and to nothing else, and not show it inside of itself. */
static void a_link_leads_to_the_page(void **unused)
{
    (void)unused;
    struct fth_asked_head head = good;
    head.path = "/" TOKEN "/";
    head.fetch_site = "cross-site";
    assert_int_equal(judged(head), 403);
    head.fetch_mode = "navigate";
    assert_int_equal(judged(head), 403);
    head.destination = "iframe";
    assert_int_equal(judged(head), 403);
    head.destination = "document";
    assert_int_equal(judged(head), 0);
    head.path = "/" TOKEN "/report";
    assert_int_equal(judged(head), 403);
}

static void only_get_and_without_a_body(void **unused)
{
    (void)unused;
    static const char *const methods[] = {NULL, "", "POST", "HEAD", "get", "OPTIONS", "PUT"};
    struct fth_asked_head head = good;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        head.method = methods[i];
        assert_int_equal(judged(head), 405);
    }
    head = good;
    head.length = "0";
    assert_int_equal(judged(head), 0);
    head.length = "5";
    assert_int_equal(judged(head), 413);
    head.length = NULL;
    head.encoding = "chunked";
    assert_int_equal(judged(head), 413);
}

static void windows(void **unused)
{
    (void)unused;
    bool rows[8];
    struct fth_overview_window window;
    const struct fth_asked_window asked = {"-5", "16", "64", "0-2,5,7"};
    assert_true(fth_views_take_window(&asked, 8, rows, &window));
    assert_int_equal(window.begin, -5);
    assert_int_equal(window.width, 16);
    assert_int_equal(window.bin_count, 64);
    const bool expected[] = {true, true, true, false, false, true, false, true};
    assert_memory_equal(rows, expected, sizeof expected);
    static const struct fth_asked_window wrong[] = {
        {NULL, "16", "64", "0"},
        {"0", "0", "64", "0"},
        {"0", "-1", "64", "0"},
        {"0", "16", "0", "0"},
        {"0", "16", "16385", "0"},
        {"0", "9223372036854775807", "64", "0"},
        {"9223372036854775807", "16", "64", "0"},
        {"99999999999999999999", "16", "64", "0"},
        {"1e3", "16", "64", "0"},
        {" 1", "16", "64", "0"},
        {"0", "16", "64", NULL},
        {"0", "16", "64", ""},
        {"0", "16", "64", "8"},
        {"0", "16", "64", "3-1"},
        {"0", "16", "64", "1-99999999999999999999"},
        {"0", "16", "64", "1,"},
        {"0", "16", "64", ",1"},
        {"0", "16", "64", "-1"},
        {"0", "16", "64", "1;2"},
        {"0", "16", "64", "1-"},
        {"-", "16", "64", "1"},
        {"", "16", "64", "1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(fth_views_take_window(&wrong[i], 8, rows, &window));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for),
        cmocka_unit_test(only_with_the_token),
        cmocka_unit_test(only_under_a_name_of_loopback),
        cmocka_unit_test(only_from_its_own_page),
        cmocka_unit_test(a_link_leads_to_the_page),
        cmocka_unit_test(only_get_and_without_a_body),
        cmocka_unit_test(windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
