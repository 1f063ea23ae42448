// Package listening holds what the service's listeners share: certificates that are reloaded, checks of the Host
// header, and limits on bodies, connections and clients that have not authenticated.
package listening

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Certificate is a TLS certificate. When a client connects, it checks its files for changes, at most once a second.
type Certificate struct {
	certFile, keyFile string
	now               func() time.Time
	log               *slog.Logger

	mu          sync.Mutex
	cert        *tls.Certificate
	looked      time.Time
	loaded, bad [2]fileState // the loaded files, and the last files that failed to load
}

type fileState struct {
	size  int64
	mtime time.Time
}

// NewCertificate loads a certificate and its key from two PEM files.
func NewCertificate(certFile, keyFile string, now func() time.Time, log *slog.Logger) (*Certificate, error) {
	k := &Certificate{certFile: certFile, keyFile: keyFile, now: now, log: log, looked: now()}
	k.loaded = k.files()
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

// get returns the certificate. If the changed files cannot be loaded, for example because the new key is still
// missing, it returns the previous certificate.
func (k *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if d := now.Sub(k.looked); d >= 0 && d < time.Second {
		return k.cert, nil
	}
	k.looked = now
	files := k.files()
	if files == k.loaded || files == k.bad {
		return k.cert, nil
	}
	cert, err := k.load()
	if err != nil {
		k.bad = files
		k.log.Error("keep the certificate in use", "err", err)
		return k.cert, nil
	}
	k.cert, k.loaded, k.bad = cert, files, [2]fileState{}
	k.log.Info("certificate loaded", "file", k.certFile)
	return k.cert, nil
}

// TLS returns a configuration with this certificate, TLS 1.2 or later, and HTTP/2 and HTTP/1.1.
func (k *Certificate) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: k.get, NextProtos: []string{"h2", "http/1.1"}}
}
