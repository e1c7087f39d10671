/* Which sockets are ends of one connection, by what processes record of them. */
#include "base/memory.h"
#include "model/reading/model.h"
#include "order/match/match_connections.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROCESSES = 3 };

static struct fth_order_operations processes[PROCESSES];
static char pairs[1024];

static void has(uint32_t proc, uint32_t host, const char *name, const char *connection)
{
    struct fth_order_operations *process = &processes[proc];
    process->host = host;
    FTH_GROW(process->pipes.all, process->pipes.count);
    process->pipes.all[process->pipes.count++] =
        (struct fth_order_pipe){.name = strdup(name), .connection = strdup(connection)};
}

static void note(void *context, struct fth_pipe_name name)
{
    (void)context;
    size_t length = strlen(pairs);
    snprintf(pairs + length, sizeof pairs - length, "%u %s-%u %s%s;", name.host, name.name,
             name.other_host, name.other, name.packets ? " packets" : "");
}

static const char *paired(void)
{
    static struct fth_trace trace;
    struct fth_matching matching = {.processes = processes, .process_count = PROCESSES};
    *pairs = 0;
    fth_match_connections(&matching, &trace, note, NULL);
    for (uint32_t i = 0; i < PROCESSES; i++)
        fth_order_operations_free(&processes[i]);
    return pairs;
}

static void addresses_give_the_other_end(void **unused)
{
    (void)unused;
    has(0, 0, "socket:[1]", "tcp 10.0.0.1:4000 to 10.0.0.2:80");
    has(1, 1, "socket:[1]", "tcp 10.0.0.2:80 to 10.0.0.1:4000");
    has(2, 0, "socket:[7]", "tcp 10.0.0.1:4001 to 10.0.0.2:80");
    assert_string_equal(paired(), "0 socket:[1]-1 socket:[1];1 socket:[1]-0 socket:[1];");
}

static void addresses_of_the_machine_are_those_of_its_own(void **unused)
{
    (void)unused;
    has(0, 0, "socket:[1]", "tcp 127.0.0.1:4000 to 127.0.0.1:80");
    has(1, 1, "socket:[2]", "tcp 127.0.0.1:80 to 127.0.0.1:4000");
    assert_string_equal(paired(), "");
}

static void what_looks_alike_is_no_pair(void **unused)
{
    (void)unused;
    has(0, 0, "socket:[1]", "tcp 10.0.0.1:4000 to 10.0.0.2:80");
    has(1, 1, "socket:[2]", "tcp 10.0.0.2:80 to 10.0.0.1:4000");
    has(2, 1, "socket:[3]", "tcp 10.0.0.2:80 to 10.0.0.1:4000");
    assert_string_equal(paired(), "");
}

static void a_socket_of_several_processes_is_one(void **unused)
{
    (void)unused;
    has(0, 0, "socket:[1]", "tcp 10.0.0.1:4000 to 10.0.0.1:80");
    has(1, 0, "socket:[2]", "tcp 10.0.0.1:80 to 10.0.0.1:4000");
    has(2, 0, "socket:[2]", "tcp 10.0.0.1:80 to 10.0.0.1:4000");
    assert_string_equal(paired(), "0 socket:[1]-0 socket:[2];0 socket:[2]-0 socket:[1];");
}

static void numbers_give_the_other_end(void **unused)
{
    (void)unused;
    has(0, 0, "socket:[1]", "packets to 2 of 77 at /run/here");
    has(1, 0, "socket:[2]", "packets to 0 of 78 at /run/here");
    has(2, 1, "socket:[2]", "packets to 1 of 78 at /run/here");
    assert_string_equal(paired(),
                        "0 socket:[1]-0 socket:[2] packets;0 socket:[2]-0 socket:[1] packets;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_give_the_other_end),
        cmocka_unit_test(addresses_of_the_machine_are_those_of_its_own),
        cmocka_unit_test(what_looks_alike_is_no_pair),
        cmocka_unit_test(a_socket_of_several_processes_is_one),
        cmocka_unit_test(numbers_give_the_other_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
