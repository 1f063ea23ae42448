package service

import (
	"context"
	"fmt"
	"net"
	"os"
)

// notify reports a state such as READY=1 to the service manager, over the socket
// in NOTIFY_SOCKET (sd_notify(3)), if there is one.
func notify(ctx context.Context, state string) error {
	name := os.Getenv("NOTIFY_SOCKET") // with @ for one of the abstract namespace, as in package net
	if name == "" {
		return nil
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unixgram", name)
	if err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	defer c.Close()
	if _, err := c.Write([]byte(state)); err != nil {
		return fmt.Errorf("notify the service manager at %s: %w", name, err)
	}
	return nil
}
