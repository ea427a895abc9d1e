! SPDX-License-Identifier: MIT
! `target` with arguments that a caller leaves out, and allocators from Fortran; prints what is the same with
! any runtime and any number of threads.
program devices
    use omp_lib
    use iso_c_binding
    implicit none
    integer(omp_allocator_handle_kind) :: allocator
    type(omp_alloctrait) :: traits(1)
    type(c_ptr) :: memory
    integer :: number, changed
    integer, allocatable :: many(:)

    changed = 1
    call region(changed)
    call region()
    many = [1, 2, 3]
    call of_many(many)
    call of_many()
    print '(a, i0)', 'changed ', changed

    traits(1) = omp_alloctrait(omp_atk_alignment, 256)
    allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
    memory = omp_alloc(100_c_size_t, allocator)
    print '(a, l1, 1x, l1)', 'allocator ', c_associated(memory), &
        mod(transfer(memory, 0_c_intptr_t), 256_c_intptr_t) == 0
    call omp_free(memory, allocator)
    call omp_destroy_allocator(allocator)
    call omp_set_default_allocator(omp_cgroup_mem_alloc)
    print '(a, l1)', 'default ', omp_get_default_allocator() == omp_cgroup_mem_alloc

    number = 0
    !$omp target teams num_teams(2) map(tofrom: number)
    number = number + omp_get_num_teams() + omp_get_team_num()
    !$omp end target teams
    print '(a, i0, 1x, i0)', 'teams ', number, omp_get_num_teams()

contains
    subroutine region(value)
        integer, optional :: value
        integer :: own
        own = 10
        !$omp target has_device_addr(value) firstprivate(own)
        own = own + 1
        if (present(value)) value = value + own
        !$omp end target
        if (own /= 10) stop 1
    end subroutine region
    subroutine of_many(values)
        integer, optional, allocatable :: values(:)
        !$omp target has_device_addr(values)
        if (present(values)) then
            if (any(values /= [1, 2, 3])) stop 2
        end if
        !$omp end target
    end subroutine of_many
end program devices
