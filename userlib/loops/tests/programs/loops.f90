! SPDX-License-Identifier: MIT
! OpenMP from Fortran: loops, reductions, ordered, workshare, critical and the calls of omp_lib.
program loops
    use omp_lib
    implicit none
    integer :: i, j, last, members, order, disorder, many
    integer, parameter :: most = 1000
    integer :: had(most)
    double precision :: total, field(64, 64), started
    integer(kind=omp_lock_kind) :: lock
    integer(kind=omp_sched_kind) :: kind_of
    integer :: chunk

    had = 0
    !$omp parallel do schedule(dynamic, 3)
    do i = 1, most
        had(i) = had(i) + 1
    end do
    !$omp parallel do schedule(guided)
    do i = most, 1, -1
        had(i) = had(i) + 1
    end do
    !$omp parallel do schedule(runtime)
    do i = 1, most
        had(i) = had(i) + 1
    end do
    print '(a, i0, 1x, i0)', 'had ', minval(had), maxval(had)

    total = 0
    last = 0
    !$omp parallel do reduction(+: total) lastprivate(last) schedule(dynamic) collapse(2)
    do j = 1, 64
        do i = 1, 64
            field(i, j) = i * j
            total = total + field(i, j)
            last = i + j
        end do
    end do
    print '(a, f12.1, 1x, i0)', 'total ', total, last

    order = 0
    disorder = 0
    !$omp parallel do ordered schedule(dynamic, 2)
    do i = 1, 200
        !$omp ordered
        if (i /= order + 1) disorder = disorder + 1
        order = i
        !$omp end ordered
    end do
    print '(a, i0, 1x, i0)', 'ordered ', order, disorder

    call omp_init_lock(lock)
    members = 0
    many = 0
    !$omp parallel
    call omp_set_lock(lock)
    members = members + 1
    call omp_unset_lock(lock)
    !$omp barrier
    !$omp single
    if (members /= omp_get_num_threads()) members = -1
    !$omp end single
    !$omp critical
    many = many + 1
    !$omp end critical
    !$omp workshare
    field = field * 2
    !$omp end workshare
    !$omp end parallel
    call omp_destroy_lock(lock)
    print '(a, l1, 1x, l1, f12.1)', 'team ', members == many, omp_in_parallel(), sum(field)

    call omp_set_schedule(omp_sched_dynamic, 5)
    call omp_get_schedule(kind_of, chunk)
    started = omp_get_wtime()
    print '(a, i0, 1x, i0, 1x, l1)', 'schedule ', kind_of, chunk, omp_get_wtime() >= started
end program loops
