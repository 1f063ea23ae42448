package flight

import (
	"context"
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// heavy reads a table for hours.
const heavy = "SELECT count(*) FROM addons a CROSS JOIN addons b CROSS JOIN addons c CROSS JOIN addons d CROSS JOIN addons e CROSS " +
	"JOIN addons f WHERE a.client_id || f.client_id = e.client_id || 'x'"

// running begins to fetch a query, and gives what becomes of it.
func running(ctx context.Context, t *testing.T, c *flightsql.Client, o *bitest.Office, name string) <-chan error {
	t.Helper()
	info, err := c.Execute(ctx, heavy)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := fetched(ctx, c, info.Endpoint[0].Ticket)
		ended <- err
	}()
	o.Until(t, name, queryservice.Running, 1)
	return ended
}

// TestRights: tickets, prepared statements and queries that run have the rights of the moment, and end with the token.
func TestRights(t *testing.T) {
	at, o := served(t, nil)
	o.Hire(t, "held", access.Grant{Table: "addons"}, access.Grant{Table: bitest.Restricted()})
	c, ctx := dialed(t, at, "held")
	info, err := c.Execute(ctx, "SELECT client_id FROM "+bitest.Restricted())
	require.NoError(t, err)
	prepared, err := c.Prepare(ctx, "SELECT client_id FROM addons")
	require.NoError(t, err)
	ended := running(ctx, t, c, o, "held")

	o.Edit(t, "held", func(a *access.Account) {
		a.Grants = []access.Grant{{Table: "addons", Columns: []string{"document_id"}}}
	})
	assert.ErrorContains(t, <-ended, "rights have changed")
	_, err = fetched(ctx, c, info.Endpoint[0].Ticket)
	assert.ErrorContains(t, err, "there is no table")
	info, err = prepared.Execute(ctx)
	require.NoError(t, err)
	_, err = fetched(ctx, c, info.Endpoint[0].Ticket)
	assert.ErrorContains(t, err, "client_id")

	o.Edit(t, "held", func(a *access.Account) { a.Grants = []access.Grant{{Table: "addons"}} })
	ended = running(ctx, t, c, o, "held")
	o.Revoke(t, "held")
	assert.Equal(t, codes.Unauthenticated, status.Code(<-ended))
	_, err = c.GetTables(ctx, &flightsql.GetTablesOpts{})
	assert.Equal(t, codes.Unauthenticated, status.Code(err))
}

// TestSilentClients: connections on which nobody authenticates keep nobody out, and nobody has all calls.
func TestSilentClients(t *testing.T) {
	at, _ := served(t, nil)
	for range 600 {
		conn, err := net.Dial("tcp", at)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = conn.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	}
	c, ctx := dialed(t, at, "common")
	ctx, cancel := context.WithTimeout(ctx, pendingTime)
	defer cancel()
	_, err := c.GetTables(ctx, &flightsql.GetTablesOpts{})
	require.NoError(t, err)
}

// TestConnectionsOfPerson: one person has the maximum of connections, and another one does not notice it.
func TestConnectionsOfPerson(t *testing.T) {
	at, o := served(t, nil)
	o.Hire(t, "many")
	var last error
	for range maxOfPerson + 1 {
		c, ctx := dialed(t, at, "many")
		_, last = c.GetTables(ctx, &flightsql.GetTablesOpts{})
	}
	assert.Equal(t, codes.ResourceExhausted, status.Code(last))
	c, ctx := dialed(t, at, "common")
	_, err := c.GetTables(ctx, &flightsql.GetTablesOpts{})
	require.NoError(t, err)
}

// TestFailsMidway: a statement that fails after some rows has none.
func TestFailsMidway(t *testing.T) {
	at, _ := served(t, nil)
	c, ctx := dialed(t, at, "common")
	info, err := c.Execute(ctx, bitest.Midway)
	if err == nil {
		_, err = fetched(ctx, c, info.Endpoint[0].Ticket)
	}
	assert.ErrorContains(t, err, "'x'")
}

// TestLongMessages: texts and patterns have limits.
func TestLongMessages(t *testing.T) {
	at, _ := served(t, nil)
	c, ctx := dialed(t, at, "common")
	_, err := c.Execute(ctx, "SELECT '"+strings.Repeat("x", maxMessage)+"'")
	assert.Equal(t, codes.ResourceExhausted, status.Code(err))
	pattern := strings.Repeat("%_", maxPattern)
	info, err := c.GetTables(ctx, &flightsql.GetTablesOpts{TableNameFilterPattern: &pattern})
	require.NoError(t, err)
	_, err = fetched(ctx, c, info.Endpoint[0].Ticket)
	assert.NoError(t, err)
}

// TestTLSVersions: versions before 1.2 and clients without TLS are refused.
func TestTLSVersions(t *testing.T) {
	at, _ := served(t, func(c *Config) {
		c.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{bitest.Certificate(t)}, NextProtos: []string{"h2"}}
	})
	for name, c := range map[string]struct {
		with credentials.TransportCredentials
		ok   bool
	}{
		"1.3":   {credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}), true},
		"1.2":   {credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}), true},
		"1.1":   {credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}), false},
		"plain": {insecure.NewCredentials(), false},
	} {
		client, err := flightsql.NewClient(at, nil, nil, grpc.WithTransportCredentials(c.with))
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(t.Context(), authorization, "Bearer "+tokens["common"]),
			20*time.Second)
		_, err = client.GetTables(ctx, &flightsql.GetTablesOpts{})
		cancel()
		assert.Equal(t, c.ok, err == nil, "%s: %v", name, err)
		_ = client.Close()
	}
}
