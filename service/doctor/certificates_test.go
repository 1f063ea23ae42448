package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writePair writes a certificate for pings.example, which signs itself, and its key.
func writePair(t *testing.T, from, to time.Time, usage ...x509.ExtKeyUsage) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "pings.example"}, DNSNames: []string{"pings.example"},
		NotBefore: from, NotAfter: to, ExtKeyUsage: append(usage, x509.ExtKeyUsageServerAuth)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	return cert, key
}

func TestCertificates(t *testing.T) {
	now := time.Now()
	p := patient(t, t.TempDir())
	w := &p.Service.Web
	has(t, found(t, p, "certificates"), OK, "none is set")
	w.URL = "https://pings.example"
	w.CertFile, w.KeyFile = writePair(t, now.Add(-time.Hour), now.Add(90*24*time.Hour))
	has(t, found(t, p, "certificates"), Warn, "do not vouch for")
	require.Len(t, found(t, p, "certificates"), 1)

	w.URL = "https://other.example"
	has(t, found(t, p, "certificates"), Fail, "is for pings.example, and web.url has other.example")
	w.CertFile, w.KeyFile = writePair(t, now.Add(-time.Hour), now.Add(10*24*time.Hour+time.Hour))
	has(t, found(t, p, "certificates"), Warn, "expires in 10 days")
	w.CertFile, w.KeyFile = writePair(t, now.Add(-2*time.Hour), now.Add(-time.Hour))
	has(t, found(t, p, "certificates"), Fail, "expired on")
	w.CertFile, w.KeyFile = writePair(t, now.Add(time.Hour), now.Add(90*24*time.Hour))
	has(t, found(t, p, "certificates"), Fail, "is valid from")
	_, w.KeyFile = writePair(t, now, now)
	has(t, found(t, p, "certificates"), Fail, "private key does not match")

	p.Service.Parts = []string{"decode"} // serves no pages
	has(t, found(t, p, "certificates"), OK, "none is set")
	p.Service.Topic.CertFile, p.Service.Topic.KeyFile = writePair(t, now.Add(-time.Hour), now.Add(90*24*time.Hour))
	has(t, found(t, p, "certificates"), OK, "spool.kafka: ")
}
