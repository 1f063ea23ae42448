// Package command has the commands about object storage.
package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Commands returns the commands about object storage.
func Commands(now func() time.Time) []*cobra.Command {
	storage := &cobra.Command{
		Use:   "storage",
		Short: "check a bucket of an object storage",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	storage.AddCommand(newCheck(now))
	return []*cobra.Command{storage}
}

func newCheck(now func() time.Time) *cobra.Command {
	return &cobra.Command{
		Use:   "check URL",
		Short: "try whether a bucket does what an installation needs",
		Long: `Tries in a bucket, below a prefix of its own, what an installation needs: rights,
conditional writes, versions, listings after writes, uploads in parts, the clock.
Prints what passed, how long it took and how many requests were made, and removes
what it wrote. Nothing else in the bucket is read or changed. It takes a minute
and some 2,500 requests, which cost about a cent. The exit status is 1 if
something failed.

The URL is the one of storage.url, with the same parameters and credentials.`,
		Example: "  pingmill storage check 's3://pings-example/telemetry?region=eu-west-1'\n" +
			"  pingmill storage check gs://pings-example\n" +
			"  pingmill storage check 'azblob://pings?account=example'",
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !blob.IsURL(args[0]) {
				return cli.Usagef("%q is no URL such as s3://bucket/prefix", args[0])
			}
			return Try(cmd.Context(), cmd.OutOrStdout(), args[0], now)
		},
	}
}

// Try runs the checks of a bucket below a prefix of its own, prints their results and removes what they wrote. It returns an
// error if one of them fails.
func Try(ctx context.Context, out io.Writer, root string, now func() time.Time) error {
	prefix := "pingmill-check-" + strings.ToLower(rand.Text()[:8])
	url, err := blob.Join(root, prefix)
	if err != nil {
		return cli.Usage(err)
	}
	b, err := blob.Open(ctx, url, blob.Options{})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "checking %s\n", b.URL()); err != nil {
		return err
	}
	failed, err := run(ctx, out, &trial{bucket: b, now: now})
	if err != nil {
		return err
	}
	if err := writeRequests(out, b.Counts()); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("storage check: %d of %d checks failed: do not use this bucket for an installation", failed, len(checks))
	}
	return nil
}

// writeRequests prints the requests that were made.
func writeRequests(out io.Writer, c blob.Counts) error {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(c.Requests)) {
		kinds = append(kinds, fmt.Sprintf("%s %s", humanize.Comma(c.Requests[kind]), strings.ToUpper(kind)))
	}
	_, err := fmt.Fprintf(out, "requests: %s; %d repeated, %d failed; %s sent, %s received\n", strings.Join(kinds, ", "), c.Retries, c.Errors,
		humanize.IBytes(uint64(c.Out)), humanize.IBytes(uint64(c.In)))
	return err
}

// errWrong means that a bucket did something else than it should.
var errWrong = errors.New("the bucket is wrong")

// wrong returns an error about what a bucket did.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errWrong, fmt.Sprintf(format, args...))
}
