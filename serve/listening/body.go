package listening

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// BodyTime is how long a client may take to send the body of a request.
const BodyTime = 5 * time.Second

// NewServer makes a server whose clients may take a limited time to send a head, to send a body of at most maxBody bytes, and between
// requests.
func NewServer(h http.Handler, maxBody int64) *http.Server {
	return &http.Server{
		Handler: LimitBodies(maxBody, h), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true, // it would wait for the body of OPTIONS * without end
	}
}

// LimitBodies limits the bytes of a body, and the time until its end to BodyTime.
//
// The handler gets a copy of the request: net/http looks at the body of its own one to know whether a body was left unread by an early
// response, and then closes the connection. With another body in its place the rest would be parsed as the next request. So nothing
// else may replace the body of a request that a server has made, and rules/ checks that.
func LimitBodies(limit int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody {
			_ = control.SetReadDeadline(time.Now().Add(BodyTime)) // writers of tests have none
		}
		limited := r.WithContext(r.Context())
		limited.Body = &body{http.MaxBytesReader(w, r.Body, limit), control}
		next.ServeHTTP(w, limited)
	})
}

// body is a limited body.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read lifts the deadline at the end, also one that an operation has set for its body: net/http goes on reading to notice that the client
// leaves, and an error of that would end the context of the request.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
