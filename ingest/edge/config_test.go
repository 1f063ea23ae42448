package edge

import (
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func fixed() time.Time { return time.Unix(1e9, 0) }

func TestConfig(t *testing.T) {
	good := Config{Spool: spoolFunc(nil), Now: fixed}
	s, err := New(good)
	require.NoError(t, err)
	if c := s.cfg; c.MaxBody != 1<<20 || c.MaxPath != 2048 || c.WriteTimeout <= c.ReadTimeout || c.Namespaces[0] != "telemetry" {
		t.Errorf("defaults are %+v", c)
	}
	if limit, ok := fileLimit(); ok && int64(s.cfg.MaxConnections) > limit-spareFiles {
		t.Errorf("%d connections with %d files", s.cfg.MaxConnections, limit)
	}
	none := filepath.Join(t.TempDir(), "none")
	for want, set := range map[string]func(*Config){
		"a spool and a clock are needed":           func(c *Config) { c.Spool = nil },
		"a clock are needed":                       func(c *Config) { c.Now = nil },
		`namespace "a/b" is not one plain path`:    func(c *Config) { c.Namespaces = []string{"telemetry", "a/b"} },
		`namespace ".." is not one plain path`:     func(c *Config) { c.Namespaces = []string{".."} },
		`namespace "" is not one plain path`:       func(c *Config) { c.Namespaces = []string{""} },
		"a trusted proxy is not a network":         func(c *Config) { c.TrustedProxies = []netip.Prefix{{}} },
		"the body limit is -1":                     func(c *Config) { c.MaxBody = -1 },
		"the path limit is 10":                     func(c *Config) { c.MaxPath = 10 },
		"the header limit is 2000, at least 4096":  func(c *Config) { c.MaxHeaderBytes = 2000 },
		"the connection limit is -1":               func(c *Config) { c.MaxConnections = -1 },
		"the limit of bytes in flight is 10":       func(c *Config) { c.MaxInFlight = 10 },
		"the header timeout is -1":                 func(c *Config) { c.ReadHeaderTimeout = -1 },
		"the read timeout is 1,":                   func(c *Config) { c.ReadTimeout = 1 },
		"the write timeout is 1,":                  func(c *Config) { c.WriteTimeout = 1 },
		"the idle timeout is -1":                   func(c *Config) { c.IdleTimeout = -1 },
		"a certificate file and a key file belong": func(c *Config) { c.CertFile = "x" },
		"load certificate " + none:                 func(c *Config) { c.CertFile, c.KeyFile = none, none },
	} {
		c := good
		set(&c)
		if _, err := New(c); err == nil || !strings.HasPrefix(err.Error(), "configure edge: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}
