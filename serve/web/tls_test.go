package web

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
)

// pair writes a certificate for 127.0.0.1 and its key.
func pair(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(cert, text, 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	roots = x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(text))
	return cert, key, roots
}

// TestTLS: with a certificate of its own the query tool speaks TLS alone, and its cookies go over nothing else.
func TestTLS(t *testing.T) {
	cert, key, roots := pair(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	set := Settings{CertFile: cert, KeyFile: key}
	tried := 0
	s, err := New(t.Context(), Config{
		Site: sitetest.Local(t), Dir: t.TempDir(), URL: set.Base(l.Addr().String()), Settings: set, Version: "1",
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }},
		Log:   slog.New(slog.DiscardHandler),

		Tried: func(access.How, bool) { tried++ },
	})
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	admin, err := s.Access.Account(t.Context(), access.FirstName)
	require.NoError(t, err)
	token, err := s.Access.Link(t.Context(), admin.ID)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	got, err := client.Post(s.URL+"/api/v1/session/link", "application/json", bytes.NewBufferString(fmt.Sprintf(`{"token":%q}`, token)))
	require.NoError(t, err)
	got.Body.Close()
	require.Equal(t, 200, got.StatusCode)
	require.Equal(t, 2, got.ProtoMajor)
	c := got.Cookies()[0]
	base, err := url.Parse(s.URL)
	require.NoError(t, err)
	require.Equal(t, "__Host-pingmill-"+base.Port(), c.Name)
	require.True(t, c.Secure && c.HttpOnly && c.SameSite == http.SameSiteLaxMode && c.Path == "/" && c.Domain == "")
	require.Equal(t, 1, tried)
	plain, err := http.Get("http://" + l.Addr().String())
	require.NoError(t, err)
	plain.Body.Close()
	require.Equal(t, 400, plain.StatusCode)
	client.CloseIdleConnections()
	end()
	require.NoError(t, <-served)
	require.NoError(t, s.Close())
}
