/* A child that makes no call until its end, by a trap. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    pid_t child = fork();
    if (!child)
        __builtin_trap();
    return waitpid(child, NULL, 0) != child;
}
