package queries

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// TestSlowReaders: a person whose clients read nothing holds a bounded number of results in memory, and others do not notice.
func TestSlowReaders(t *testing.T) {
	a := served(t)
	large := map[string]any{"sql": "SELECT repeat('x', 30000000) AS t", "dialect": "duckdb"}
	q := answered(t, a, bob, large)
	other := answered(t, a, eve, large)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.Adapter().ServeHTTP(w, r.WithContext(access.With(r.Context(), map[string]*access.Person{"": bob, "eve": eve}[r.Header.Get("Person")])))
	}))
	defer server.Close()
	read := func(id, what, person string) (int, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/queries/"+id+what, nil)
		require.NoError(t, err)
		r.Header.Set("Person", person)
		got, err := server.Client().Do(r)
		require.NoError(t, err)
		defer got.Body.Close()
		_, err = io.Copy(io.Discard, got.Body)
		require.NoError(t, err)
		return got.StatusCode, got.Header
	}
	var slow []net.Conn
	for n := range maxReads {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "GET /api/v1/queries/%s/%s HTTP/1.1\r\nHost: x\r\n\r\n", q.ID, []string{"rows", "result"}[n%2])
		require.NoError(t, err)
		require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
		start := make([]byte, 12)
		_, err = io.ReadFull(c, start)
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 200", string(start))
		slow = append(slow, c)
	}
	for _, what := range []string{"/rows", "/result"} {
		status, head := read(q.ID, what, "")
		require.Equal(t, []any{429, "1"}, []any{status, head.Get("Retry-After")}, what)
		status, _ = read(other.ID, what, "eve")
		require.Equal(t, 200, status)
	}
	for _, c := range slow {
		require.NoError(t, c.Close())
	}
	require.Eventually(t, func() bool { status, _ := read(q.ID, "/rows", ""); return status == 200 }, 20*time.Second, 20*time.Millisecond)
}
