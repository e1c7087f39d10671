/* Which of these files have instructions of their own that make queues: a line for each, with the
 * address of the first, or "-" where there is none, or "?" where the file cannot be read. */
#include "prefix/code_file.h"
#include "prefix/queue_instructions.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void show(const char *path)
{
    struct fth_code_file mapped;
    const uint8_t *where;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || !fth_code_file_map(file, &mapped)) {
        printf("? %s\n", path);
    } else {
        if (fth_code_makes_queues(&mapped.code, &where))
            printf("%lx %s\n", (unsigned long)((uintptr_t)where - mapped.code.base), path);
        else
            printf("- %s\n", path);
        fth_code_file_unmap(&mapped);
    }
    if (file >= 0)
        close(file);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        show(argv[i]);
    return 0;
}
