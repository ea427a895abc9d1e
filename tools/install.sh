#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes sure that a command's needs are met:
# tools/install.sh run|native|deb|test|check|iso|debug|report|compare|paper|mutate.
# Nothing missing: returns at once. Something missing: installs it through apt when that is allowed, saying
# what; otherwise names the packages and the line to type, and fails.
set -eu

missing=""
wished=""
want_command() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
wish_command() { command -v "$1" >/dev/null 2>&1 || wished="$wished $2"; } # better with it, possible without
want_file() { # want_file PACKAGE PATH... : any of the paths will do
    package=$1
    shift
    for path in "$@"; do
        if [ -e "$path" ]; then return; fi
    done
    missing="$missing $package"
}
build_needs() {
    want_command g++ g++
    want_command gcc gcc
    want_command gfortran gfortran
    want_command make make
    want_file python3 /usr/bin/python3
}
native_needs() {
    want_file nlohmann-json3-dev /usr/include/nlohmann/json.hpp
}
run_needs() {
    build_needs
    want_command qemu-system-x86_64 qemu-system-x86
}
mpi_wishes() {
    wish_command mpicc.mpich libmpich-dev
    wish_command mpirun.mpich mpich
    wish_command mpicc.openmpi libopenmpi-dev
    wish_command mpirun.openmpi openmpi-bin
}
python_packages=/usr/lib/python3/dist-packages
compare_needs() {
    mpi_wishes
    want_file python3 /usr/bin/python3
    want_file python3-scipy $python_packages/scipy
}
report_needs() {
    compare_needs
    want_file python3-matplotlib $python_packages/matplotlib
    want_file python3-jinja2 $python_packages/jinja2
}
iso_needs() {
    run_needs
    want_command grub-mkrescue grub-common
    want_command xorriso xorriso
    want_command mformat mtools
    want_file grub-pc-bin /usr/lib/grub/i386-pc
}
mutate_needs() {
    want_file python3-clang-19 $python_packages/clang/cindex.py
    want_command git git
}
test_needs() {
    iso_needs
    native_needs
    want_file libblas-dev /usr/lib/*/libblas.a
    want_file libtirpc-dev /usr/lib/*/libtirpc.a
    want_file catch2 /usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp
    wish_command glpsol glpk-utils
    wish_command gdb gdb
    wish_command valgrind valgrind
    wish_command strace strace
    wish_command cmake cmake
    wish_command pkg-config pkgconf
    wish_command man man-db
    wish_command groff groff
    mpi_wishes
    if [ ! -e "$python_packages/clang" ]; then wished="$wished python3-clang-19"; fi
    for package in scipy matplotlib jinja2; do
        if [ ! -e "$python_packages/$package" ]; then wished="$wished python3-$package"; fi
    done
}

case "${1:-run}" in
run) run_needs ;;
native)
    build_needs
    native_needs
    ;;
deb)
    build_needs
    native_needs
    want_command dpkg-shlibdeps dpkg-dev
    ;;
iso) iso_needs ;;
test) test_needs ;;
report) report_needs ;;
mutate)
    build_needs
    native_needs
    mutate_needs
    want_file catch2 /usr/include/catch2/catch.hpp /usr/include/catch2/catch_all.hpp
    ;;
compare) compare_needs ;;
paper)
    run_needs
    report_needs
    ;;
debug)
    run_needs
    want_command gdb gdb
    ;;
check)
    run_needs
    want_command clang-19 clang-19
    want_command clang-format-19 clang-format-19
    ;;
*)
    echo "tools/install.sh: run, native, deb, test, check, iso, debug, report, compare, paper or mutate," \
        "not '$1'" >&2
    exit 2
    ;;
esac
if [ -z "$missing$wished" ]; then exit 0; fi

install="env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends"
apt="$install$missing"
as_root=""
if [ "$(id -u)" != 0 ]; then
    as_root=no
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root="sudo -n"; fi
fi
if [ -n "$wished" ] && [ "$as_root" != no ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing through apt, for more tests:$wished" >&2
    { $as_root $install$wished ||
        { $as_root apt-get update && $as_root $install$wished; }; } >/dev/null 2>&1 ||
        echo "apt could not install:$wished; some tests are skipped" >&2
fi
if [ -z "$missing" ]; then exit 0; fi
if [ "$as_root" = no ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "This needs packages that are not installed:$missing" >&2
    echo "Install them with: sudo ${apt#env * }" >&2
    exit 1
fi
echo "Installing missing packages through apt:$missing" >&2
log=$(mktemp)
if ! { $as_root $apt || { $as_root apt-get update && $as_root $apt; }; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    echo "apt could not install:$missing. To try by hand: $as_root $apt" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"
