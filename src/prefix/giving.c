/* Giving files to the system. */
#include "prefix/giving.h"

#include "fs/protocol/fs_messages.h"
#include "prefix/publishing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Programs show ENODEV as "no such device", which says nothing of the cause. */
static void say_no_maps(void)
{
    static bool said;
    static const char text[] =
        "fathom fs: shared maps are refused (ENODEV), as the instance is on several nodes, whose "
        "processes would not see what is written to them: read and write the file, or map it "
        "private, or use an instance on one node\n";
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        write(STDERR_FILENO, text, sizeof text - 1);
}

static bool ask(const struct fth_client_file *file)
{
    struct fth_view view;
    fth_client_begin_request(FTH_MESSAGE_GIVE, file);
    bool done = fth_connection_ask(&fth_client.connection, &view);
    if (!done && errno == ENODEV) {
        say_no_maps();
        errno = ENODEV;
    }
    return done;
}

/* A plain one, with the flags that the program has set. */
static void let_go(int descriptor)
{
    int flags = fth_prefix_flags(descriptor);
    fth_prefix_set_file(descriptor, NULL);
    if (!flags)
        return;
    syscall(SYS_fcntl, descriptor, F_SETFL, fth_prefix_kernel_flags(descriptor) | flags);
    fth_prefix_set_flags(descriptor, 0);
}

static void become_strict(void)
{
    if (fth_prefix.is_strict)
        return;
    fth_prefix.is_strict = true;
    fth_prefix_publish_all();
    fth_prefix_fetch_all();
}

bool fth_prefix_give_again(struct fth_client_file *file)
{
    if (!file->is_given && !ask(file))
        return false;
    file->is_given = true;
    become_strict();
    return true;
}

static bool give(struct fth_client_file *file, int descriptor)
{
    if (!fth_prefix_publish(file, descriptor) || !ask(file) ||
        !fth_prefix_write_given(file, descriptor))
        return false;
    for (int i = 0; i < FTH_PREFIX_DESCRIPTORS; i++)
        if (fth_prefix_opened[i] == file)
            let_go(i);
    file->handles = 0;
    file->writer = -1;
    file->is_held = false;
    file->is_given = true;
    become_strict();
    return true;
}

bool fth_prefix_give(int descriptor)
{
    int before = errno;
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_file(descriptor);
    bool done = !file || give(file, descriptor);
    fth_prefix_leave(signals);
    if (done)
        errno = before;
    return done;
}
