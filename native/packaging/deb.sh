#!/bin/sh
# SPDX-License-Identifier: MIT
# make deb: one package of the native library, from what `make install' would install under /usr.
# deb.sh BUILD/native VERSION OUT
set -eu

native=$1 version=$2 out=$3
here=$(dirname -- "$0")
name=parley-nx # the name parley is taken
architecture=$(dpkg --print-architecture)
file=$out/${name}_${version}_$architecture.deb
folder=$(mktemp -d)
finish()
{
    status=$?
    rm -rf -- "$folder" "$file.part"
    [ $status = 0 ] ||
        printf 'make deb: no package was made. It wants room in %s (or say TMPDIR=) and in %s.\n' \
            "${TMPDIR:-/tmp}" "$out" >&2
    exit $status
}
trap finish EXIT
root=$folder/root documents=$folder/root/usr/share/doc/$name
umask 022

# As the source's last change, so that the same source gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
maintainer=$(git -C "$here" log -1 --format='%an <%ae>' 2>/dev/null || echo 'Parley <root@localhost>')

mkdir -p "$root/DEBIAN" "$folder/debian"
/usr/bin/python3 -B "$here/install.py" stage --build "$native" --version "$version" --prefix /usr \
    --destination "$root"
strip --strip-unneeded "$root/usr/bin/nxrun"
strip --strip-debug "$root/usr/lib/libnx.so.$version" "$root/usr/lib/libnx.a" "$root/usr/lib/libkmath.a" \
    "$root/usr/lib/parley/openmp/libgomp.a"

mv "$documents/LICENSE" "$documents/copyright"
printf '%s (%s) unstable; urgency=low\n\n  * Built from the source tree.\n\n -- %s  %s\n' "$name" "$version" \
    "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$documents/changelog.gz"
find "$root/usr/share/man" -type f -exec gzip -9n -- {} +
find "$root/usr/share/man" -type l | while read -r page; do
    ln -s "$(readlink -- "$page").gz" "$page.gz"
    rm -- "$page"
done

# What its programs need, by the libraries that they are linked with.
printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$name" "$name" >"$folder/debian/control"
needs=$(cd "$folder" && dpkg-shlibdeps -O root/usr/bin/nxrun "root/usr/lib/libnx.so.$version" 2>/dev/null)

cat >"$root/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f1)
Depends: ${needs#shlibs:Depends=}
Recommends: gcc, libc6-dev, python3
Suggests: g++, gfortran, libblas-dev, libtirpc-dev, pkgconf, cmake, gdb, mpich | openmpi-bin, openssh-client
Section: libdevel
Priority: optional
Description: NX/2 messages between the processes of a job
 The calls of the operating system NX/2 of Intel's hypercubes, in C, C++ and
 Fortran, as a library: messages between processes in shared memory,
 collective calls, message handlers, host programs. With the compiler
 wrappers nxcc, nxc++, nxf77 and cedarf77, and nxrun, which starts programs.
END
printf 'libnx %s %s (>= %s)\n' "${version%%.*}" "$name" "$version" >"$root/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"

dpkg-deb --root-owner-group --build "$root" "$file.part" >/dev/null
mv -f "$file.part" "$file"
echo "$file"
