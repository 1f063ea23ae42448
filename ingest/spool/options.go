package spool

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Sync is the durability of a record when Append returns.
type Sync uint8

// The modes. All except SyncGroup serve for comparison in measurements.
const (
	SyncGroup  Sync = iota // on disk, one write and sync for all that wait
	SyncEach               // on disk, one write and sync for each record
	SyncNone               // handed to the operating system
	SyncAppend             // on disk, each record appended to the end of a file and synced: the ordinary way
	SyncCached             // as SyncGroup, but through the page cache
)

// Options configures a spool. The zero value of a member means its default, except for Now, which is required.
type Options struct {
	Edge         string           // name of this edge, in segment names: letters, digits, _; "edge"
	SegmentBytes int64            // size at which a segment is sealed: 64 MiB; at most 1 GiB
	SegmentAge   time.Duration    // a segment with records is sealed after this time: 10 s
	MaxQueue     int64            // bytes waiting for a commit beyond which Append gives ErrOverloaded: 64 MiB, with Failover 512 MiB
	Failover     string           // folder on another disk, for what waits too long for the first one; "": none
	MinFree      int64            // bytes of free disk below which Append gives ErrFull; 0 or less: no check
	Sync         Sync             // SyncGroup
	Decoding     bool             // this process removes segments, too: no Follower may
	After        uint64           // number of a segment that all new ones are above, also in a new folder: 0
	Now          func() time.Time // the clock of the timestamps
	Log          *slog.Logger     // nil: discard
}

const (
	defaultSegmentBytes = 64 << 20
	minSegmentBytes     = 2 * block
	maxSegmentBytes     = 1 << 30
	defaultSegmentAge   = 10 * time.Second
	defaultMaxQueue     = 64 << 20
	maxQueueOfTwo       = 512 << 20
)

// complete checks the options and fills in the defaults.
func (o *Options) complete() error {
	if o.Now == nil {
		return errors.New("spool options: no clock")
	}
	o.Edge = cmp.Or(o.Edge, "edge")
	if !validEdge(o.Edge) {
		return fmt.Errorf("spool options: edge name %q: only letters, digits and _", o.Edge)
	}
	if o.Sync > SyncCached {
		return fmt.Errorf("spool options: unknown sync mode %d", o.Sync)
	}
	if o.SegmentBytes < 0 || o.SegmentBytes > maxSegmentBytes || o.SegmentAge < 0 || o.MaxQueue < 0 {
		return errors.New("spool options: a size or time out of range")
	}
	o.SegmentBytes = max(cmp.Or(o.SegmentBytes, defaultSegmentBytes), minSegmentBytes)
	o.SegmentAge = cmp.Or(o.SegmentAge, defaultSegmentAge)
	if o.MaxQueue == 0 && o.Failover != "" {
		o.MaxQueue = maxQueueOfTwo
	}
	o.MaxQueue = cmp.Or(o.MaxQueue, defaultMaxQueue)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}

// Stats holds counts since Open, and the present state.
type Stats struct {
	Queued      int64 // bytes that wait for a commit
	Records     int64 // acknowledged
	Bytes       int64 // of the records acknowledged, with their headers
	Commits     int64 // durable writes
	Failed      int64 // records that could not be written
	Sealed      int   // segments
	SealedBytes int64
	Oldest      int64 // arrival of their first submission, ns since epoch; 0: there is none
	Stalls      int64 // how often the first disk was late, and the second one was written
	Aside       int64 // records that were written there
	Free        int64 // bytes of free disk at the last look, about every second; -1: unknown
}

var (
	errInUse   = errors.New("another process has it open")
	errDecoded = errors.New("another process decodes it")
)
