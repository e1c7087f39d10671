/* An MPI library that nobody knows (-DLIBRARY), and a program on top of it. */
#ifdef LIBRARY
#include <string.h>
int PMPI_Init(int *count, char ***arguments)
{
    return 0;
}
int PMPI_Get_library_version(char *version, int *length)
{
    *length = (int)strlen(strcpy(version, "Foreign MPI 1.0"));
    return 0;
}
int MPI_Init(int *count, char ***arguments)
{
    return PMPI_Init(count, arguments);
}
#else
#include <stdio.h>
int MPI_Init(int *count, char ***arguments);
int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    FILE *file = fopen("file", "w");
    return fputs("words", file) < 0 || fclose(file) != 0 ? 1 : 3;
}
#endif
