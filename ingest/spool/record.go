package spool

import (
	"errors"
	"fmt"
)

// Record is one submission as the edge took it. In texts nil is absent.
type Record struct {
	// Timestamp is the arrival in ns since epoch. Append sets it: timestamps of
	// a spool never repeat and never go back, also across restarts.
	Timestamp  int64
	URI        []byte // path of the request with its query string
	RemoteAddr []byte // address of the peer
	Headers    []Header
	Body       []byte // as it came
}

// Header is one request header.
type Header struct{ Name, Value []byte }

// Records reads the records of one segment, wherever it is kept.
type Records interface {
	// Next reads the next record, which is valid until the next call. At the end it
	// gives io.EOF. A *DamageError is a loss, a *ForeignError something that is no
	// record; the next call goes on behind either.
	Next(*Record) error
	// Records is how many records were read so far, Lost how many are known to be
	// lost once all was read; -1: nobody knows.
	Records() int
	Lost() int
}

// ForeignError says that something in a segment is no record of ours. Nothing
// that was acknowledged is lost with it.
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
	// ErrUnavailable says that what keeps records cannot be reached, or has not said
	// whether it has the record.
	ErrUnavailable = errors.New("the spool cannot be reached")
	ErrTooLarge    = errors.New("the record is larger than a segment takes")
)
