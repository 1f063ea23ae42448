package listening

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBound: a number of connections are served at once, and one whose client reads nothing ends, so that another one
// is served.
func TestBound(t *testing.T) {
	const most = 8
	begun := make(chan struct{}, most)
	own, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 10)
	s := NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			return
		}
		begun <- struct{}{}
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
		<-begun
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

// TestQuiet: connections without a request keep nobody out, whatever was sent on them before, and one that is served stays.
func TestQuiet(t *testing.T) {
	secure := httptest.NewTLSServer(nil) // for its certificate
	secure.Close()
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	for _, how := range []string{"plain", "tls"} {
		t.Run(how, func(t *testing.T) {
			own, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			begun, release := make(chan struct{}), make(chan struct{})
			s := NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/long" {
					close(begun)
					<-release
				}
			}), 1000)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots},
				ForceAttemptHTTP2: true}}
			bounded := Bound(own, 20, time.Minute)
			base, serve := "http://"+own.Addr().String(), func() error { return s.Serve(bounded) }
			if how == "tls" {
				base, serve = "https://"+own.Addr().String(), func() error { return s.ServeTLS(bounded, "", "") }
				s.TLSConfig = &tls.Config{Certificates: secure.TLS.Certificates}
			}
			ended := make(chan error, 1)
			go func() { ended <- serve() }()
			long := make(chan int, 1)
			go func() {
				r, err := client.Get(base + "/long")
				if err != nil {
					long <- 0
					return
				}
				_ = r.Body.Close()
				long <- r.StatusCode
			}()
			<-begun
			var first net.Conn
			for n := range 100 {
				c, err := net.Dial("tcp", own.Addr().String())
				require.NoError(t, err)
				defer c.Close()
				_, _ = io.WriteString(c, []string{"", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03"}[n%4])
				if first == nil {
					first = c
				}
			}
			require.NoError(t, first.SetReadDeadline(time.Now().Add(10*time.Second)))
			_, err = first.Read(make([]byte, 1))
			require.False(t, errors.Is(err, os.ErrDeadlineExceeded), "the oldest is open")
			began := time.Now()
			r, err := client.Get(base + "/")
			require.NoError(t, err)
			_ = r.Body.Close()
			require.Less(t, time.Since(began), 9*time.Second, "it waited until the others were given up")
			close(release)
			require.Equal(t, 200, <-long, "what is served stays")
			require.NoError(t, s.Close())
			require.ErrorIs(t, <-ended, http.ErrServerClosed)
			quiet := bounded.(*bound).quiet
			require.Eventually(t, func() bool {
				quiet.mu.Lock()
				defer quiet.mu.Unlock()
				return len(quiet.conns) == 0 && len(quiet.count) == 0
			}, 10*time.Second, 10*time.Millisecond, "closed connections are forgotten")
		})
	}
}
