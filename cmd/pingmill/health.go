package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
)

// lbHeartbeat is where the edge answers as long as it runs.
const lbHeartbeat = "/__lbheartbeat__"

func newHealth() *cobra.Command {
	var listen, cert, key, private string
	var only []string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "health [URL]",
		Short: "ask a running service whether it answers",
		Long: `Exit status 0 if the service answers 200, 1 if not: for a container's health check,
where there is neither a shell nor curl. Without a URL it asks the edge of this
configuration at this machine, or its private listener where --only leaves out the
edge, for ` + lbHeartbeat + `, which is also the path where the URL has none.`,
		Example: "  pingmill health\n  pingmill health --only decode --private 127.0.0.1:8082\n  pingmill health http://10.0.0.5:8080/__heartbeat__",
		Args:    cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			client := &http.Client{Timeout: timeout, Transport: &http.Transport{}}
			address := ownURL(listen, cert)
			if !slices.Contains(only, partEdge) {
				address = ownURL(private, "")
			}
			if len(args) == 1 {
				address = args[0]
			} else {
				// The certificate is for the public name, which clients check.
				client.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // asks itself
			}
			u, err := url.Parse(address)
			if err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http") {
				return cli.Usagef("%q is no URL such as http://127.0.0.1:8080", address)
			}
			if u.Path == "" {
				u.Path = lbHeartbeat
			}
			return health(cmd.Context(), client, u.String())
		},
	}
	config.Flag(cmd.Flags(), "edge.listen", &listen)
	config.Flag(cmd.Flags(), "edge.tls.cert", &cert)
	config.Flag(cmd.Flags(), "edge.tls.key", &key) // goes with the certificate
	config.Flag(cmd.Flags(), "only", &only)
	config.Flag(cmd.Flags(), "private.listen", &private)
	cmd.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "how long the answer may take")
	return cmd
}

// ownURL is the URL of what listens at an address of this machine.
func ownURL(listen, cert string) string {
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

// health is nil when the answer is 200.
func health(ctx context.Context, client *http.Client, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return cli.Usagef("ask %s: %w", address, err)
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
