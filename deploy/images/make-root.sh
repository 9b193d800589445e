#!/bin/sh
# make-root.sh <folder> <program>...: makes a root file system of the programs, the libraries that they are linked with,
# and the little that the C library reads.
set -eu
root=$1
shift

# Prints where a file really is, e.g. /lib is a link to /usr/lib.
real() { echo "$(readlink -f "$(dirname "$1")")/$(basename "$1")"; }

mkdir -p "$root/usr/local/bin" "$root/usr/bin" "$root/usr/lib64" "$root/etc" "$root/var/lib/dpkg/status.d"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"
ln -s usr/bin "$root/bin"
install -d -m 1777 "$root/tmp"

# Prints the names of the packages that any of the paths is from.
packages_of() { dpkg-query -S "$@" 2> /dev/null | grep -v '^diversion ' | cut -d: -f1; }

# What collect.sh makes.
ln -s /glovebox/cli.mjs "$root/usr/local/bin/glovebox"

packages=
for name in "$@"; do
  program=$(readlink -f "$(command -v "$name")")
  if [ "$name" = node ]; then
    # May be executed, and not read: so the kernel gives nobody of the same user a look into a process of it, neither
    # at its memory nor at its environment, and never writes its memory to a core file.
    install -m 0111 "$program" "$root/usr/local/bin/node"
  else
    install -D -m 0555 "$program" "$root/usr/bin/$name"
    packages="$packages $(packages_of "$program" "/bin/$name")"
  fi
  if ldd "$program" | grep 'not found' >&2; then exit 1; fi
  for library in $(ldd "$program" | grep -o '/[^ ]*'); do
    target=$(real "$library")
    [ -e "$root$target" ] || install -D -m 0555 "$(readlink -f "$library")" "$root$target"
    packages="$packages $(packages_of "$(readlink -f "$library")" "$library" "${target#/usr}")"
  done
done

# Scanners of images read from here which packages the files are from.
for package in $(echo "$packages" | tr ' ' '\n' | sort -u); do
  dpkg-query -s "$package" > "$root/var/lib/dpkg/status.d/$package"
  install -D -m 0444 "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright" 2> /dev/null || true
done
cp /etc/os-release "$root/etc/os-release"

echo 'glovebox:x:65532:65532::/nonexistent:/nonexistent' > "$root/etc/passwd"
echo 'glovebox:x:65532:' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
