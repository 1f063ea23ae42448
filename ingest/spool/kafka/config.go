package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Config names the topic of the spool and configures the connection to its brokers.
type Config struct {
	Target

	TLS               bool   // encrypted, also if one of the files is given
	CA                string // file of certificates (PEM) to check the brokers' ones; empty: the system's
	CertFile, KeyFile string // of this program, where the brokers want one

	SASL         string // one of Mechanisms; empty: none
	User         string
	Password     string
	PasswordFile string // in the place of Password

	Session time.Duration // after which a decoder that is not heard of loses its partitions; 30 s

	Now func() time.Time
	Log *slog.Logger
	// Removed, if not nil, is called with the result of deleting records that are in the archive; calls do not
	// overlap.
	Removed func(context.Context, error)
}

// Target holds the parsed URL of a spool:
// kafka://HOST[:PORT][,HOST[:PORT]…]/TOPIC[?OPTION=VALUE&…].
type Target struct {
	Brokers     []string      // host:port
	Topic       string        // letters, digits, dots, dashes and underscores, up to maxTopic
	Group       string        // of the decoders; "pingmill"
	Compression string        // of batches: none, gzip, snappy, lz4 or zstd; "none"
	Timeout     time.Duration // for a submission to be acknowledged; 10 s
	Keep        bool          // records stay in the topic once they are in the archive
}

// Mechanisms lists the supported mechanisms of SASL.
var Mechanisms = []string{"plain", "scram-sha-256", "scram-sha-512"}

const (
	scheme      = "kafka://"
	defaultPort = "9092"
	maxTopic    = 40 // the names of loads have room for
)

// options lists the options of a URL.
var options = map[string]func(*Target, string) error{
	"group": func(t *Target, v string) error {
		t.Group = v
		return name(v, 200)
	},
	"compression": func(t *Target, v string) error {
		t.Compression = v
		if _, ok := codecs[v]; !ok {
			return errors.New("want none, gzip, snappy, lz4 or zstd")
		}
		return nil
	},
	"timeout": func(t *Target, v string) (err error) {
		if t.Timeout, err = time.ParseDuration(v); err != nil || t.Timeout < time.Second || t.Timeout > time.Minute {
			return errors.New("want a time from 1s to 1m")
		}
		return nil
	},
	"keep": func(t *Target, v string) (err error) {
		if t.Keep, err = strconv.ParseBool(v); err != nil {
			return errors.New("want true or false")
		}
		return nil
	},
}

var codecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
	"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
}

// Parse reads the URL of a spool.
func Parse(text string) (Target, error) {
	t := Target{Group: "pingmill", Compression: "none", Timeout: 10 * time.Second}
	rest, ok := strings.CutPrefix(text, scheme)
	if !ok {
		return t, errors.New("want kafka://broker1,broker2/topic")
	}
	rest, query, _ := strings.Cut(rest, "?")
	hosts, topic, ok := strings.Cut(rest, "/")
	if strings.Contains(hosts, "@") {
		return t, errors.New("a name or password is no part of the URL: they are settings of their own (spool.kafka.user)")
	}
	for _, h := range strings.Split(hosts, ",") {
		broker, err := address(h)
		if err != nil {
			return t, err
		}
		t.Brokers = append(t.Brokers, broker)
	}
	if err := name(topic, maxTopic); !ok || err != nil {
		return t, fmt.Errorf("topic %.100q: %w", topic, errors.Join(err, errUnless(ok, "want one after the brokers")))
	}
	t.Topic = topic
	values, err := url.ParseQuery(query)
	if err != nil {
		return t, fmt.Errorf("options %.100q: %w", query, err)
	}
	for key, all := range values {
		set := options[key]
		if set == nil || len(all) != 1 {
			return t, fmt.Errorf("option %.40q: want one each of group, compression, timeout and keep", key)
		}
		if err := set(&t, all[0]); err != nil {
			return t, fmt.Errorf("option %s=%.40s: %w", key, all[0], err)
		}
	}
	return t, nil
}

func errUnless(ok bool, text string) error {
	if ok {
		return nil
	}
	return errors.New(text)
}

// address completes the address of a broker.
func address(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		host, port = strings.Trim(s, "[]"), defaultPort
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if host == "" || err != nil || n == 0 || strings.ContainsAny(host, " /[]%#") {
		return "", fmt.Errorf("broker %.100q: want host or host:port", s)
	}
	return net.JoinHostPort(host, port), nil
}

var names = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func name(s string, most int) error {
	if !names().MatchString(s) || len(s) > most {
		return fmt.Errorf("want 1 to %d letters, digits, dots, dashes and underscores, the first a letter or digit", most)
	}
	return nil
}

// String returns the URL without default values.
func (t *Target) String() string { return scheme + strings.Join(t.Brokers, ",") + "/" + t.Topic }

// client returns the options common to all clients.
func (c *Config) client() ([]kgo.Opt, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(c.Brokers...), kgo.ClientID("pingmill"), kgo.WithLogger(&logger{c.Log}),
		kgo.DisableClientMetrics(), kgo.MetadataMaxAge(time.Minute),
	}
	if c.TLS || c.CA != "" || c.CertFile != "" {
		t, err := c.tls()
		if err != nil {
			return nil, err
		}
		opts = append(opts, kgo.DialTLSConfig(t))
	}
	if c.SASL == "" {
		return opts, nil
	}
	m, err := c.mechanism()
	return append(opts, kgo.SASL(m)), err
}

func (c *Config) tls() (*tls.Config, error) {
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		pem, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, fmt.Errorf("read certificates of brokers: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read certificates of brokers: %s has none", c.CA)
		}
	}
	if c.CertFile != "" || c.KeyFile != "" {
		pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("load the certificate for brokers: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

func (c *Config) mechanism() (sasl.Mechanism, error) {
	if !slices.Contains(Mechanisms, c.SASL) {
		return nil, fmt.Errorf("SASL mechanism %.40q: want one of %s", c.SASL, strings.Join(Mechanisms, ", "))
	}
	password := c.Password
	if c.PasswordFile != "" {
		data, err := os.ReadFile(c.PasswordFile)
		if err != nil {
			return nil, fmt.Errorf("read the password for brokers: %w", err)
		}
		password = strings.TrimRight(string(data), "\r\n")
	}
	if c.User == "" || password == "" {
		return nil, fmt.Errorf("SASL %s needs a user and a password", c.SASL)
	}
	switch a := (scram.Auth{User: c.User, Pass: password}); c.SASL {
	case "plain":
		return plain.Auth{User: c.User, Pass: password}.AsMechanism(), nil
	case "scram-sha-256":
		return a.AsSha256Mechanism(), nil
	default:
		return a.AsSha512Mechanism(), nil
	}
}

// logger logs the client's messages that operators need.
type logger struct{ log *slog.Logger }

func (l *logger) Level() kgo.LogLevel { return kgo.LogLevelWarn }

func (l *logger) Log(level kgo.LogLevel, msg string, keyvals ...any) {
	if level == kgo.LogLevelError {
		l.log.Warn("kafka: "+msg, keyvals...)
		return
	}
	l.log.Debug("kafka: "+msg, keyvals...)
}

// Check looks whether the files and settings can be used; it asks no broker.
func (c *Config) Check() error {
	_, err := c.client()
	return err
}
