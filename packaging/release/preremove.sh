#!/bin/sh
# Stops the service when the package is removed, not when it is upgraded. Data, configuration and user stay.
set -e
case $1 in
remove | 0) if [ -d /run/systemd/system ]; then systemctl disable --now pingmill.service; fi ;;
esac
