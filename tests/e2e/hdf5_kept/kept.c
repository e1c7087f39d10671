/* Transfers whose size changes in all the ways that there are, twice before each change and twice
 * after it. Prints the bytes of each, in order.
 *
 *   kept            all of it
 *   kept source N   makes the file source-N.h5 of a virtual dataset
 *   kept append     appends to grows.h5 what somebody else reads
 *   kept by-word    does what the words on standard input say: write, or select N values */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static char values[MOST * 8];
static hsize_t unlimited = H5S_UNLIMITED, chunk = 16;

static void check(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "kept: %s\n", what);
    exit(1);
}

static void write_twice(hid_t dataset, hid_t type, hid_t memory, hid_t file, size_t bytes)
{
    for (int i = 0; i < 2; i++) {
        check(H5Dwrite(dataset, type, memory, file, H5P_DEFAULT, values) >= 0, "H5Dwrite");
        printf("%zu\n", bytes);
    }
}

static hid_t space_of(hsize_t length)
{
    return H5Screate_simple(1, &length, NULL);
}

static hid_t dataset_of(hid_t file, const char *name, hid_t type, hsize_t length)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &length, &unlimited);
    H5Pset_chunk(list, 1, &chunk);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(dataset >= 0, "H5Dcreate2");
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
}

static void select_of(hid_t space, hsize_t start, hsize_t count)
{
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
}

/* ---- selections ---- */

static void *select_in_thread(void *space)
{
    select_of(*(hid_t *)space, 0, 9);
    return NULL;
}

static void selections(hid_t file)
{
    hid_t data = dataset_of(file, "selected", H5T_NATIVE_INT, 20), space = space_of(20);
    hid_t other = H5Scopy(space);
    hsize_t points[3] = {1, 5, 7}, dims[2] = {4, 5}, corner[2] = {1, 1}, size[2] = {2, 3};
    pthread_t thread;
    select_of(other, 0, 11);
    write_twice(data, H5T_NATIVE_INT, space, space, 80);
    select_of(space, 2, 5);
    write_twice(data, H5T_NATIVE_INT, space, space, 20);
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, space, 20);
    H5Sselect_elements(space, H5S_SELECT_SET, 3, points);
    write_twice(data, H5T_NATIVE_INT, space, space, 12);
    H5Sselect_copy(space, other);
    write_twice(data, H5T_NATIVE_INT, space, space, 44);
    select_of(space, 0, 20);
    H5Sselect_none(space);
    write_twice(data, H5T_NATIVE_INT, space, space, 0);
    H5Sselect_all(space);
    write_twice(data, H5T_NATIVE_INT, space, space, 80);
    pthread_create(&thread, NULL, select_in_thread, &space);
    pthread_join(thread, NULL);
    write_twice(data, H5T_NATIVE_INT, space, space, 36);
    H5Sset_extent_simple(space, 2, dims, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, corner, NULL, size, NULL);
    select_of(other, 0, 6);
    write_twice(data, H5T_NATIVE_INT, space, other, 24);
    H5Sextent_copy(space, other);
    H5Sselect_copy(space, other);
    write_twice(data, H5T_NATIVE_INT, space, other, 24);
    H5Sclose(space);
    H5Sclose(other);
    H5Dclose(data);
}

static void types(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 3);
    hid_t data = dataset_of(file, "text", type, 10);
    write_twice(data, type, H5S_ALL, H5S_ALL, 30);
    H5Tset_size(type, 7);
    write_twice(data, type, H5S_ALL, H5S_ALL, 70);
    H5Dclose(data);
    H5Tclose(type);
}

/* ---- extents ---- */

static void extents(hid_t file)
{
    hid_t data = dataset_of(file, "grows", H5T_NATIVE_INT, 10);
    hid_t again = H5Fopen("kept.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t same = H5Dopen2(again, "grows", H5P_DEFAULT);
    hsize_t length = 25, shorter = 5;
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 40);
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 40);
    H5Dset_extent(same, &length); /* by another identifier, of another opening of the file */
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 100);
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 100);
    H5DOappend(same, H5P_DEFAULT, 0, 4, H5T_NATIVE_INT,
               values); /* writes inside of another library */
    puts("16");
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 116);
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 116);
    H5Dset_extent(data, &shorter);
    write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 20);
    H5Dclose(same);
    H5Fclose(again);
    H5Dclose(data);
}

/* The same identifier of another dataset, when the library comes up again. */
static void once_more(void)
{
    hid_t first = -1;
    for (hsize_t length = 10; length <= 20; length += 10) {
        H5close();
        hid_t file = H5Fcreate("again.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        hid_t data = dataset_of(file, "d", H5T_NATIVE_INT, length);
        check(first < 0 || data == first, "identifiers do not begin anew");
        first = data;
        write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 4 * length);
        write_twice(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, 4 * length);
        H5Dclose(data);
        H5Fclose(file);
    }
}

/* ---- what other processes change ---- */

static void read_twice(hid_t dataset, size_t bytes)
{
    for (int i = 0; i < 2; i++) {
        check(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0,
              "H5Dread");
        printf("%zu\n", bytes);
    }
    fflush(stdout);
}

static void make_source(int number)
{
    char name[32];
    sprintf(name, "source-%d.h5", number);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = space_of(10);
    hid_t data =
        H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Fclose(file);
}

static void virtual_dataset(hid_t file)
{
    hsize_t length = 10, start = 0, block = 10;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &length, &unlimited);
    hid_t source = space_of(10);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &block, &unlimited, &block);
    H5Pset_virtual(list, space, "source-%b.h5", "d", source);
    hid_t data = H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(data >= 0, "a virtual dataset");
    for (int i = 0; i < 3; i++) {
        char command[64];
        sprintf(command, "\"$KEPT\" source %d", i);
        check(system(command) == 0, "a source");
        read_twice(data, 40 * ((size_t)i + 1));
        read_twice(data, 40 * ((size_t)i + 1));
    }
    H5Dclose(data);
    H5Sclose(source);
    H5Sclose(space);
    H5Pclose(list);
}

static void append(void)
{
    hid_t file = H5Fopen("grows.h5", H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, H5P_DEFAULT);
    hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);
    hsize_t length = 30;
    check(H5Dset_extent(data, &length) >= 0, "what is appended");
    H5Dclose(data);
    H5Fclose(file);
}

static void refreshed(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    hid_t file = H5Fcreate("grows.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Dclose(dataset_of(file, "d", H5T_NATIVE_INT, 10));
    H5Fclose(file);
    file = H5Fopen("grows.h5", H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);
    read_twice(data, 40);
    read_twice(data, 40);
    check(system("HDF5_USE_FILE_LOCKING=FALSE \"$KEPT\" append") == 0, "somebody who appends");
    H5Drefresh(data);
    read_twice(data, 120);
    H5Dclose(data);
    H5Fclose(file);
    H5Pclose(access);
}

/* ---- */

static void by_word(void)
{
    hid_t file = H5Fcreate("word.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
          space = space_of(20);
    hid_t data = dataset_of(file, "d", H5T_NATIVE_INT, 20);
    hsize_t count;
    char word[32];
    while (scanf("%31s", word) == 1) {
        if (strcmp(word, "write") == 0)
            H5Dwrite(data, H5T_NATIVE_INT, space, space, H5P_DEFAULT, values);
        else if (sscanf(word, "select-%llu", (unsigned long long *)&count) == 1)
            select_of(space, 0, count);
        puts(word);
        fflush(stdout);
    }
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "source") == 0) {
        make_source(atoi(argv[2]));
    } else if (argc == 2 && strcmp(argv[1], "append") == 0) {
        append();
    } else if (argc == 2 && strcmp(argv[1], "by-word") == 0) {
        by_word();
    } else {
        hid_t file = H5Fcreate("kept.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        selections(file);
        types(file);
        extents(file);
        virtual_dataset(file);
        H5Fclose(file);
        refreshed();
        once_more();
    }
    return 0;
}
