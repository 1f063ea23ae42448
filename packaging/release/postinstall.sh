#!/bin/sh
# Makes the user, and restarts a service that runs. It starts none: the configuration comes first.
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers pingmill.conf
elif ! getent passwd pingmill >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/pingmill --shell /usr/sbin/nologin --comment pingmill pingmill
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart pingmill.service
fi
