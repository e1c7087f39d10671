import netCDF4

with netCDF4.Dataset("data.nc", "w") as data:
    data.createDimension("x", 4)
    values = data.createGroup("below").createVariable("values", "i4", ("x",))
    values[:] = [1, 2, 3, 4]
with netCDF4.Dataset("data.nc") as data:
    print(data["below/values"][1:3])
