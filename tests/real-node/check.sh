# Prints in one sentence what this machine lacks for a node, and then fails.
PATH=$PATH:/usr/sbin:/sbin
lacks() { echo "a node needs $1"; exit 1; }
there() { command -v "$1" >/dev/null; }
[ "$(uname)" = Linux ] || lacks "Linux"
[ "$(id -u)" = 0 ] || lacks "root: it makes namespaces, mounts and cgroups"
there runc || lacks "runc: install the package of this name"
there nsenter && there unshare || lacks "nsenter and unshare: install the package util-linux"
for folder in /usr/lib/cni /opt/cni/bin /usr/libexec/cni; do
  [ -x "$folder/ptp" ] && [ -x "$folder/host-local" ] && plugins=$folder
done
[ -n "${plugins-}" ] || lacks "the network plugins ptp and host-local: install the package containernetworking-plugins"
grep -q '	overlay$' /proc/filesystems || lacks "the overlay filesystem, which this kernel has not loaded"
grep -q ' /sys/fs/cgroup[^ ]* cgroup2\? ' /proc/mounts || lacks "cgroups, of which none are mounted"
unshare --mount --pid --net --fork true 2>/dev/null || lacks "namespaces of its own, which cannot be made here"
echo "$plugins"
