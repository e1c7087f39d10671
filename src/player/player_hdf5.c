/* What the player must know of HDF5: its library, and the identifiers that it makes itself, which
 * it keeps in variables: H5T_NATIVE_INT is H5T_NATIVE_INT_g, H5P_DATASET_XFER is
 * H5P_CLS_DATASET_XFER_ID_g. */
#include "player/find_hdf5.h"
#include "player/player.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void *library;
    bool has_begun;
    int (*open)(void);
    int (*close)(void);
    int (*set_messages)(int64_t stack, void *function, void *context);
} hdf5;

static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found)
        fth_player_fail("the HDF5 library has no %s; select another one with --hdf5", name);
    memcpy(function, &found, sizeof found);
}

static size_t functions_of_hdf5(const char **names)
{
    const struct fth_player *player = &fth_player;
    size_t count = 0;
    for (uint32_t i = 0; i < player->plan->function_count; i++)
        if (player->functions[i].is_hdf5 && player->functions[i].is_called)
            names[count++] = fth_player_blob(player->functions[i].name);
    return count;
}

void fth_player_load_hdf5(const char *path)
{
    const char **names = calloc(fth_player.plan->function_count, sizeof *names), *lacks;
    if (!names)
        fth_player_fail("out of memory");
    size_t count = functions_of_hdf5(names);
    hdf5.library = fth_player_open_hdf5(path, fth_player.plan->abi, names, count, &lacks);
    if (!hdf5.library)
        fth_player_fail(lacks ? "the HDF5 library has no %s; select another one with --hdf5"
                              : "there is no library of HDF5 (%s); name it with --hdf5",
                        lacks ? lacks : dlerror());
    free(names);
    find("H5open", &hdf5.open);
    find("H5close", &hdf5.close);
    find("H5Eset_auto2", &hdf5.set_messages);
}

/* After MPI, so that it ends before that; in a program that another one became with its first
 * call. */
void fth_player_begin_hdf5(void)
{
    if (hdf5.has_begun)
        return;
    hdf5.has_begun = true;
    hdf5.open();
    hdf5.set_messages(0, NULL, NULL); /* of calls that failed in the run, too */
}

static int64_t variable(const char *format, const char *name, int length)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, format, length, name);
    const int64_t *found = dlsym(RTLD_DEFAULT, symbol);
    return found ? *found : 0;
}

int64_t fth_player_hdf5_predefined(const char *name)
{
    static const char ending[] = "_DEFAULT";
    size_t length = strlen(name), of_ending = sizeof ending - 1;
    if (!strncmp(name, "H5T_", 4))
        return variable("%.*s_g", name, (int)length);
    bool is_list = length > of_ending && !strcmp(name + length - of_ending, ending);
    return is_list ? variable("H5P_LST_%.*s_ID_g", name + 4, (int)(length - of_ending - 4))
                   : variable("H5P_CLS_%.*s_ID_g", name + 4, (int)length - 4);
}

void fth_player_end_hdf5(void)
{
    if (hdf5.has_begun && !fth_player.in_mpi) /* with MPI it ended when that did */
        hdf5.close();
    hdf5.has_begun = false;
}
