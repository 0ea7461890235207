#!/bin/sh
# The service ends with its package, but not when a newer one takes its place: "upgrade" of dpkg, 1 of rpm.
set -e
[ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || exit 0
case "$1" in
remove | 0) systemctl disable --now edict.service ;;
esac
