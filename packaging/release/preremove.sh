#!/bin/sh
# Stops the services when the package is removed, not when it is upgraded. Data, configuration and user stay.
set -e
case $1 in
remove | 0)
  if [ -d /run/systemd/system ]; then
    systemctl disable --now pingmill.service
    systemctl stop 'pingmill@*.service'
  fi
  ;;
esac
