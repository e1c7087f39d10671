#!/usr/bin/env bash
# Means of years of a climate that it makes, with cdo and the NetCDF operators. In the current folder.
#     fathom record -o climate.fathom -- bash climate.sh
#     fathom workflow show climate.fathom
set -euo pipefail
for year in 1 2 3; do
    cdo -s -f nc -settaxis,200$year-01-01,12:00,1mon -for,1,12 raw$year.nc
    ncks -O raw$year.nc year$year.nc
done
ncrcat -O year1.nc year2.nc year3.nc all.nc
ncra -O all.nc mean.nc
cdo -s timmean all.nc mean_by_cdo.nc
ncdump mean.nc >mean.txt
ncatted -O -a units,,o,c,K all.nc
cdo -s info all.nc >info.txt
