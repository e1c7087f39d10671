/* Ways by UCX, both ends in one process and over TCP: messages come in the order in which they were
 * sent, whatever their size; what has another key is nobody's; a way whose other end is gone
 * breaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fs/server/ucx_ways.h"

#include <poll.h>
#include <string.h>

enum { MESSAGES = 60, LARGE = 1 << 20, LONG = 10000 /* ms */, SHORT = 300 };

struct taken {
    uint32_t count, wrong;
    bool broken;
};

static size_t size_of(uint32_t number)
{
    return number % 3 ? sizeof number : LARGE;
}

static void take(void *data, uint64_t mark, struct fth_view *message)
{
    struct taken *taken = data;
    uint32_t number;
    if (!message) {
        taken->broken = true;
        return;
    }
    size_t length = fth_view_left(message);
    memcpy(&number, fth_view_bytes(message, sizeof number), sizeof number);
    taken->wrong += number != taken->count || length != size_of(number) || mark != 7;
    taken->count++;
}

static void send(struct fth_ucx_way *way, uint32_t number)
{
    struct fth_bytes message = {.data = NULL};
    memset(fth_bytes_room(&message, LARGE), 'x', LARGE);
    memcpy(message.data, &number, sizeof number);
    message.length = size_of(number);
    fth_ucx_way_send(way, &message);
    fth_bytes_free(&message);
}

/* Two servers, and a way from the first to the second. `differs`: in a bit of the key. */
struct ends {
    struct fth_ucx *from, *to;
    struct fth_ucx_way *way, *other;
    struct taken taken;
};

static void reach(struct fth_ucx_way *way, const struct fth_ucx_way *other, uint8_t differs)
{
    struct fth_bytes said = {.data = NULL};
    fth_ucx_way_tell(other, &said);
    said.data[5] ^= differs;
    struct fth_view view = fth_view_of(said.data, said.length);
    assert_true(fth_ucx_way_reach(way, &view));
    assert_true(fth_ucx_way_is_reached(way));
    fth_bytes_free(&said);
}

static void begin(struct ends *ends, uint8_t differs)
{
    *ends = (struct ends){.from = fth_ucx_begin("lo", NULL), .to = fth_ucx_begin("lo", NULL)};
    assert_true(ends->from && ends->to);
    ends->way = fth_ucx_way_new(ends->from, 1);
    ends->other = fth_ucx_way_new(ends->to, 7);
    reach(ends->way, ends->other, differs);
    reach(ends->other, ends->way, 0);
}

/* Until so many have come, or the time is over. */
static void wait_for(struct ends *ends, uint32_t count, int most)
{
    struct taken none = {.count = 0};
    for (int i = 0; i < most && ends->taken.count < count; i++) {
        fth_ucx_take(ends->from, take, &none);
        fth_ucx_take(ends->to, take, &ends->taken);
        poll(NULL, 0, 1);
    }
}

static void end(struct ends *ends)
{
    fth_ucx_way_end(ends->way);
    if (ends->other)
        fth_ucx_way_end(ends->other);
    if (ends->to)
        fth_ucx_end(ends->to);
    fth_ucx_end(ends->from);
}

/* What is small is there before what is large and was sent first. */
static void messages_come_in_order(void **state)
{
    struct ends ends;
    (void)state;
    begin(&ends, 0);
    for (uint32_t i = 0; i < MESSAGES; i++)
        send(ends.way, i);
    wait_for(&ends, MESSAGES, LONG);
    assert_int_equal(ends.taken.count, MESSAGES);
    assert_int_equal(ends.taken.wrong, 0);
    end(&ends);
}

static void another_key_is_nobodys(void **state)
{
    struct ends ends;
    (void)state;
    begin(&ends, 1);
    for (uint32_t i = 0; i < 4; i++)
        send(ends.way, i);
    wait_for(&ends, 1, SHORT);
    assert_int_equal(ends.taken.count, 0);
    end(&ends);
}

static void a_way_breaks_when_its_other_end_is_gone(void **state)
{
    struct ends ends;
    struct taken here = {.count = 0};
    (void)state;
    begin(&ends, 0);
    send(ends.way, 0);
    wait_for(&ends, 1, LONG);
    fth_ucx_way_end(ends.other);
    fth_ucx_end(ends.to);
    ends.other = NULL;
    ends.to = NULL;
    for (uint32_t i = 1; i < LONG && !here.broken; i++) {
        send(ends.way, 1);
        fth_ucx_take(ends.from, take, &here);
        poll(NULL, 0, 1);
    }
    assert_true(here.broken);
    end(&ends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_in_order),
        cmocka_unit_test(another_key_is_nobodys),
        cmocka_unit_test(a_way_breaks_when_its_other_end_is_gone),
    };
    if (!fth_ucx_is_built_in || fth_ucx_try("lo", NULL)) {
        print_message("skipped: no UCX, or none over the loopback\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
