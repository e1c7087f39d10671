// Heat in a rod: a solver in small functions, of which one writes. Nothing in it is about recording.
#include <cstdio>
#include <string>
#include <vector>

class Rod
{
  public:
    explicit Rod(int cells) : now(cells), next(cells)
    {
        now.front() = 100.0;
    }

    void step()
    {
        for (size_t i = 0; i < now.size(); i++)
            next[i] = mean(i);
        now.swap(next);
    }

    void save(const std::string &path) const
    {
        std::FILE *file = std::fopen(path.c_str(), "wb");
        if (!file || std::fwrite(now.data(), sizeof(double), now.size(), file) != now.size() || std::fclose(file))
            std::perror(path.c_str());
    }

  private:
    double mean(size_t i) const
    {
        if (i == 0 || i + 1 == now.size())
            return now[i];
        return (now[i - 1] + now[i] + now[i + 1]) / 3;
    }

    std::vector<double> now, next;
};

static void solve(Rod &rod, int steps)
{
    for (int step = 0; step < steps; step++) {
        rod.step();
        if (step % 10 == 0)
            rod.save("rod." + std::to_string(step));
    }
}

int main()
{
    Rod rod(100);
    solve(rod, 30);
    return 0;
}
