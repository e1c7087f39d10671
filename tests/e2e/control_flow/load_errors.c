/* Loads what is not there, and asks why only after other calls. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int failed = dlopen("/not/there.so", RTLD_LAZY) == NULL;
    if (mkdir("folder", 0755) != 0 || access("folder", F_OK) != 0 || rmdir("folder") != 0)
        return 1;
    const char *why = dlerror();
    FILE *out = fopen("said", "w");
    fprintf(out, "%d: %s\n", failed, why ? why : "nothing");
    fclose(out);
    failed = dlsym(RTLD_DEFAULT, "not_there") == NULL;
    close(open("said", O_RDONLY));
    why = dlerror();
    char *name = realpath("said", NULL);
    printf("%d: %s\n", failed, why ? why : "nothing");
    puts(dlerror() ? "more" : "no more");
    free(name);
    return 0;
}
