package loader

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
)

// Spool is the decode loop's view of what was acknowledged: segments of records, in
// their order. The local spool and the partitions of a Kafka topic are such.
type Spool interface {
	// Resume says up to which number segments are in the archive, at the start and
	// after a failure: those behind it are decoded, once more if need be.
	Resume(last uint64) error
	// Sealed lists the segments that get no more records, oldest first.
	Sealed() ([]spool.Segment, error)
	// Read opens a segment. buf is memory that it may use.
	Read(g spool.Segment, buf []byte) (spool.Records, error)
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

// Shared is a spool that several processes may decode in turn. The archive says
// where it goes on; who has lost the claim to it commits nothing any more.
type Shared interface {
	Spool
	// ResumeAt is in the place of Resume: what is behind the position comes next, with
	// timestamps above that of the position and above the watermark.
	ResumeAt(ctx context.Context, p spool.Position, watermark int64) error
}

// DecodeOptions say how a spool is decoded. Durations and sizes that are 0 take
// their defaults.
type DecodeOptions struct {
	Spool  Spool
	Edge   string // names the spool: the same for ever, and no other's
	Owner  string // names this process, where the spool is Shared
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

	// Live says which rows are visible before their day is over, beside those of the direct tables.
	Live live.Options

	// Decoded, if not nil, is called for every submission that was decoded, in the
	// order of arrival: with its class, empty for a ping, its namespace and its
	// document type. After a failure it is called again for those that were not
	// committed.
	Decoded func(class, namespace, docType string)

	// Published, if not nil, is called for each publication of rows while pings arrive,
	// by several goroutines: with the rows that were not visible before, and the bytes of files.
	Published func(table string, rows, bytes int64)
	// Stop, when closed, says that nothing more is appended: the loop ends once
	// everything is in the archive. The spool is closed after that.
	Stop <-chan struct{}
	// Leave says that another process goes on appending: after Stop the loop
	// commits the submissions that it has taken, and leaves the rest.
	Leave bool
	Now   func() time.Time
	Log   *slog.Logger

	decode    func(*ingest.Decoder) decoder // for tests: in the place of the decoder
	turnPause time.Duration                 // for tests: order.Options.Pause
}

// Memory is about how many bytes decoding holds beside the pings that are in the hands of its workers.
func (o *DecodeOptions) Memory() int64 {
	n := cmp.Or(o.Buffer, defaultBuffer)
	if len(o.Live.Tables) > 0 {
		n += live.Memory
	}
	return n
}

// defaultBuffer is the default of Buffer.
const defaultBuffer = 128 << 20

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
		o.Buffer = defaultBuffer
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}
