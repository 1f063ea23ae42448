package intake

import (
	"context"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/ingest"
)

// Spool is the decode loop's view of the spool.
type Spool interface {
	// Sealed lists the segments that get no more records, oldest first.
	Sealed() ([]spool.Segment, error)
	// Changed is sent to after a segment was sealed.
	Changed() <-chan struct{}
	// Watermark gives a timestamp in ns since epoch: every record of it or before is
	// in a sealed segment. 0: there is none yet.
	Watermark(context.Context) (int64, error)
	// Remove deletes a segment.
	Remove(spool.Segment) error
	// Missing lists segments that were sealed and are neither among those given
	// nor, by the number of the last one that is, in the archive: 0 is none, unless
	// it is not known which ones are.
	Missing(sealed []spool.Segment, last uint64, known bool) ([]spool.Segment, error)
	// Keep takes a damaged segment from the others, and keeps what was not read.
	Keep(spool.Segment) error
}

// DecodeOptions say how a spool is decoded. Durations and sizes that are 0 take
// their defaults.
type DecodeOptions struct {
	Spool  Spool
	Edge   string // names the spool: the same for ever, and no other's
	Decode ingest.Config
	// Workers is how many decoders run at a time; 0: one for each core.
	Workers int
	// Buffer bounds the pings that wait for their archive files, in bytes; 128 MiB.
	Buffer int64

	// ArchiveEvery and ArchiveBytes (of segments) say when what was decoded is
	// committed to the archive: 5 minutes, 512 MiB. Until then its segments stay.
	ArchiveEvery time.Duration
	ArchiveBytes int64
	// PublishEvery is how often new rows of the direct tables become visible: 20
	// seconds.
	PublishEvery time.Duration
	// ReloadEvery is how often the geo database and the clients that are to be
	// forgotten are looked at: 30 seconds.
	ReloadEvery time.Duration

	// Decoded, if not nil, is called for every submission that was decoded, in the
	// order of arrival: with its class, empty for a ping, its namespace and its
	// document type. After a failure it is called again for those that were not
	// committed.
	Decoded func(class, namespace, docType string)

	// Published, if not nil, is called for each publication of a direct table while
	// pings arrive: with the rows that were not visible before, and the bytes of files.
	Published func(table string, rows, bytes int64)
	// Stop, when closed, says that nothing more is appended: the loop ends once
	// everything is in the archive. The spool is closed after that.
	Stop <-chan struct{}
	// Leave says that another process goes on appending: after Stop the loop
	// commits the submissions that it has taken, and leaves the rest.
	Leave bool
	Now   func() time.Time
	Log   *slog.Logger

	decode func(*ingest.Decoder) decoder // for tests: in the place of the decoder
}

func (o *DecodeOptions) defaults() {
	for _, d := range []struct {
		value *time.Duration
		def   time.Duration
	}{
		{&o.ArchiveEvery, 5 * time.Minute}, {&o.PublishEvery, 20 * time.Second}, {&o.ReloadEvery, 30 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.def
		}
	}
	if o.ArchiveBytes <= 0 {
		o.ArchiveBytes = 512 << 20
	}
	if o.Buffer <= 0 {
		o.Buffer = 128 << 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}
