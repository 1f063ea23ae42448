package flight

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// endless runs for hours.
const endless = `SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)
CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5`

// certified returns a certificate for 127.0.0.1 that signs itself, and its file.
func certified(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "cert.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// TestSignIn: tokens as bearer and as password, over TLS, and those that do not count.
func TestSignIn(t *testing.T) {
	cert, file := certified(t)
	address, _ := served(t, func(c *Config) {
		c.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}}
	})
	address = "grpc+tls://" + address
	basic := map[string]string{"user": "token", "password": tokens["common"]}
	calls := []call{{"fetch", "SELECT 1 AS x", basic}, {"fetch", "SELECT 1 AS x", bearer("common")}}
	for _, headers := range []map[string]string{
		{"authorization": "Bearer pm_nobody"}, bearer("expired common"), {}, {"authorization": "Bearer "},
		{"authorization": "Digest " + tokens["common"]}, {"user": "token", "password": "pm_nobody"}, {"user": tokens["common"], "password": ""},
		bearer("jobs common"),
	} {
		calls = append(calls, call{"fetch", "SELECT 1 AS x", headers})
	}
	for _, c := range calls {
		c[2].(map[string]string)["pem"] = file
	}
	for i, got := range notebook(t, address, nil, append(calls, call{"fetch", "SELECT 1 AS x", bearer("common")})...) {
		switch {
		case i < 2:
			assert.Contains(t, string(got.Value), `"rows": [["1"]]`, got.Error)
		case i == len(calls)-1:
			assert.Equal(t, "UNAUTHORIZED", got.Status, got.Error)
		case i < len(calls):
			assert.Equal(t, "UNAUTHENTICATED", got.Status, "%v: %s", calls[i], got.Error)
		default:
			assert.NotEmpty(t, got.Error, "a certificate that nobody signed")
		}
	}
}

// TestCancel: a query that the notebook cancels while it runs.
func TestCancel(t *testing.T) {
	address, d := served(t, nil)
	got := notebook(t, "grpc://"+address, bearer("common"), call{"cancel", endless})[0]
	assert.Equal(t, "CANCELLED", got.Status, got.Error)
	d.Until(t, "common", queryservice.Cancelled, 1)
}

// dialed returns a client of Flight SQL, and the context with its token.
func dialed(t *testing.T, address, name string) (*flightsql.Client, context.Context) {
	t.Helper()
	c, err := flightsql.NewClient(address, nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c, metadata.AppendToOutgoingContext(t.Context(), authorization, "Bearer "+tokens[name])
}

// TestDropped: a query whose client goes away ends, and so does one that its person cancels by the ticket; others cannot.
func TestDropped(t *testing.T) {
	address, d := served(t, nil)
	c, ctx := dialed(t, address, "common")
	info, err := c.Execute(ctx, endless)
	require.NoError(t, err)
	fetched := make(chan error, 1)
	fetch := func(c *flightsql.Client, ctx context.Context) {
		_, err := c.DoGet(ctx, info.Endpoint[0].Ticket)
		fetched <- err
	}
	go fetch(c, ctx)
	d.Until(t, "common", queryservice.Running, 1)
	other, theirs := dialed(t, address, "narrow")
	_, err = other.CancelFlightInfo(theirs, &flight.CancelFlightInfoRequest{Info: info})
	require.NoError(t, err)
	d.Until(t, "common", queryservice.Running, 1)
	_, err = c.CancelFlightInfo(ctx, &flight.CancelFlightInfoRequest{Info: info})
	require.NoError(t, err)
	require.Error(t, <-fetched)
	d.Until(t, "common", queryservice.Cancelled, 1)

	go fetch(c, ctx)
	d.Until(t, "common", queryservice.Running, 1)
	require.NoError(t, c.Close())
	require.Error(t, <-fetched)
	d.Until(t, "common", queryservice.Cancelled, 2)
}

// counting counts the bytes that the server takes of results.
type counting struct {
	Executor
	taken atomic.Int64
	ended atomic.Bool
}

func (c *counting) Run(ctx context.Context, p *access.Person, q bi.Request) (*bi.Result, error) {
	r, err := c.Executor.Run(ctx, p, q)
	if err != nil {
		return nil, err
	}
	return &bi.Result{ReadCloser: &counted{r.ReadCloser, c}, ID: r.ID, Memory: r.Memory}, nil
}

type counted struct {
	io.ReadCloser
	by *counting
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.by.taken.Add(int64(n))
	return n, err
}

func (c *counted) Close() error {
	defer c.by.ended.Store(true)
	return c.ReadCloser.Close()
}

// TestSlowReader: of a result of 160 MB whose reader has taken the first batch, the server holds little, and lets it go with the reader.
func TestSlowReader(t *testing.T) {
	var d *counting
	address, _ := served(t, func(c *Config) {
		d = &counting{Executor: c.Executor}
		c.Executor = d
	})
	c, ctx := dialed(t, address, "common")
	ctx, cancel := context.WithCancel(ctx)
	info, err := c.Execute(ctx, `SELECT x, y, x + y AS c, x + y AS d, x + y AS e, x + y AS f, x + y AS g, x + y AS h, x + y AS i, x + y AS j
FROM UNNEST(sequence(1, 200)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)`)
	require.NoError(t, err)
	r, err := c.DoGet(ctx, info.Endpoint[0].Ticket)
	require.NoError(t, err)
	require.True(t, r.Next(), r.Err())
	cancel()
	for r.Next() { // what was on its way
	}
	require.Error(t, r.Err())
	r.Release()
	sitetest.WaitFor(t, "the end of the result", d.ended.Load)
	assert.Less(t, d.taken.Load(), int64(32<<20))
}
