package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Rejected is a submission that did not become a ping, with everything needed to decode it again.
type Rejected struct {
	Meta    ping.Meta // as far as known
	Class   string    // uri, json, internal, …
	Message string
	Path    string            // of the request
	Headers map[string]string // of the request
	Body    []byte            // as it was sent
}

// addressHeaders are the request headers, in lower case, that have a client's
// address. They never reach the archive.
var addressHeaders = map[string]bool{
	"x-forwarded-for": true, "forwarded": true, "x-real-ip": true, "true-client-ip": true,
	"x-client-ip": true, "x-cluster-client-ip": true, "cf-connecting-ip": true,
	"cf-connecting-ipv6": true, "fastly-client-ip": true, "fly-client-ip": true,
	"x-appengine-user-ip": true, "x-envoy-external-address": true,
	"remote-addr": true, "via": true,
}

// AppendError adds a rejected submission. Its metadata determines the day; a submission without a day is stored
// too. It drops headers with the client's address. The caller may reuse the argument afterwards.
func (w *Writer) AppendError(e *Rejected) error {
	w.record = rowfile.Record{Meta: e.Meta, Body: e.Body}
	r := &w.record
	r.Extra = [rowfile.NumExtra][]byte{
		rowfile.ExtraClass: []byte(e.Class), rowfile.ExtraMessage: []byte(e.Message), rowfile.ExtraPath: []byte(e.Path),
	}
	if len(e.Headers) > 0 {
		h, err := json.Marshal(withoutAddresses(e.Headers))
		if err != nil {
			return fmt.Errorf("append rejected submission: headers: %w", err)
		}
		r.Extra[rowfile.ExtraHeaders] = h
	}
	rowfile.Rejected.Clean(r)
	return w.addRejected()
}

func withoutAddresses(headers map[string]string) map[string]string {
	remaining := make(map[string]string, len(headers))
	for name, value := range headers {
		if !addressHeaders[strings.ReplaceAll(strings.ToLower(name), "_", "-")] {
			remaining[name] = value
		}
	}
	return remaining
}

// addRejected files the current record under its day if it has one, else under
// the day of none.
func (w *Writer) addRejected() error {
	m := &w.record.Meta
	day, _ := dayOf(m)
	if ns, ok := m.Int(ping.Timestamp); ok && day == nil {
		day = []byte(ping.DayOf(ns))
	}
	return w.add(rowfile.Rejected, day, nil)
}

// Errors holds the rejected submissions of one day, as they were when it was opened.
type Errors struct{ day *Day }

// OpenErrors opens the rejected submissions of a day; "" stands for those of no known day. If there are none
// the error matches fs.ErrNotExist.
func OpenErrors(ctx context.Context, b store.Bucket, day ping.Day) (*Errors, error) {
	if day != "" && !naming.ValidDay([]byte(day)) {
		return nil, fmt.Errorf("open archive errors of %q: not a day", day)
	}
	d, err := open(ctx, b, partition{day: day, kind: rowfile.Rejected})
	if err != nil {
		return nil, err
	}
	return &Errors{d}, nil
}

// Rows returns the number of rejected submissions.
func (e *Errors) Rows() int64 { return e.day.Rows() }

// Names returns the names of the files, for Writer.Replace.
func (e *Errors) Names() []string { return e.day.Names() }

// All yields the rejected submissions in the order of Day.Pings. Each is valid until the next step. An error
// ends the sequence.
func (e *Errors) All(ctx context.Context) iter.Seq2[*Rejected, error] { return e.rows(ctx, true) }

// Heads works like All, but does not read the bodies.
func (e *Errors) Heads(ctx context.Context) iter.Seq2[*Rejected, error] { return e.rows(ctx, false) }

func (e *Errors) rows(ctx context.Context, bodies bool) iter.Seq2[*Rejected, error] {
	return func(yield func(*Rejected, error) bool) {
		for r, err := range e.day.records(ctx, rowfile.Rejected, 0, rowfile.NoSample, withBodies(bodies)) {
			var out *Rejected
			if err == nil {
				out, err = rejectedFrom(r)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// rejectedFrom reads a rejected submission from its row.
func rejectedFrom(r *rowfile.Record) (*Rejected, error) {
	e := &Rejected{
		Meta: r.Meta, Body: r.Body,
		Class:   string(r.Extra[rowfile.ExtraClass]),
		Message: string(r.Extra[rowfile.ExtraMessage]),
		Path:    string(r.Extra[rowfile.ExtraPath]),
	}
	if h := r.Extra[rowfile.ExtraHeaders]; h != nil {
		if err := json.Unmarshal(h, &e.Headers); err != nil {
			return nil, fmt.Errorf("read rejected submission: headers: %w", err)
		}
	}
	return e, nil
}
