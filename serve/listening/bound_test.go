package listening

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBound: so many connections are served at once, and one whose client reads nothing ends, so that another one is served.
func TestBound(t *testing.T) {
	const most = 3
	own, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 10)
	s := NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			return
		}
		var err error
		for piece := make([]byte, 1<<20); err == nil; {
			_, err = w.Write(piece)
		}
		ended <- err
	}), 0)
	go func() { _ = s.Serve(Bound(own, most, 500*time.Millisecond)) }()
	defer s.Close()
	var slow []net.Conn
	for range most {
		c, err := net.Dial("tcp", own.Addr().String())
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		slow = append(slow, c)
	}
	r, err := http.Get("http://" + own.Addr().String() + "/small") // it waits for one of them to end
	require.NoError(t, err)
	_ = r.Body.Close()
	require.Equal(t, 200, r.StatusCode)
	require.NotEmpty(t, ended)
	for range most {
		require.ErrorContains(t, <-ended, "timeout")
	}
	require.Len(t, slow, most)
}
