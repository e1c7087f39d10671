/* What is kept of arguments in which there are secrets. */
#include "base/mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is_kept(const char *names, const char *const *given, const char *const *wanted)
{
    struct fth_mask mask = {.names = names};
    char kept[200];
    for (size_t i = 0; given[i]; i++) {
        size_t length = fth_mask(&mask, given[i], kept, sizeof kept);
        assert_int_equal(length, strlen(kept));
        assert_string_equal(kept, wanted[i]);
    }
}

#define IS_KEPT(names, given, wanted)                                                              \
    is_kept(names, (const char *const[]){given, NULL}, (const char *const[]){wanted, NULL})

static void single_arguments(void **state)
{
    (void)state;
    static const char *const samples[][2] = {
        {"", ""},
        {"plain", "plain"},
        {"--output=file", "--output=file"},
        {"https://example.org/a?b=c", "https://example.org/a?b=c"},
        {"https://me:hush@example.org/a@b", "https://***@example.org/a@b"},
        {"git+ssh://ghp_12@example.org", "git+ssh://***@example.org"},
        {"postgres://me:a@b@host:5432/x postgres://me:c@host",
         "postgres://***@host:5432/x postgres://***@host"},
        {"https://example.org/?access_token=abc&x=1", "https://example.org/?access_token=***"},
        {"--password=hush", "--password=***"},
        {"--db-password=", "--db-password="},
        {"-Dtrust.PassWord=hush", "-Dtrust.PassWord=***"},
        {"MYSQL_PWD=hush", "MYSQL_PWD=***"},
        {"AWS_SECRET_ACCESS_KEY=a b", "AWS_SECRET_ACCESS_KEY=***"},
        {"Authorization: Bearer abc def", "Authorization: ***"},
        {"{\"password\": \"hush\"}", "{\"password\": ***"},
        {"mysql --password hush -e x", "mysql --password ***"},
        {"mysql --password 'hush' -e x", "mysql --password ***"},
        {"the password is asked for", "the password is asked for"},
        {"keys://host/x", "keys://host/x"},
        {"x:y@z", "x:y@z"},
        {"mysql -phunter4 -e x", "mysql -p***"},
        {"/usr/bin/mysqldump -p'hunter 4' x", "/usr/bin/mysqldump -p***"},
        {"find . -print -perm 4; gcc -pthread -pipe", "find . -print -perm 4; gcc -pthread -pipe"},
        {"zip -P hush -r x.zip x", "zip -P ***"},
        {"curl -u me:hush https://host", "curl -u ***"},
        {"curl -ume:hush https://host", "curl -u***"},
        {"curl --user 'me:hush' x", "curl --user ***"},
        {"curl --proxy-user=me:hush", "curl --proxy-user=***"},
        {"curl -u me x", "curl -u me x"},
        {"sort -u a:b", "sort -u ***"},
        {"git push -u https://host/x", "git push -u https://host/x"},
        {"date -u +%F; smbclient -U me%hush", "date -u +%F; smbclient -U ***"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        IS_KEPT(NULL, samples[i][0], samples[i][1]);
}

static void values_that_are_arguments(void **state)
{
    (void)state;
    is_kept(NULL, (const char *const[]){"app", "--api-key", "--hush", "--verbose", NULL},
            (const char *const[]){"app", "--api-key", "***", "--verbose", NULL});
    is_kept(NULL, (const char *const[]){"token", "x", "-p", "8080", NULL},
            (const char *const[]){"token", "x", "-p", "8080", NULL});
    is_kept("p,us?r", (const char *const[]){"sshpass", "-p", "hush", "--user=me:it", NULL},
            (const char *const[]){"sshpass", "-p", "***", "--user=***", NULL});
    is_kept(NULL, (const char *const[]){"sudo", "mysql", "-phunter4", "-u", "me", "shown", NULL},
            (const char *const[]){"sudo", "mysql", "-p***", "-u", "me", "shown", NULL});
    is_kept(NULL, (const char *const[]){"/bin/sshpass", "-p", "hush", "ssh", "host", NULL},
            (const char *const[]){"/bin/sshpass", "-p", "***", "ssh", "host", NULL});
    is_kept(NULL, (const char *const[]){"curl", "-u", "me:hush", "-p", "shown", NULL},
            (const char *const[]){"curl", "-u", "***", "-p", "shown", NULL});
    is_kept(NULL, (const char *const[]){"curl", "-u", "me", "--user", "me:hush", NULL},
            (const char *const[]){"curl", "-u", "me", "--user", "***", NULL});
}

static void little_room(void **state)
{
    (void)state;
    static const char given[] = "--password=hush https://a:b@c";
    char kept[40], whole[40];
    struct fth_mask mask = {0};
    fth_mask(&mask, given, whole, sizeof whole);
    for (size_t room = 1; room < sizeof kept; room++) {
        memset(kept, 'x', sizeof kept);
        size_t length = fth_mask(&mask, given, kept, room);
        assert_true(length < room && kept[length] == 0);
        assert_memory_equal(kept, whole, length);
        assert_true(room == sizeof kept || kept[room] == 'x');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_arguments),
        cmocka_unit_test(values_that_are_arguments),
        cmocka_unit_test(little_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
