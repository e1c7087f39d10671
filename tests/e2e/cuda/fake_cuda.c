/* A libcuda.so.1 without a GPU: it is there, and a program can ask it for its version. */
int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    return (int)flags;
}

int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version)
{
    *version = 12090;
    return 0;
}
