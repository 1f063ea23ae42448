package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

// LBHeartbeat is the path that the edge and the private listener answer while they run.
const LBHeartbeat = "/__lbheartbeat__"

// URLOf returns the URL of a listener on this machine.
func URLOf(listen, cert string) string {
	scheme := "http"
	if cert != "" {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip.IsUnspecified()) {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// Healthy returns nil if the response is 200.
func Healthy(ctx context.Context, client *http.Client, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address, err)
	}
	res, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("ask the service: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("ask %s: the answer is %s", address, res.Status)
	}
	return nil
}
