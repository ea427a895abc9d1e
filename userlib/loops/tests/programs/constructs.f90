! SPDX-License-Identifier: MIT
! OpenMP from Fortran: reductions over arrays, sections, tasks, threadprivate variables and loops within loops.
program constructs
    use omp_lib
    implicit none
    integer, parameter :: n = 40
    integer :: i, j, k, total, last, rests(5), most(3), parts(2), had(n)
    integer, allocatable :: counts(:)
    integer, save :: own
    double precision :: x(n), y
    integer (omp_nest_lock_kind) :: locks(2)
    !$omp threadprivate(own)

    rests = 0
    most = 1
    allocate (counts(4))
    counts = 0
    !$omp parallel do reduction(+: rests, counts) reduction(max: most) schedule(dynamic, 3)
    do i = 1, n
        rests(mod(i, 5) + 1) = rests(mod(i, 5) + 1) + i
        counts(mod(i, 4) + 1) = counts(mod(i, 4) + 1) + 1
        most = max(most, [i, 2 * i, -i])
    end do
    print '(a, 12(1x, i0))', 'arrays', rests, counts, most

    total = 0
    !$omp parallel do collapse(3) schedule(guided, 2) reduction(+: total)
    do i = 1, 4
        do j = 1, 5
            do k = 10, 1, -3
                total = total + i * j * k
            end do
        end do
    end do
    print '(a, i0)', 'collapse ', total

    parts = 0
    !$omp parallel sections lastprivate(last)
    !$omp section
    parts(1) = 1
    last = 1
    !$omp section
    parts(2) = 2
    last = 2
    !$omp end parallel sections
    print '(a, 3(1x, i0))', 'sections', parts, last

    own = 7
    total = 0
    !$omp parallel copyin(own) reduction(+: total)
    total = total + mod(own, 7)
    !$omp end parallel
    print '(a, i0)', 'copyin ', total

    had = 0
    total = 0
    !$omp parallel private(j)
    !$omp single
    j = 3
    !$omp end single copyprivate(j)
    !$omp single
    do i = 1, n
        !$omp task firstprivate(i)
        !$omp atomic
        total = total + i * j
        !$omp end task
    end do
    !$omp taskwait
    !$omp taskloop grainsize(4)
    do i = 1, n
        had(i) = had(i) + 1
    end do
    !$omp end taskloop
    last = 0
    do i = 1, 5
        !$omp task depend(inout: last) firstprivate(i)
        last = last * 2 + i
        !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    print '(a, 4(1x, i0))', 'tasks', total, minval(had), maxval(had), last

    !$omp parallel workshare
    x = 3
    where (x > 2) x = x + 1
    y = sum(x)
    !$omp end parallel workshare
    !$omp parallel do simd reduction(+: y) schedule(nonmonotonic: dynamic)
    do i = 1, n
        y = y + i
    end do
    print '(a, f8.1)', 'workshare', y

    ! Side by side: each has the room that the compiler gives it.
    call omp_init_nest_lock(locks(1))
    call omp_init_nest_lock(locks(2))
    total = 0
    !$omp parallel do schedule(dynamic) num_threads(3)
    do i = 1, n
        call omp_set_nest_lock(locks(2))
        call omp_set_nest_lock(locks(1))
        call omp_set_nest_lock(locks(1))
        total = total + i
        call omp_unset_nest_lock(locks(1))
        call omp_unset_nest_lock(locks(1))
        call omp_unset_nest_lock(locks(2))
    end do
    parts(1) = omp_test_nest_lock(locks(1))
    parts(2) = omp_test_nest_lock(locks(1))
    print '(a, 4(1x, i0))', 'locks', total, parts, omp_test_nest_lock(locks(2))
    call omp_destroy_nest_lock(locks(1))
    call omp_destroy_nest_lock(locks(2))
end program constructs
