package service

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
)

// Check finds reasons why the service cannot start with a configuration: unusable files, addresses that do not belong
// to this machine or that two listeners share, unknown tables. It creates nothing and opens no listener. The error is
// a *SetupError with a line for each key.
func (c *Config) Check(ctx context.Context) error {
	return setup(c.checkDecoding(), c.checkRest(ctx))
}

// checkRest checks all but the files of decoding.
func (c *Config) checkRest(ctx context.Context) error {
	return setup(c.checkCertificates(), c.checkListeners(ctx), c.checkTopic(), c.checkTables())
}

// setup joins errors to a *SetupError.
func setup(all ...error) error {
	if err := errors.Join(all...); err != nil {
		return &SetupError{err}
	}
	return nil
}

// checkTables checks the settings that name tables. It does nothing while the tables are not known.
func (c *Config) checkTables() error {
	var all []error
	if c.has(PartDecode) && !c.Unread {
		if err := c.Decode.Live.Check(c.Tables); err != nil {
			all = append(all, fmt.Errorf("%s: %w", config.Call("tables.live"), err))
		}
		if err := c.Decode.CheckPrepared(c.Tables); err != nil {
			all = append(all, fmt.Errorf("%s: %w", config.Call("tables.prepared"), err))
		}
	}
	if c.has(PartWeb) && !c.Unread {
		all = append(all, c.Web.Check(c.Tables))
	}
	return setup(all...)
}

// checkDecoding checks that the files of decoding are usable.
func (c *Config) checkDecoding() error {
	var all []error
	if c.has(PartDecode) {
		d := c.Decode.Decode
		for _, f := range []struct {
			key, name string
			config    ingest.Config
		}{
			{"decode.geo", d.Geo, ingest.Config{Geo: d.Geo}},
			{"decode.cities", d.Cities, ingest.Config{Cities: d.Cities}},
			{"decode.schemas", d.Schemas, ingest.Config{Schemas: d.Schemas}},
		} {
			if f.name == "" {
				continue
			}
			if err := f.config.Check(); err != nil {
				all = append(all, fmt.Errorf("%s: %w", config.Call(f.key), err))
			}
		}
	}
	return errors.Join(all...)
}

// checkCertificates checks the certificates of the listeners.
func (c *Config) checkCertificates() error {
	var all []error
	if c.has(PartEdge) {
		all = append(all, checkPair("edge.tls", c.Edge.CertFile, c.Edge.KeyFile))
	}
	if c.has(PartWeb) {
		all = append(all, checkPair("web.tls", c.Web.CertFile, c.Web.KeyFile))
	}
	return errors.Join(all...)
}

// checkPair checks a certificate and its key; both may be missing.
func checkPair(section, cert, key string) error {
	if cert == "" || key == "" { // one alone the configuration refuses
		return nil
	}
	if _, err := tls.LoadX509KeyPair(cert, key); err != nil {
		return fmt.Errorf("%s and %s: load certificate %s with key %s: %w", config.Call(section+".cert"), config.Call(section+".key"), cert, key,
			err)
	}
	return nil
}

// listener is a configured address.
type listener struct {
	key, text string
	encrypted bool
}

// listeners returns the addresses of the listeners of this process.
func (c *Config) listeners() (all []listener) {
	if c.has(PartEdge) {
		all = append(all, listener{"edge.listen", c.Listen, c.Edge.CertFile != ""})
	}
	all = append(all, listener{"private.listen", c.Private, false})
	if c.has(PartWeb) {
		tls := c.Web.CertFile != ""
		all = append(all, listener{"web.listen", c.Web.Listen, tls}, listener{"flight.listen", c.Web.Flight, tls},
			listener{"postgres.listen", c.Web.Postgres, tls}, listener{"trino.listen", c.Web.Trino, tls})
	}
	return all
}

// checkListeners resolves the addresses and checks that they belong to this machine and have different ports. It does
// not check that a port is free, because the service may be running.
func (c *Config) checkListeners(ctx context.Context) error {
	var bad []error
	var taken []*net.TCPAddr
	var keys []string
	for _, l := range c.listeners() {
		if l.text == "" {
			continue
		}
		at, err := net.ResolveTCPAddr("tcp", l.text)
		if err == nil {
			var lc net.ListenConfig
			var probe net.Listener
			if probe, err = lc.Listen(ctx, "tcp", (&net.TCPAddr{IP: at.IP, Zone: at.Zone}).String()); err == nil {
				_ = probe.Close()
			}
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %q: %w", config.Call(l.key), l.text, err))
			continue
		}
		for i, other := range taken {
			if at.Port != 0 && at.Port == other.Port && (wide(at) || wide(other) || at.IP.Equal(other.IP)) {
				bad = append(bad, fmt.Errorf("%s and %s: both listen at port %d", config.Call(keys[i]), config.Call(l.key), at.Port))
			}
		}
		taken, keys = append(taken, at), append(keys, l.key)
	}
	return errors.Join(bad...)
}

// wide reports whether an address means all interfaces.
func wide(a *net.TCPAddr) bool { return len(a.IP) == 0 || a.IP.IsUnspecified() }

// Exposed returns the keys of listeners for operators and people that accept connections on all interfaces without TLS.
func (c *Config) Exposed() (keys []string) {
	for _, l := range c.listeners() {
		host, _, err := net.SplitHostPort(l.text)
		ip, _ := netip.ParseAddr(cmp.Or(host, "::"))
		if err == nil && ip.IsUnspecified() && !l.encrypted && l.key != "edge.listen" {
			keys = append(keys, l.key)
		}
	}
	return keys
}

// checkTopic checks the settings of a topic without contacting a broker.
func (c *Config) checkTopic() error {
	if c.Topic.URL == "" {
		return nil
	}
	var err error
	k := c.Topic.Config
	if k.Target, err = kafka.Parse(c.Topic.URL); err != nil {
		return fmt.Errorf("%s: %w", config.Call("spool.url"), err)
	}
	if c.Spool.Failover != "" {
		return fmt.Errorf("%s: it is for a spool on a disk: leave it out with spool.url", config.Call("spool.second"))
	}
	if err := k.Check(); err != nil {
		return fmt.Errorf("spool.kafka: %w", err)
	}
	return nil
}
