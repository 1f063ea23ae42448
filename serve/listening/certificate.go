// Package listening has what the listeners of the service share: certificates whose files may change, and the names by which they
// may be asked.
package listening

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Certificate is a certificate whose files are looked at again when a client
// connects, at most once a second.
type Certificate struct {
	certFile, keyFile string
	now               func() time.Time
	log               *slog.Logger

	mu      sync.Mutex
	cert    *tls.Certificate
	looked  time.Time
	of, bad [2]fileState // the files that cert is of, and those found unusable
}

type fileState struct {
	size  int64
	mtime time.Time
}

// NewCertificate loads the certificate of two PEM files.
func NewCertificate(certFile, keyFile string, now func() time.Time, log *slog.Logger) (*Certificate, error) {
	k := &Certificate{certFile: certFile, keyFile: keyFile, now: now, log: log, looked: now()}
	k.of = k.files()
	cert, err := k.load()
	k.cert = cert
	return k, err
}

func (k *Certificate) load() (*tls.Certificate, error) {
	cert, err := tls.LoadX509KeyPair(k.certFile, k.keyFile)
	if err != nil {
		return nil, fmt.Errorf("load certificate %s and key %s: %w", k.certFile, k.keyFile, err)
	}
	return &cert, nil
}

func (k *Certificate) files() (s [2]fileState) {
	for i, name := range []string{k.certFile, k.keyFile} {
		if fi, err := os.Stat(name); err == nil {
			s[i] = fileState{fi.Size(), fi.ModTime()}
		}
	}
	return s
}

// get returns the certificate. Files that cannot be used, such as a new
// certificate whose key has not come yet, leave the last good one in place.
func (k *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if d := now.Sub(k.looked); d >= 0 && d < time.Second {
		return k.cert, nil
	}
	k.looked = now
	files := k.files()
	if files == k.of || files == k.bad {
		return k.cert, nil
	}
	cert, err := k.load()
	if err != nil {
		k.bad = files
		k.log.Error("keep the certificate in use", "err", err)
		return k.cert, nil
	}
	k.cert, k.of, k.bad = cert, files, [2]fileState{}
	k.log.Info("certificate loaded", "file", k.certFile)
	return k.cert, nil
}

// TLS offers HTTP/2 and HTTP/1.1.
func (k *Certificate) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: k.get, NextProtos: []string{"h2", "http/1.1"}}
}
