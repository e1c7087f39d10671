/* What the wrappers of NetCDF ask of a static NetCDF (../netcdf/ask_netcdf.c). */
#include "capture/static/slots.h"

#define ASKED(name) FTH_STATIC_SYMBOL(netcdf, name, "__real_" name)

FTH_STATIC_LIBRARY(netcdf)
ASKED("nc_open")
ASKED("nc_inq_varndims")
ASKED("nc_inq_vardimid")
ASKED("nc_inq_dimlen")
ASKED("nc_inq_vartype")
ASKED("nc_inq_type")
