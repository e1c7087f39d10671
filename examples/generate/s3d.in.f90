! The checkpoints of a combustion code, S3D: four arrays over a grid in blocks of three dimensions; of mass
! and velocity each process has all of the fourth one. Three files, one for each checkpoint.
module fields
  implicit none
  integer, parameter :: nx = 16, ny = 12, nz = 8, px = 2, py = 2, pz = 1, species = 11
  integer, parameter :: lx = nx / px, ly = ny / py, lz = nz / pz
  real(8) :: mass(lx, ly, lz, species), pressure(lx, ly, lz), temperature(lx, ly, lz), velocity(lx, ly, lz, 3)
contains
  subroutine compute(x0, y0, z0, checkpoint)
    integer, intent(in) :: x0, y0, z0, checkpoint
    integer :: x, y, z, point, c
    do z = 1, lz
      do y = 1, ly
        do x = 1, lx
          point = ((z0 + z - 2) * ny + y0 + y - 2) * nx + x0 + x - 2
          do c = 1, species
            mass(x, y, z, c) = 1d6 * checkpoint + 1d4 * (c - 1) + point
          end do
          do c = 1, 3
            velocity(x, y, z, c) = 1d6 * checkpoint + 1d4 * (19 + c) + point
          end do
          pressure(x, y, z) = 1d6 * checkpoint + 1d4 * 30 + point
          temperature(x, y, z) = 1d6 * checkpoint + 1d4 * 40 + point
        end do
      end do
    end do
  end subroutine compute
end module fields

program s3d
  use mpi
  use fields
  implicit none
  integer :: rank, error, x, y, z, checkpoint
  character(len=64) :: name

#begin_options
library: pnetcdf;
processes: 4;
assume: nx = 16, ny = 12, nz = 8, px = 2, py = 2, pz = 1, species = 11;
assume: lx = nx / px, ly = ny / py, lz = nz / pz;
assume: x = mod(rank, px) * lx + 1, y = mod(rank / px, py) * ly + 1, z = rank / (px * py) * lz + 1;
#end_options

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  x = mod(rank, px) * lx + 1
  y = mod(rank / px, py) * ly + 1
  z = rank / (px * py) * lz + 1
  do checkpoint = 0, 2
    write (name, '(a,i0)') 'field.', checkpoint
    call compute(x, y, z, checkpoint)
    #begin_options
    file: name;
    #end_options
    #begin_dimensions
    nx: nx; ny: ny; nz: nz; species: species; component: 3;
    #end_dimensions
    #begin_variables
    mass: double, 4, nx, ny, nz, species;
    pressure: double, 3, nx, ny, nz;
    temperature: double, 3, nx, ny, nz;
    velocity: double, 4, nx, ny, nz, component;
    #end_variables
    #begin_write
    array: rank, mass, x, lx, y, ly, z, lz, 1, species, mass;
    array: rank, pressure, x, lx, y, ly, z, lz, pressure;
    array: rank, temperature, x, lx, y, ly, z, lz, temperature;
    array: rank, velocity, x, lx, y, ly, z, lz, 1, component, velocity;
    #end_write
  end do
  call MPI_Finalize(error)
end program s3d
