package listening

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// BodyTime is the maximum time in which a client sends the body of a request.
const BodyTime = 5 * time.Second

// NewServer returns a server with limits on the time for a request's head, the time and the bytes (maxBody) for its
// body, and the time between requests. On a listener of Bound, connections without a request make room for others.
func NewServer(h http.Handler, maxBody int64) *http.Server {
	return &http.Server{
		Handler: whileServing(LimitBodies(maxBody, h)), ConnContext: withConn, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes:               64 << 10,
		DisableGeneralOptionsHandler: true, // the general handler would wait forever for the body of OPTIONS *
	}
}

// connKey is the context key of a request's connection.
type connKey struct{}

// withConn puts a connection of Bound into the context of its requests.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connKey{}, c)
}

// whileServing keeps the connection of a request from being closed to make room, until the handler returns.
func whileServing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*boundConn); ok {
			c.begin()
			defer c.end()
		}
		next.ServeHTTP(w, r)
	})
}

// LimitBodies limits the bytes of a request body, and its time to BodyTime.
//
// The handler gets a copy of the request. After an early response, net/http inspects the original body: if a part was
// not read, it closes the connection. If the original body were replaced, the rest would be parsed as the next request
// (request smuggling). So no other code may replace the body of a server's request; rules/ checks that.
func LimitBodies(limit int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody {
			_ = control.SetReadDeadline(time.Now().Add(BodyTime)) // writers of tests do not support deadlines
		}
		limited := r.WithContext(r.Context())
		limited.Body = &body{http.MaxBytesReader(w, r.Body, limit), control}
		next.ServeHTTP(w, limited)
	})
}

type body struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read removes the read deadline at the end of the body, also one that an operation has set. net/http then keeps
// reading to detect a disconnect, and a timeout of that read would cancel the request's context.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
