/* Writes through all kinds of selections, and prints for each the elements that were asked for, put
 * together by hand, in the file and in memory, each by its place in the array: {"extent": [...],
 * "file": [place, ...], "memory": [...]}. (What HDF5 makes of it is no measure: 1.10.8 leaves out 5
 * of {5} and {0, 1, 3, 4}.) */
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000, RANKS = 4, SIDE = 6, TURNS = 60 };

static int buffer[MOST];

/* What is selected, put together by hand. */
static int rank;
static hsize_t extent[RANKS];
static bool selected[MOST];
static int points[MOST], point_count; /* in their order; -1: no points */

static int place_of(const hsize_t *at)
{
    int place = 0;
    for (int d = 0; d < rank; d++)
        place = place * (int)extent[d] + (int)at[d];
    return place;
}

static int places(void)
{
    int all = 1;
    for (int d = 0; d < rank; d++)
        all *= (int)extent[d];
    return all;
}

static void mark(bool *cells, const hsize_t *start, const hsize_t *stride, const hsize_t *count, const hsize_t *block,
                 hsize_t *at, int d)
{
    if (d == rank) {
        cells[place_of(at)] = true;
        return;
    }
    for (hsize_t i = 0; i < count[d]; i++)
        for (hsize_t k = 0; k < (block ? block[d] : 1); k++) {
            at[d] = start[d] + i * stride[d] + k;
            mark(cells, start, stride, count, block, at, d + 1);
        }
}

static void slab(hid_t space, H5S_seloper_t how, const hsize_t *start, const hsize_t *stride, const hsize_t *count,
                 const hsize_t *block)
{
    bool cells[MOST] = {false};
    hsize_t at[RANKS];
    mark(cells, start, stride, count, block, at, 0);
    for (int i = 0; i < places(); i++) {
        bool one = selected[i], other = cells[i];
        selected[i] = how == H5S_SELECT_OR     ? one || other
                      : how == H5S_SELECT_AND  ? one && other
                      : how == H5S_SELECT_XOR  ? one != other
                      : how == H5S_SELECT_NOTB ? one && !other
                      : how == H5S_SELECT_NOTA ? !one && other
                                               : other;
    }
    point_count = -1;
    if (H5Sselect_hyperslab(space, how, start, stride, count, block) < 0)
        exit(2);
}

static void select_all(bool is)
{
    memset(selected, is, sizeof selected);
    point_count = -1;
}

static int print_file(void)
{
    int count = 0;
    for (int i = 0; i < point_count; i++)
        printf("%s%d", count++ ? "," : "", points[i]);
    for (int i = 0; point_count < 0 && i < places(); i++)
        if (selected[i])
            printf("%s%d", count++ ? "," : "", i);
    return count;
}

/* `step`: the elements of memory that are taken, of twice as many; 0: as in the file. */
static void move(hid_t dataset, hid_t file, int step)
{
    hid_t memory = H5S_ALL;
    printf("{\"extent\":[");
    for (int d = 0; d < rank; d++)
        printf("%s%d", d ? "," : "", (int)extent[d]);
    printf("],\"file\":[");
    hsize_t count = (hsize_t)print_file(), room = 2 * count, start = 0, stride = 2;
    printf("],\"memory\":[");
    /* only where HDF5 has selected as many: else it refuses */
    if (step && count && (hssize_t)count == H5Sget_select_npoints(file)) {
        memory = H5Screate_simple(1, &room, NULL);
        H5Sselect_hyperslab(memory, H5S_SELECT_SET, &start, &stride, &count, NULL);
        for (hsize_t i = 0; i < count; i++)
            printf("%s%d", i ? "," : "", (int)(2 * i));
    } else {
        print_file();
    }
    printf("]}\n");
    if (H5Dwrite(dataset, H5T_NATIVE_INT, memory, file, H5P_DEFAULT, buffer) < 0)
        exit(2);
    if (memory != H5S_ALL)
        H5Sclose(memory);
}

static void draw(hsize_t *start, hsize_t *stride, hsize_t *count, hsize_t *block)
{
    for (int d = 0; d < rank; d++) {
        block[d] = 1 + rand() % 2;
        stride[d] = block[d] + rand() % 2;
        start[d] = rand() % (SIDE - block[d] + 1);
        count[d] = 1 + rand() % ((SIDE - start[d] - block[d]) / stride[d] + 1);
    }
}

/* Hyperslabs one after the other, put together in every way. */
static void slabs(hid_t dataset)
{
    static const H5S_seloper_t ways[] = {H5S_SELECT_SET, H5S_SELECT_OR,   H5S_SELECT_OR,  H5S_SELECT_AND,
                                         H5S_SELECT_XOR, H5S_SELECT_NOTB, H5S_SELECT_NOTA};
    hsize_t start[RANKS], stride[RANKS], count[RANKS], block[RANKS];
    hid_t file = H5Dget_space(dataset);
    draw(start, stride, count, block);
    slab(file, H5S_SELECT_SET, start, stride, count, block);
    for (int step = rand() % 4; step > 0; step--) {
        draw(start, stride, count, block);
        slab(file, ways[rand() % 7], start, stride, count, rand() % 2 ? block : NULL);
    }
    move(dataset, file, rand() % 2);
    hid_t copy = H5Scopy(file);
    H5Sselect_none(file);
    move(dataset, copy, 1);
    select_all(false);
    move(dataset, file, 1);
    select_all(true);
    H5Sselect_all(file);
    move(dataset, file, 1);
    H5Sclose(copy);
    H5Sclose(file);
}

static void in_points(hid_t dataset)
{
    hsize_t at[5 * RANKS], origin[RANKS] = {0}, ones[RANKS] = {1, 1, 1, 1};
    hssize_t offset[RANKS] = {1, 1, 1, 1};
    hid_t file = H5Dget_space(dataset);
    bool after = rand() % 2;
    for (int i = 0; i < 5 * rank; i++)
        at[i] = rand() % (SIDE - 1);
    point_count = 5;
    for (int i = 0; i < 5; i++)
        points[after ? i : i < 3 ? i + 2 : i - 3] = place_of(at + i * rank);
    H5Sselect_elements(file, H5S_SELECT_SET, 3, at);
    H5Sselect_elements(file, after ? H5S_SELECT_APPEND : H5S_SELECT_PREPEND, 2, at + 3 * rank);
    move(dataset, file, 0);
    H5Soffset_simple(file, offset);
    for (int i = 0; i < 5; i++)
        points[i] += place_of(ones);
    move(dataset, file, 0);
    slab(file, H5S_SELECT_SET, origin, ones, ones, NULL);
    select_all(false);
    selected[place_of(ones)] = true;
    move(dataset, file, 0);
    H5Sclose(file);
}

/* A dataset without end, which two handles stand for, and one of a single number. */
static void growing(hid_t out)
{
    hsize_t most[] = {H5S_UNLIMITED, 3}, chunk[] = {2, 3};
    rank = 2, extent[0] = 2, extent[1] = 3;
    select_all(true);
    hid_t space = H5Screate_simple(2, extent, most), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(made, 2, chunk);
    hid_t one = H5Dcreate2(out, "growing", H5T_NATIVE_INT, space, H5P_DEFAULT, made, H5P_DEFAULT);
    hid_t other = H5Dopen2(out, "/growing", H5P_DEFAULT);
    move(one, H5S_ALL, 0);
    extent[0] = 5;
    H5Dset_extent(one, extent);
    move(other, H5S_ALL, 0);
    move(one, H5S_ALL, 0);
    H5Dclose(one);
    H5Dclose(other);
    H5Pclose(made);
    H5Sclose(space);
    hid_t scalar = H5Screate(H5S_SCALAR);
    hid_t single = H5Dcreate2(out, "single", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    rank = 0;
    move(single, H5S_ALL, 0);
    H5Dclose(single);
    H5Sclose(scalar);
}

int main(void)
{
    hid_t out = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    srand(7);
    for (rank = 1; rank <= RANKS; rank++) {
        char name[16];
        snprintf(name, sizeof name, "of%d", rank);
        extent[rank - 1] = SIDE;
        hid_t space = H5Screate_simple(rank, extent, NULL);
        hid_t dataset = H5Dcreate2(out, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int turn = 0; turn < TURNS; turn++) {
            slabs(dataset);
            in_points(dataset);
        }
        H5Dclose(dataset);
        H5Sclose(space);
    }
    growing(out);
    H5Fclose(out);
    return 0;
}
