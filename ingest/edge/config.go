package edge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/privacy/forget"
)

// Spool stores submissions. Append returns nil once the record is on disk; after it returns, it holds no
// reference to the record.
type Spool interface {
	Append(ctx context.Context, r *spool.Record) error
}

// Config defines which submissions an edge accepts, and its limits. Zero values mean the defaults; Spool and
// Now are required.
type Config struct {
	Spool Spool

	// Namespaces lists the namespaces that submissions may name; "telemetry" alone if empty.
	Namespaces []string
	// Applications lists further namespaces, the application ids of Glean; AllNamespaces in it accepts every one.
	Applications []string

	// Requests adds deletion requests, which are accepted from every namespace.
	Requests forget.Rules

	MaxBody        int64 // bytes of a body as sent, 1 MiB unless set
	MaxPath        int   // bytes of a path with its query string, 2048 unless set
	MaxHeaderBytes int   // bytes of a request's head, 16 KiB unless set

	ReadHeaderTimeout time.Duration // for a request's head, 10 s unless set
	ReadTimeout       time.Duration // for a request with its body, 60 s unless set
	WriteTimeout      time.Duration // from the end of the head to the end of the response, 90 s unless set
	IdleTimeout       time.Duration // between the requests of a connection, 2 min unless set

	// MaxConnections bounds the open connections, 20,000 unless set. It is
	// lowered to the process's limit of open files less 256.
	MaxConnections int
	// MaxInFlight bounds the bytes of memory for bodies that are being received
	// or wait for the spool, 256 MiB unless set.
	MaxInFlight int64

	// TrustedProxies lists the peers whose X-Forwarded-For is stored. From all others it is dropped.
	TrustedProxies []netip.Prefix

	Version VersionInfo
	Health  func(context.Context) error // the check of /__heartbeat__; nil: none
	Now     func() time.Time            // the clock for deadlines of connections
	Log     *slog.Logger                // nil: discard

	// CertFile and KeyFile are PEM files; with them every connection is TLS. They are read again after a
	// change.
	CertFile, KeyFile string
}

// AllNamespaces in Config.Applications stands for every namespace.
const AllNamespaces = "*"

// VersionInfo is the response of /__version__, as JSON.
type VersionInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

const (
	spareFiles   = 256     // open files left for the spool, the archive and logs
	minBuffer    = 4 << 10 // the smallest body buffer
	firstBuffer  = 64 << 10
	maxValue     = 1 << 10 // bytes kept of a header's value
	lingerTime   = 500 * time.Millisecond
	retrySeconds = "30"
)

// withDefaults sets the defaults and checks the other values.
func (c Config) withDefaults() (Config, error) {
	if c.Spool == nil || c.Now == nil {
		return c, errors.New("configure edge: a spool and a clock are needed")
	}
	if len(c.Namespaces) == 0 {
		c.Namespaces = []string{telemetry}
	}
	c.Namespaces = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Namespaces, c.Applications))))
	c.TrustedProxies = slices.Clone(c.TrustedProxies)
	c.MaxBody = cmp.Or(c.MaxBody, 1<<20)
	c.MaxPath = cmp.Or(c.MaxPath, 2048)
	c.MaxHeaderBytes = cmp.Or(c.MaxHeaderBytes, 16<<10)
	c.ReadHeaderTimeout = cmp.Or(c.ReadHeaderTimeout, 10*time.Second)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, 60*time.Second)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, c.ReadTimeout+30*time.Second)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, 2*time.Minute)
	c.MaxConnections = cmp.Or(c.MaxConnections, 20_000)
	c.MaxInFlight = cmp.Or(c.MaxInFlight, 256<<20)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c, c.check()
}

func (c *Config) check() error {
	for _, n := range c.Namespaces {
		if n != AllNamespaces && (!validSegment(n) || strings.ContainsAny(n, "/%?")) {
			return fmt.Errorf("configure edge: namespace %q is not one plain path segment", n)
		}
	}
	for _, p := range c.TrustedProxies {
		if !p.IsValid() {
			return errors.New("configure edge: a trusted proxy is not a network")
		}
	}
	for _, l := range []struct {
		name       string
		value, min int64
	}{
		{"the body limit", c.MaxBody, 1},
		{"the path limit", int64(c.MaxPath), 64},
		{"the header limit", int64(c.MaxHeaderBytes), 2 * int64(c.MaxPath)},
		{"the connection limit", int64(c.MaxConnections), 1},
		{"the limit of bytes in flight", c.MaxInFlight, 4 * c.MaxBody},
		{"the header timeout", int64(c.ReadHeaderTimeout), 1},
		{"the read timeout", int64(c.ReadTimeout), int64(c.ReadHeaderTimeout)},
		{"the write timeout", int64(c.WriteTimeout), int64(c.ReadTimeout)},
		{"the idle timeout", int64(c.IdleTimeout), 1},
	} {
		if l.value < l.min {
			return fmt.Errorf("configure edge: %s is %d, at least %d is needed", l.name, l.value, l.min)
		}
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		return errors.New("configure edge: a certificate file and a key file belong together")
	}
	return nil
}
