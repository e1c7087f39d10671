/* A bin that the run ends in counts as far as it lies within the run, in pictures over time. */
#include "base/time_parts.h"
#include "overview/gathering.h"
#include "views/pictures/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 1024, BINS = 4, REST = 256 };

/* A thread that is in a call of its only layer all the time, until the run ends in the last bin. */
static char *drawn(const struct fth_picture_kind *kind)
{
    static const char *layers[] = {"posix"};
    static struct fth_call_classes classes = {.layers = layers, .layer_count = 1};
    struct fth_overview_place places[BINS];
    struct fth_overview_lane lane = {.count = BINS, .places = places};
    struct fth_overview_row row = {0, 1};
    struct fth_overview_gathering gathering = {0};
    struct fth_overview overview = {.gathering = &gathering,
                                    .classes = &classes,
                                    .end = (BINS - 1) * WIDTH + REST,
                                    .bin_width = WIDTH,
                                    .bin_count = BINS,
                                    .row_count = 1,
                                    .rows = &row,
                                    .lane_count = 1,
                                    .lanes = &lane};
    for (uint32_t i = 0; i < BINS; i++) {
        uint64_t within = i < BINS - 1 ? WIDTH : REST;
        places[i] = (struct fth_overview_place){
            i, {(int64_t)within, within, (int64_t)within, 8 * within, 16 * within}};
    }
    struct fth_report_view view = {.overview = &overview};
    struct fth_pictured pictured = {.view = &view};
    struct fth_svg svg;
    fth_svg_begin(&svg, FTH_FRAME_WIDTH);
    kind->draw(&svg, &pictured, 0);
    fth_sink_char(&svg.body, 0);
    char *text = strdup(svg.body.bytes);
    fth_sink_close_memory(&svg.body);
    return text;
}

/* All its points are equally high. */
static void assert_flat(const char *path)
{
    double height = -1;
    size_t points = 0;
    for (const char *at = path; *at == 'M' || *at == 'L'; points++) {
        char *end;
        strtod(at + 1, &end);
        double y = strtod(end, &end);
        height = points ? height : y;
        assert_true(y == height);
        at = end;
    }
    assert_int_equal(points, 2 * BINS);
}

static void rates_stay_the_same_to_the_end(void **unused)
{
    (void)unused;
    char *text = drawn(&fth_picture_rates);
    size_t paths = 0;
    for (const char *at = text; (at = strstr(at, "<path d=\"")); paths++) {
        at += strlen("<path d=\"");
        assert_flat(at);
    }
    assert_int_equal(paths, 4);
    free(text);
}

static void parts_within(void **unused)
{
    (void)unused;
    assert_int_equal(fth_part_within(100, 10, 0, 125), 10);
    assert_int_equal(fth_part_within(100, 10, 1, 125), 10);
    assert_int_equal(fth_part_within(100, 10, 2, 125), 5);
    assert_int_equal(fth_part_within(100, 10, 3, 125), 0);
    assert_int_equal(fth_part_within(100, 10, 2, 120), 0);
    assert_int_equal(fth_part_within(100, 10, 0, 100), 1);
    assert_int_equal(fth_part_within(INT64_MIN, INT64_MAX, 2, INT64_MAX), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_stay_the_same_to_the_end),
        cmocka_unit_test(parts_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
