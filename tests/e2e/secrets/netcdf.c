/* The secret in attributes, variables and fill values of NetCDF. */
#include <netcdf.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char secret[32] = "";
    FILE *from = fopen("secret", "re");
    if (!from || !fread(secret, 1, sizeof secret - 1, from))
        return 1;
    fclose(from);
    size_t length = strlen(secret), start = 0;
    int file, dimension, variable;
    if (nc_create("data.nc", NC_NETCDF4 | NC_CLOBBER, &file))
        return 1;
    nc_def_dim(file, "length", length, &dimension);
    nc_def_var(file, "variable", NC_CHAR, 1, &dimension, &variable);
    nc_def_var_fill(file, variable, NC_FILL, secret);
    nc_put_att_text(file, variable, "text", length, secret);
    nc_put_att(file, NC_GLOBAL, "any", NC_CHAR, length, secret);
    nc_put_att_schar(file, NC_GLOBAL, "numbers", NC_BYTE, length, (const signed char *)secret);
    nc_enddef(file);
    nc_put_var_text(file, variable, secret);
    nc_put_vara_text(file, variable, &start, &length, secret);
    return nc_close(file) != 0;
}
