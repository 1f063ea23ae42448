package edge

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writePair makes a certificate for 127.0.0.1 and writes its two files.
func writePair(t *testing.T, certFile, keyFile string, serial int64) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	tmpl := &x509.Certificate{
		Subject: pkix.Name{CommonName: "edge"}, SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	for name, b := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(b), 0o600))
		// Certificates made within one tick of the file system differ in time, too.
		require.NoError(t, os.Chtimes(name, time.Time{}, time.Unix(1e9+serial, 0)))
	}
	return cert
}

func trusting(certs ...*x509.Certificate) *tls.Config {
	pool := x509.NewCertPool()
	for _, c := range certs {
		pool.AddCert(c)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

func protocols(h1, h2, h2c bool) *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(h1)
	p.SetHTTP2(h2)
	p.SetUnencryptedHTTP2(h2c)
	return p
}

// TestProtocols sends with a real client over each of the four transports.
func TestProtocols(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	cert := writePair(t, certFile, keyFile, 1)
	for _, c := range []struct {
		name   string
		secure bool
		p      *http.Protocols
		major  int
	}{
		{"http/1.1", false, protocols(true, false, false), 1},
		{"h2c", false, protocols(false, false, true), 2},
		{"tls http/1.1", true, protocols(true, false, false), 1},
		{"tls h2", true, protocols(true, true, false), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := start(t, func(cfg *Config) {
				cfg.MaxBody = 100_000
				if c.secure {
					cfg.CertFile, cfg.KeyFile = certFile, keyFile
				}
			})
			scheme := "http://"
			if c.secure {
				scheme = "https://"
			}
			tr := &http.Transport{Protocols: c.p, TLSClientConfig: trusting(cert)}
			defer tr.CloseIdleConnections()
			client := &http.Client{Transport: tr}
			do := func(path string, body io.Reader) int {
				t.Helper()
				res, err := client.Post(scheme+e.addr+path, "", body)
				require.NoError(t, err)
				defer res.Body.Close()
				if _, err := io.Copy(io.Discard, res.Body); err != nil || res.ProtoMajor != c.major {
					t.Errorf("%s, %v", res.Proto, err)
				}
				return res.StatusCode
			}
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					if got := do(genericPath, bytes.NewReader(make([]byte, 90_000))); got != 200 {
						t.Errorf("got %d", got)
					}
				})
			}
			wg.Wait()
			for _, r := range []struct {
				path string
				body io.Reader
				want int
			}{
				{genericPath, io.MultiReader(strings.NewReader("chunked")), 200},
				{genericPath, strings.NewReader(""), 200},
				{genericPath, bytes.NewReader(make([]byte, 100_001)), 413},
				{genericPath, io.MultiReader(bytes.NewReader(make([]byte, 100_001))), 413},
				{"/submit/telemetry/main/4/%2e%2e", strings.NewReader("x"), 400},
				{genericPath + strings.Repeat("x", 5000), strings.NewReader("x"), 414},
				{"/submit/x/main/4/id", strings.NewReader("x"), 404},
			} {
				if got := do(r.path, r.body); got != r.want {
					t.Errorf("%s: %d, want %d", r.path[:20], got, r.want)
				}
			}
			eventually(t, func() bool { return e.idle() == e.Stats().Connections })
			all := e.stop(t)
			if len(all) != 22 || headersOf(all[0])["Host"] != e.addr || string(all[0].RemoteAddr) != "127.0.0.1" {
				t.Errorf("%d records: %+v", len(all), e.Stats())
			}
		})
	}
}

// TestGuardInsideTLS smuggles through TLS, and speaks plainly to a TLS port.
func TestGuardInsideTLS(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	cert := writePair(t, certFile, keyFile, 1)
	e := start(t, func(c *Config) { c.CertFile, c.KeyFile = certFile, keyFile })
	c, err := tls.Dial("tcp", e.addr, trusting(cert))
	require.NoError(t, err)
	defer c.Close()
	raw := request("POST "+telemetryPath+" HTTP/1.1", "0\r\n\r\n", "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked")
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	if got := codes(t, readAll(t, c)); len(got) != 1 || got[0] != 400 {
		t.Errorf("got %v", got)
	}
	if got := e.send(t, post(telemetryPath, "x")); strings.Contains(got, " 200 ") {
		t.Errorf("plain: %q", got)
	}
	if all := e.stop(t); len(all) != 0 {
		t.Errorf("%d records", len(all))
	}
}

func TestCertificateReload(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	first := writePair(t, certFile, keyFile, 1)
	var seconds atomic.Int64
	var log bytes.Buffer
	e := start(t, func(c *Config) {
		c.CertFile, c.KeyFile = certFile, keyFile
		c.Now = func() time.Time { return time.Unix(1e9+seconds.Load(), 0) }
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	serial := func() int64 {
		t.Helper()
		conn, err := tls.Dial("tcp", e.addr, &tls.Config{InsecureSkipVerify: true}) // it is looked at
		require.NoError(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	check := func(want int64) {
		t.Helper()
		if got := serial(); got != want {
			t.Errorf("certificate %d, want %d", got, want)
		}
	}
	check(first.SerialNumber.Int64())
	writePair(t, certFile, keyFile, 2)
	check(1) // looked at within this second
	seconds.Add(1)
	check(2)
	writePair(t, certFile, filepath.Join(dir, "other"), 3) // its key has not come
	for range 3 {
		seconds.Add(2)
		check(2)
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "other"), keyFile))
	seconds.Add(1)
	check(3)
	require.NoError(t, os.Remove(certFile))
	seconds.Add(1)
	check(3)
	e.stop(t)
	if got := log.String(); strings.Count(got, "keep the certificate in use") != 2 || strings.Count(got, "certificate loaded") != 2 {
		t.Errorf("logged %s", got)
	}
}
