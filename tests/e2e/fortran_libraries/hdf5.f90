! What libhdf5_fortran and libhdf5hl_fortran call for a program.
program write_it
    use hdf5
    use h5lt
    implicit none
    integer(hid_t) :: file, space, set, without_time
    integer(hsize_t) :: dims(2) = [4, 3]
    integer :: error, values(4, 3), back(4, 3)

    values = 7
    call h5open_f(error)
    call h5fcreate_f('data.h5', H5F_ACC_TRUNC_F, file, error)
    call h5screate_simple_f(2, dims, space, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, without_time, error)
    call h5pset_obj_track_times_f(without_time, .false., error)
    call h5dcreate_f(file, 'heights', H5T_NATIVE_INTEGER, space, set, error, without_time)
    call h5pclose_f(without_time, error)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, error)
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
    call h5ltread_dataset_int_f(file, 'heights', back, dims, error)
    call h5fclose_f(file, error)
    call h5close_f(error)
    print *, sum(back), error
end program
