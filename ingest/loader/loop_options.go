package loader

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Spool provides acknowledged submissions to the decode loop: segments of records, in order. The local spool
// and the partitions of a Kafka topic implement it.
type Spool interface {
	// Resume sets the number up to which segments are in the archive, at the start and after a failure. The
	// segments behind it are decoded, again if necessary.
	Resume(last uint64) error
	// Sealed lists the segments that receive no more records, oldest first.
	Sealed() ([]spool.Segment, error)
	// Read opens a segment. It may use the memory of buf.
	Read(g spool.Segment, buf []byte) (spool.Records, error)
	// Changed receives after a segment was sealed.
	Changed() <-chan struct{}
	// Watermark returns a timestamp in ns since epoch: every record with it or an earlier one is in a sealed
	// segment. It returns 0 if there is none yet.
	Watermark(context.Context) (int64, error)
	// Remove deletes a segment.
	Remove(spool.Segment) error
	// Missing lists segments that were sealed but are neither in sealed nor in the archive. last is the number
	// of the last archived segment, 0 if there is none; known is false if it is unknown which ones are
	// archived.
	Missing(sealed []spool.Segment, last uint64, known bool) ([]spool.Segment, error)
	// Keep removes a damaged segment from the others, and preserves the unread bytes.
	Keep(spool.Segment) error
}

// Shared is a spool that several processes may decode in turn. The archive stores its position; a process that
// has lost the claim to it cannot commit any more.
type Shared interface {
	Spool
	// ResumeAt replaces Resume: it continues behind the position, with timestamps above that of the position
	// and above the watermark.
	ResumeAt(ctx context.Context, p spool.Position, watermark int64) error
}

// DecodeOptions configures the decoding of a spool. Durations and sizes of 0 mean their defaults.
type DecodeOptions struct {
	Spool  Spool
	Edge   string // names the spool: it never changes and is unique
	Owner  string // names this process, if the spool is Shared
	Decode ingest.Config
	// Workers is the number of concurrent decoders; 0: one for each core.
	Workers int
	// Buffer bounds the pings that wait for their archive files, in bytes; 128 MiB by default.
	Buffer int64

	// ArchiveEvery and ArchiveBytes (of segments) bound the time and size of a load before its commit to the
	// archive: 5 minutes and 512 MiB by default. Until the commit its segments remain.
	ArchiveEvery time.Duration
	ArchiveBytes int64
	// PublishEvery is the interval at which new rows of the direct tables become visible: 20 seconds by
	// default.
	PublishEvery time.Duration
	// ReloadEvery is the interval for reloading the geo database and the clients to be forgotten: 30 seconds by
	// default.
	ReloadEvery time.Duration

	// Live selects the rows that are visible before their day is over, besides those of the direct tables.
	Live live.Options

	// Prepared names the tables whose rows are made while their pings are decoded, as live.Options names tables: the tasks of
	// the day need not read these documents again.
	Prepared []string

	// Decoded, if not nil, is called for every submission that was decoded, in the
	// order of arrival: with what is known of it, valid during the call, its class, empty
	// for a ping, and the message of an error. After a failure it is called again for
	// those that were not committed.
	Decoded func(m *ping.Meta, class, message string)

	// Published, if not nil, is called for each publication of rows while pings arrive,
	// by several goroutines: with the rows that were not visible before, and the bytes of files.
	Published func(table string, rows, bytes int64)
	// Stop, when closed, means that nothing more is appended: the loop ends once everything is in the archive. The
	// spool is closed after that.
	Stop <-chan struct{}
	// Leave means another process continues to append: after Stop the loop commits the submissions that it has
	// read, and leaves the rest.
	Leave bool
	Now   func() time.Time
	Log   *slog.Logger

	decode    func(*ingest.Decoder) decoder // for tests: in the place of the decoder
	turnPause time.Duration                 // for tests: order.Options.Pause
}

// Memory returns about how many bytes decoding uses besides the pings that its workers process.
func (o *DecodeOptions) Memory() int64 {
	n := cmp.Or(o.Buffer, defaultBuffer)
	if len(o.Prepared) > 0 {
		n += n / 4 // as the archive bounds them
	}
	if len(o.Live.Tables) > 0 {
		n += live.Memory
	}
	return n
}

// CheckPrepared reports an error if Prepared names a table whose rows cannot be prepared.
func (o *DecodeOptions) CheckPrepared(tables []*schema.Table) error {
	return (&live.Options{Tables: o.Prepared}).Check(tables)
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
