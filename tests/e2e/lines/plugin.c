/* A library with one call; built twice, with another line. */
#include <unistd.h>

void write_one(int file);
void write_one(int file)
{
    if (WHICH == 1 && write(file, "one", 3) != 3) /* line: first */
        _exit(9);
    if (WHICH == 2 && write(file, "two", 3) != 3) /* line: second */
        _exit(9);
}
