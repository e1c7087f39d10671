! The checkpoint of an astrophysics code, FLASH: each process has blocks of cells, with guard cells around
! them and the variables of a cell side by side. In the file each variable is an array of its own, without
! guard cells.
program flash
  use mpi
  implicit none
  integer, parameter :: blocks = 5, cells = 8, guards = 4, variables = 6, side = cells + 2 * guards
  integer, parameter :: first = guards + 1, last = guards + cells
  real(8) :: unknowns(variables, side, side, side, blocks)
  integer :: rank, size, error, b, v, x, y, z

#begin_options
library: pnetcdf; file: "flash.checkpoint";
processes: 4;
assume: blocks = 5, cells = 8;
#end_options

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  do b = 1, blocks
    do z = 1, side
      do y = 1, side
        do x = 1, side
          do v = 1, variables
            unknowns(v, x, y, z, b) = (v - 1) * 1d6 + (rank * blocks + b - 1) * 1d3 &
              + ((z - first) * cells + y - first) * cells + x - first
          end do
        end do
      end do
    end do
  end do

  #begin_dimensions
  x: cells; y: cells; z: cells; all: size * blocks;
  #end_dimensions
  #begin_variables
  dens: double, 4, x, y, z, all;
  pres: double, 4, x, y, z, all;
  temp: double, 4, x, y, z, all;
  velx: double, 4, x, y, z, all;
  vely: double, 4, x, y, z, all;
  velz: double, 4, x, y, z, all;
  #end_variables
  #begin_attributes
  unit: dens, char, "g/cm^3";
  time: *, double, 0.5d0;
  #end_attributes
  #begin_write
  array: rank, dens, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(1, first:last, first:last, first:last, :);
  array: rank, pres, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(2, first:last, first:last, first:last, :);
  array: rank, temp, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(3, first:last, first:last, first:last, :);
  array: rank, velx, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(4, first:last, first:last, first:last, :);
  array: rank, vely, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(5, first:last, first:last, first:last, :);
  array: rank, velz, 1, cells, 1, cells, 1, cells, rank * blocks + 1, blocks, unknowns(6, first:last, first:last, first:last, :);
  #end_write
  call MPI_Finalize(error)
end program flash
