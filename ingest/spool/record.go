package spool

import (
	"errors"
	"fmt"
)

// Record is a submission as the edge received it. A nil text is absent.
type Record struct {
	// Timestamp is the arrival in ns since epoch. Append sets it: timestamps of a spool never repeat and never
	// decrease, also across restarts.
	Timestamp  int64
	URI        []byte // path of the request with its query string
	RemoteAddr []byte // address of the peer
	Headers    []Header
	Body       []byte // as it came
}

// Header is a request header.
type Header struct{ Name, Value []byte }

// Records reads the records of one segment from any store.
type Records interface {
	// Next reads the next record, which is valid until the next call. At the end it returns io.EOF. A
	// *DamageError is a loss, a *ForeignError marks data that is not a record; the next call continues behind
	// either.
	Next(*Record) error
	// Records returns the number of records read so far. Lost returns the known number of lost ones once all
	// was read, -1 if it is unknown.
	Records() int
	Lost() int
}

// ForeignError means a part of a segment is not a record of this program. No acknowledged record is lost with
// it.
type ForeignError struct {
	Segment string // and the place in it
	Offset  int64
	Reason  string
	Raw     []byte // what it is, as far as it is kept
	At      int64  // about when it arrived, ns since epoch; 0: not known
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s", e.Segment, e.Reason)
}

// The reasons for which Append refuses a record that callers distinguish.
var (
	ErrOverloaded = errors.New("the spool is overloaded")         // more waits than Options.MaxQueue
	ErrFull       = errors.New("the spool's disk is nearly full") // or full
	ErrClosed     = errors.New("the spool is closed")             // Close was called
	// ErrUnavailable means the store of the records cannot be reached, or has not confirmed whether it has the
	// record.
	ErrUnavailable = errors.New("the spool cannot be reached")
	ErrTooLarge    = errors.New("the record is larger than a segment takes")
)
