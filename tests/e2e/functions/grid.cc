// Functions as regions: classes, templates, exceptions, lambdas, threads.
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

static int file;

static void touch(int bytes)
{
    if (pwrite(file, "0123456789abcdef", bytes, 0) != bytes)
        throw std::runtime_error("pwrite");
}

namespace io
{
template <class T> class Grid
{
  public:
    explicit Grid(int size) : cells(size) { touch(1); }
    ~Grid() { touch(2); }
    void save(const T &, const char *) { touch(3); }
    T &operator[](int at) { touch(4); return cells[at]; }

  private:
    std::vector<T> cells;
};
} // namespace io

namespace
{
void hidden() { touch(5); }
} // namespace

static void fails(int depth)
{
    touch(6);
    if (depth)
        fails(depth - 1);
    else
        throw std::runtime_error("no");
}

static void recurse(int depth)
{
    if (depth)
        recurse(depth - 1);
    else
        touch(7);
}

static void work()
{
    touch(8);
}

int main()
{
    file = open("data", O_RDWR | O_CREAT, 0644);
    {
        io::Grid<double> grid(10);
        grid.save(grid[3], "text");
    }
    hidden();
    try {
        fails(2);
    } catch (const std::exception &) {
        touch(9);
    }
    recurse(200);
    auto lambda = [](int bytes) { touch(bytes); };
    lambda(10);
    std::thread one(work), other(work);
    one.join();
    other.join();
    std::puts("done");
    return 0;
}
