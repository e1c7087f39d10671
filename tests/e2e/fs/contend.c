/* contend FILE N: processes write N times the same bytes, with examples/fs/posix_locks.c: each
 * write takes the lock from the others, and none fails. */
#include "model.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITERS = 3, SIZE = 100 };

static bool writes(const char *name, int times, char byte)
{
    char bytes[SIZE];
    struct model_file *file = model_open(name);
    memset(bytes, byte, sizeof bytes);
    for (int i = 0; file && i < times; i++)
        if (model_write(file, bytes, sizeof bytes, 0) != SIZE)
            return false;
    return file && model_close(file) == 0;
}

static bool is_of_one(const char *name)
{
    char bytes[SIZE] = "";
    struct model_file *file = model_open(name);
    if (!file || model_read(file, bytes, sizeof bytes, 0) != SIZE)
        return false;
    for (int i = 1; i < SIZE; i++)
        if (bytes[i] != bytes[0])
            return false;
    return bytes[0] >= 'a';
}

int main(int count, char **words)
{
    bool good = count == 3;
    int status;
    for (int i = 0; good && i < WRITERS; i++) {
        pid_t child = fork();
        if (child == 0) {
            bool done = writes(words[1], atoi(words[2]), (char)('a' + i));
            if (!done)
                perror("a writer");
            _exit(!done);
        }
        good = child > 0;
    }
    while (wait(&status) > 0)
        good &= status == 0;
    return !good || !is_of_one(words[1]);
}
