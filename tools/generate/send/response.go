package send

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// response is the response to one try.
type response struct {
	status     int
	retryAfter time.Duration // 0: not said
	err        error         // no response came
}

// again reports whether a client would send the submission again.
func (a *response) again() bool {
	return a.err != nil || a.status >= 500 || a.status == http.StatusTooManyRequests
}

// try sends a submission once. Only the status of the response counts; whether
// the rest of it can be read does not matter.
func (s *sender) try(ctx context.Context, j *job) (a response) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	// Not a Client: it would follow redirects, with another method.
	r, err := s.Transport.RoundTrip(j.request().WithContext(ctx))
	if err != nil {
		return response{err: err}
	}
	defer r.Body.Close()
	_, _ = io.CopyN(io.Discard, r.Body, maxResponse) // so that the connection can be used again
	a.status = r.StatusCode
	if a.again() {
		a.retryAfter = retryAfter(r.Header.Get("Retry-After"), s.Now())
	}
	return a
}

// maxResponse is the number of bytes read of a response.
const maxResponse = 64 << 10

// longestPause bounds what a server can ask for.
const longestPause = 10 * time.Minute

// retryAfter reads a Retry-After header: seconds, or a date. What cannot be read
// asks for nothing.
func retryAfter(v string, now time.Time) time.Duration {
	v = strings.TrimSpace(v)
	if n, err := strconv.ParseUint(v, 10, 63); err == nil {
		return min(time.Duration(min(n, uint64(longestPause/time.Second)))*time.Second, longestPause)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longestPause)
}

// pause returns the delay after a number of tries, from 0: it doubles with each, half of it is random, and it is at
// least what the server asked for.
func (s *sender) pause(tries int, wanted time.Duration) time.Duration {
	d := s.MaxBackoff
	if tries < 32 && s.Backoff<<tries>>tries == s.Backoff {
		d = min(s.Backoff<<tries, d)
	}
	// The random part is added also to the requested pause; otherwise all clients would return at the same moment.
	return wanted + d/2 + rand.N(d/2+1)
}
