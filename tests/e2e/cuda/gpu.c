/* A program with CUDA: gpu SCENE TURNS HOW. HOW: linked (libcuda.so.1 was there at the start) or
 * loaded. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "program", *how = argc > 3 ? argv[3] : "linked";
    int turns = argc > 2 ? atoi(argv[2]) : 1;
    void *cuda = dlopen(strcmp(how, "loaded") == 0 ? getenv("LIBCUDA") : "libcuda.so.1", RTLD_NOW);
    int (*version)(int *) = cuda ? (int (*)(int *))dlsym(cuda, "cuDriverGetVersion") : NULL,
                       found = 0;
    if (!version || version(&found) != 0)
        return 2;
    int file = open("gpu.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    usleep(2000);
    void *cupti = dlopen("libcupti.so", RTLD_NOW | RTLD_NOLOAD);
    void (*play)(const char *, int) =
        cupti ? (void (*)(const char *, int))dlsym(cupti, "fake_play") : NULL;
    if (play)
        play(scene, turns);
    dprintf(file, "CUDA %d\n", found);
    close(file);
    printf("done\n");
    fflush(stdout);
    if (strcmp(how, "forks") == 0 && fork() == 0)
        exit(0);
    while (wait(NULL) > 0) /* `record` waits for no grandchild */
        ;
    return 3;
}
