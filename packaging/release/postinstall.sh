#!/bin/sh
# Makes the user, and restarts services that run. It starts none: the configuration comes first. A service that does not start does
# not leave the package half installed.
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers pingmill.conf
elif ! getent passwd pingmill >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/pingmill --shell /usr/sbin/nologin --comment pingmill pingmill
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart pingmill.service 'pingmill@*.service' || echo "pingmill did not start again: journalctl -u 'pingmill*' says why" >&2
fi
