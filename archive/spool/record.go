package spool

import "errors"

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

// The reasons for which Append refuses a record that callers distinguish.
var (
	ErrOverloaded = errors.New("the spool is overloaded")         // more waits than Options.MaxQueue
	ErrFull       = errors.New("the spool's disk is nearly full") // or full
	ErrClosed     = errors.New("the spool is closed")             // Close was called
	ErrTooLarge   = errors.New("the record is larger than a segment takes")
)
