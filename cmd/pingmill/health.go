package main

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/terminal/cli"
)

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
edge, for ` + service.LBHeartbeat + `, which is also the path where the URL has none.`,
		Example: "  pingmill health\n  pingmill health --only decode --private 127.0.0.1:8082\n  pingmill health " +
			"http://10.0.0.5:8080/__heartbeat__",
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			client := &http.Client{Timeout: timeout, Transport: &http.Transport{}}
			address := service.URLOf(listen, cert)
			if !slices.Contains(only, service.PartEdge) {
				address = service.URLOf(private, "")
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
				u.Path = service.LBHeartbeat
			}
			return service.Healthy(cmd.Context(), client, u.String())
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
