/* A child that makes no call until its end, by a trap; with any argument two of them, after one of
 * system. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    struct rlimit none = {0, 0};
    (void)arguments;
    if (count > 1 && system("exit 0") != 0)
        return 1;
    setrlimit(RLIMIT_CORE, &none);
    for (int i = count > 1 ? 2 : 1; i > 0; i--) {
        pid_t child = fork();
        if (!child)
            __builtin_trap();
        if (waitpid(child, NULL, 0) != child)
            return 1;
    }
    return 0;
}
