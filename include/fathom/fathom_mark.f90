! Regions and counters of an application in its trace, as in <fathom/mark.h> for C. Compile this file
! with the program:
!
!     use fathom_mark
!     call fathom_begin('solve')
!     call fathom_counter('residual', n)      ! default integer, or integer(8)
!     call fathom_end('solve')
!
! Nothing has to be linked, except -ldl before glibc 2.34. If the program is not recorded, a call
! returns at once. Trailing blanks of names are removed.
module fathom_mark
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: fathom_begin, fathom_end, fathom_counter

    abstract interface
        subroutine name_function(name) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
        subroutine counter_function(name, value) bind(c)
            import :: c_char, c_int64_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: value
        end subroutine
    end interface

    interface
        function dlsym(handle, name) bind(c, name='dlsym') result(address)
            import :: c_ptr, c_char, c_funptr
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: address
        end function
    end interface

    interface fathom_counter
        module procedure counter_default, counter_long
    end interface

    logical, save :: is_known = .false., is_there = .false.
    procedure(name_function), pointer, save :: begin_there => null(), end_there => null()
    procedure(counter_function), pointer, save :: counter_there => null()

contains

    logical function is_recorded()
        type(c_funptr) :: first, second, third
        if (.not. is_known) then
            first = dlsym(c_null_ptr, 'fth_mark_1_begin'//c_null_char)
            second = dlsym(c_null_ptr, 'fth_mark_1_end'//c_null_char)
            third = dlsym(c_null_ptr, 'fth_mark_1_counter'//c_null_char)
            if (c_associated(first) .and. c_associated(second) .and. c_associated(third)) then
                call c_f_procpointer(first, begin_there)
                call c_f_procpointer(second, end_there)
                call c_f_procpointer(third, counter_there)
                is_there = .true.
            end if
            is_known = .true.
        end if
        is_recorded = is_there
    end function

    subroutine fathom_begin(name)
        character(*), intent(in) :: name
        if (is_recorded()) call begin_there(trim(name)//c_null_char)
    end subroutine

    subroutine fathom_end(name)
        character(*), intent(in) :: name
        if (is_recorded()) call end_there(trim(name)//c_null_char)
    end subroutine

    subroutine counter_long(name, value)
        character(*), intent(in) :: name
        integer(c_int64_t), intent(in) :: value
        if (is_recorded()) call counter_there(trim(name)//c_null_char, value)
    end subroutine

    subroutine counter_default(name, value)
        character(*), intent(in) :: name
        integer, intent(in) :: value
        call counter_long(name, int(value, c_int64_t))
    end subroutine

end module
