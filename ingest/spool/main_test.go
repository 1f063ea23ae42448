package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hands lists the helper programs that the test binary can run as.
var hands = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	if hand, ok := hands[os.Getenv("SPOOL_TEST_HAND")]; ok {
		if err := hand(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// clock is a clock that a test sets.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.ns.Load()) }

func open(t testing.TB, dir string, o Options) *Spool {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	s, err := Open(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func closed(t testing.TB, s *Spool) {
	t.Helper()
	require.NoError(t, s.Close())
}

// record returns a record that carries an id and a body of this size.
func record(id string, size int) *Record {
	return &Record{
		URI:        []byte("/submit/telemetry/" + id + "/main/Firefox/61.0/release/20180601"),
		RemoteAddr: []byte("192.0.2.7"),
		Headers:    []Header{{Name: []byte("Content-Encoding"), Value: []byte("gzip")}, {Name: []byte("DNT"), Value: nil}},
		Body:       bytes.Repeat([]byte{byte(len(id)), 7, 1}, size/3+1)[:size],
	}
}

func idOf(r *Record) string { return string(bytes.Split(r.URI, []byte("/"))[3]) }

func add(t testing.TB, s *Spool, r *Record) {
	t.Helper()
	require.NoError(t, s.Append(context.Background(), r))
}

func clone(r *Record) *Record {
	c := &Record{Timestamp: r.Timestamp, URI: bytes.Clone(r.URI), RemoteAddr: bytes.Clone(r.RemoteAddr), Body: bytes.Clone(r.Body)}
	if r.Headers != nil {
		c.Headers = []Header{}
	}
	for _, h := range r.Headers {
		c.Headers = append(c.Headers, Header{Name: bytes.Clone(h.Name), Value: bytes.Clone(h.Value)})
	}
	return c
}

// readAll returns copies of the records that a reader has, and the damage.
func readAll(t testing.TB, r *Reader) (all []*Record, damaged []*DamageError) {
	t.Helper()
	var rec Record
	for {
		err := r.Next(&rec)
		var d *DamageError
		switch {
		case err == nil:
			all = append(all, clone(&rec))
		case errors.As(err, &d):
			damaged = append(damaged, d)
		case errors.Is(err, io.EOF):
			return all, damaged
		default:
			t.Fatal(err)
		}
	}
}

// contents reads every sealed segment of a folder and checks what holds for
// all of them: no damage, ascending timestamps, numbers as described.
func contents(t testing.TB, dir string) []*Record {
	t.Helper()
	segments, err := List(dir)
	require.NoError(t, err)
	var all []*Record
	var buf []byte
	for _, g := range segments {
		r, err := ReadSegment(g, buf)
		require.NoError(t, err)
		buf = r.Buffer()
		records, damaged := readAll(t, r)
		if len(damaged) > 0 {
			t.Fatal(damaged[0])
		}
		if n := len(records); n == 0 || n != g.Records || records[0].Timestamp != g.First || records[n-1].Timestamp != g.Last {
			t.Fatalf("segment %+v has %d records", g, n)
		}
		all = append(all, records...)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Timestamp <= all[i-1].Timestamp {
			t.Fatalf("timestamp %d follows %d", all[i].Timestamp, all[i-1].Timestamp)
		}
	}
	return all
}
