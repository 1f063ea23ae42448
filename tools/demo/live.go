package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

const (
	liveRate = 5  // submissions a second
	liveDays = 30 // after which other clients send
)

// live serves the demonstration and sends pings to it until ctx ends.
func (t *demonstration) live(ctx context.Context, data string) error {
	link, err := t.link(ctx, data)
	if err != nil {
		return err
	}
	file := filepath.Join(t.Dir, "serve.log")
	log, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("make log: %w", err)
	}
	defer log.Close()
	var at [3]string
	for i, wanted := range []string{t.Web, "127.0.0.1:0", "127.0.0.1:0"} {
		if at[i], err = free(ctx, wanted); err != nil {
			return err
		}
	}
	group, serving := errgroup.WithContext(ctx)
	group.Go(func() error {
		err := t.Serve(serving, log, "serve", "--data", data, "--definitions", strings.Join(t.glean.Glean, ","), "--web", at[0], "--listen",
			at[1], "--private", at[2], "--segment-age", "2s", "--publish-every", "3s", "--archive-every", "15s")
		if err == nil && ctx.Err() == nil {
			err = errors.New("the service ended")
		}
		return err
	})
	group.Go(func() error {
		for _, a := range at[:2] {
			if err := reached(serving, a); err != nil {
				return err
			}
		}
		t.printf("\nThe query tool, where this link signs you in once:\n\n    http://%s%s\n", at[0], link)
		return t.send(serving, at[1])
	})
	err = group.Wait()
	if ctx.Err() != nil { // as wished
		t.printf("")
		return nil
	}
	return fmt.Errorf("%w; more is in %s", err, file)
}

// link returns a link that signs the administrator in. Each start of the demonstration creates a new one.
func (t *demonstration) link(ctx context.Context, data string) (_ string, err error) {
	s, err := access.Open(ctx, access.Place{Dir: filepath.Join(data, "web")}, t.Now)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if token, err := s.First(ctx); err != nil || token != "" {
		return access.LinkPath(token), err
	}
	admin, err := s.Account(ctx, access.FirstName)
	if err != nil {
		return "", err
	}
	token, err := s.Link(ctx, admin.ID)
	return access.LinkPath(token), err
}

// free returns an address if it can be had, otherwise one with another port.
func free(ctx context.Context, wanted string) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", wanted)
	if err != nil {
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return "", fmt.Errorf("find a port: %w", err)
		}
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// reached waits until something listens.
func reached(ctx context.Context, address string) error {
	for {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return c.Close()
		}
		if err := clock.Wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// send sends pings of today's clients, steadily.
func (t *demonstration) send(ctx context.Context, edge string) error {
	terminal := cli.IsTerminal(t.Out)
	var sent int64
	var shown time.Time
	if !terminal {
		t.printf("Pings arrive there, %d a second. Ctrl-C ends it.", liveRate)
	}
	for seed := uint64(t.Now().UnixNano()); ; seed++ {
		g, err := generate.New(generate.Config{Seed: seed, Clients: t.Clients, Days: liveDays, Start: ping.Day(job.FormatDay(t.Now().UTC())),
			MeanBytes: 16_000, Gzip: true, Glean: true})
		if err != nil {
			return err
		}
		before := sent
		_, err = send.Run(ctx, g, send.Options{
			To: &url.URL{Scheme: "http", Host: edge}, Rate: liveRate, Concurrency: 4, Clock: clock.Clock{Now: t.Now},
			Progress: func(s send.Stats) {
				sent = before + s.Acknowledged
				if now := t.Now(); terminal && now.Sub(shown) >= time.Second {
					shown = now
					fmt.Fprintf(t.Out, "\r\x1b[KPings arrive there, %d a second: %s so far. Ctrl-C ends it. ", liveRate, humanize.Comma(sent))
				}
			},
		})
		if err != nil {
			return err
		}
	}
}
