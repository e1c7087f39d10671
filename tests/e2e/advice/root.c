/* A file of NetCDF that is asked for its root group, and closed. */
#include <netcdf.h>

int main(void)
{
    int file, root;
    return nc_create("root.nc", NC_NETCDF4 | NC_CLOBBER, &file) ||
           nc_inq_grp_full_ncid(file, "/", &root) || nc_close(file);
}
