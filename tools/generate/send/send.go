package send

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/tools/generate"
)

// Options sets the target and the pace of sending.
type Options struct {
	// To is the URL of the edge, http or https. Its path is a prefix of the submissions' paths.
	To *url.URL

	Rate        float64 // submissions a second, steadily; 0: as fast as responses come
	Concurrency int     // submissions on their way at a time, 64 unless set

	// Retries is the number of retries of a submission without a response, or with 429 or 5xx; negative: no limit. See
	// DefaultRetries.
	Retries int
	// Backoff is the pause before the first time, 200 ms unless set. It doubles up
	// to MaxBackoff, 30 s unless set; half of each pause is chance.
	Backoff, MaxBackoff time.Duration
	Timeout             time.Duration // of one request with its response, 30 s unless set

	Skip  int64 // submissions of the population to leave out first
	Limit int64 // most submissions to send, 0: all

	clock.Clock                   // Now is required; Wait is a timer unless set
	Transport   http.RoundTripper // one with a connection for each submission on its way unless set

	// IDs gets the document id of every acknowledged submission, if it is not
	// nil. It may hold others already. Nobody else may use it during Run.
	IDs *IDs
	// Journal, if it is not nil, gets each such id as a line, in one call of Write
	// as soon as it is acknowledged. An error of it ends the sending.
	Journal io.Writer
	// Progress, if it is not nil, is called after each submission, one call at a
	// time.
	Progress func(Stats)
}

// DefaultRetries makes eight tries.
const DefaultRetries = 7

// withDefaults fills in what is not set and checks the rest.
func (o Options) withDefaults() (Options, error) {
	switch u := o.To; {
	case u == nil:
		return o, errors.New("no address to send to")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.Opaque != "":
		return o, fmt.Errorf("%q is no address of the form http://HOST or https://HOST", u)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return o, fmt.Errorf("address %s: it may have a path, but no user, query or fragment", u.Redacted())
	}
	if o.Now == nil {
		return o, errors.New("no clock")
	}
	if !(o.Rate >= 0 && o.Rate <= 1e9) {
		return o, fmt.Errorf("rate %v is no number of submissions a second", o.Rate)
	}
	if o.Concurrency < 0 || o.Concurrency > maxConcurrency {
		return o, fmt.Errorf("concurrency %d is not between 1 and %d", o.Concurrency, maxConcurrency)
	}
	if o.Skip < 0 || o.Limit < 0 {
		return o, fmt.Errorf("skip %d and limit %d: neither may be negative", o.Skip, o.Limit)
	}
	o.Concurrency = cmp.Or(o.Concurrency, 64)
	o.Backoff, o.MaxBackoff = cmp.Or(o.Backoff, 200*time.Millisecond), cmp.Or(o.MaxBackoff, 30*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	if o.Backoff < 0 || o.MaxBackoff < o.Backoff || o.Timeout < 0 {
		return o, fmt.Errorf("pauses from %s to %s, timeout %s: they must be positive and in order", o.Backoff, o.MaxBackoff, o.Timeout)
	}
	if o.Wait == nil {
		o.Wait = clock.Wait
	}
	return o, nil
}

// Check returns the error that Run would return for the options.
func (o *Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// maxConcurrency keeps the memory for submissions on their way, and the
// connections, within what a process can have.
const maxConcurrency = 20_000

// newTransport is one that keeps as many connections as are in use.
func newTransport(connections int) *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // responses are short anyway
		WriteBufferSize:     32 << 10,
	}
}

// Run sends the submissions of g in order of arrival until each has a final response or has used up its retries, or
// the context ends. The report is also valid with an error, which comes from the context, the journal or the options.
func Run(ctx context.Context, g *generate.Generator, o Options) (Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Report{}, fmt.Errorf("send submissions: %w", err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := sender{Options: o, tally: tally{now: o.Now, start: o.Now()}, stop: stop}
	if s.Transport == nil {
		t := newTransport(o.Concurrency)
		defer t.CloseIdleConnections()
		s.Transport = t
	}
	s.run(ctx, g)
	r := s.report()
	if err := context.Cause(ctx); err != nil {
		return r, fmt.Errorf("send submissions: %w", err)
	}
	return r, nil
}
