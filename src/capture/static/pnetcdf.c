/* What the wrappers of PnetCDF ask of a static PnetCDF (../pnetcdf/ask_pnetcdf.c). */
#include "capture/static/slots.h"

#define ASKED(name) FTH_STATIC_SYMBOL(pnetcdf, name, "__real_" name)

FTH_STATIC_LIBRARY(pnetcdf)
ASKED("ncmpi_open")
ASKED("ncmpi_inq_varndims")
ASKED("ncmpi_inq_vardimid")
ASKED("ncmpi_inq_dimlen")
FTH_STATIC_SYMBOL(pnetcdf, "PMPI_Type_size", "PMPI_Type_size")
