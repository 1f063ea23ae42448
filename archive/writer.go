package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Options configures a Writer; the zero value is a good choice.
type Options struct {
	// BufferBytes bounds the memory of rows waiting for their files, 256 MiB unless set. A larger load makes
	// more, smaller files.
	BufferBytes int64

	// Flushers is the number of files that are written concurrently with appending, 1 unless set. They share
	// BufferBytes.
	Flushers int

	// Owner names the series of writers that this one belongs to, "load" unless set. An owner may have one open
	// Writer at a time: a new one finishes or removes what a dead one has left.
	Owner string

	// Confirm, if not nil, is asked once all files are written, just before the load
	// is committed. An error drops the load; release is called after the commit.
	Confirm func(context.Context) (release func(), err error)

	// Order, if not nil, orders the load among those of other servers.
	Order Order

	// Requests is the number of deletion requests known when the load began. The load's record contains it:
	// removals use it to find loads with rows of later requests.
	Requests int

	// Prepared returns the tables of which Prepare gets rows of pings of a type; nil: of none.
	Prepared func(ping.DocType) []rowfile.PreparedTable
}

// Order is the order in which several servers commit loads.
type Order interface {
	// Begin is called once all files of a load are staged, before any of it is visible. After an error only the
	// owner's next writer may touch the stage.
	Begin(ctx context.Context, load, stage string) error
	// Had reports whether a load of a dead writer has had its turn: then it is finished, else dropped.
	Had(ctx context.Context, load, stage string) (bool, error)
}

// largestBody is the largest body, in bytes, that a page of a file can hold.
const largestBody = 1 << 30

// ErrTooLarge marks a body that no file can hold.
var ErrTooLarge = errors.New("larger than 1 GiB")

var errClosed = errors.New("archive writer is closed")

// Writer writes one load. One goroutine at a time may use it. Its rows are invisible until Close.
type Writer struct {
	replacement

	ctx    context.Context
	opts   Options
	stage  stage
	memory rowfile.Memory // of the buffers
	limit  int64          // of held bytes in buffers
	most   int            // bytes of a body
	closed bool

	buffers  map[string]*buffer // by partitionKey
	last     *buffer            // the one appended to last
	held     int64
	squeezes bool // bodies wait compressed

	key      []byte
	record   rowfile.Record
	prepared []byte // of the next ping

	flights chan *fileWriters // one for each flusher
	running sync.WaitGroup

	mu    sync.Mutex
	files []LoadFile // by counter - 1
	err   error      // of a flusher
}

// replacement names the files that a load replaces, and the reasons.
type replacement struct {
	replaces     []string   // names of files
	rewrote      []LoadFile // of replaces, if rows are removed
	lost         []LoadFile // of replaces, if they are given up
	undid        []LoadFile // of replaces, if their load is undone
	replaceFiles []Replaced // for which the compact files stand
}

// fileWriters are the reusable parts of one flusher.
type fileWriters map[*rowfile.Kind]*rowfile.Writer

// NewWriter begins a load. The context is used for everything the Writer
// writes until Close or Abort.
func NewWriter(ctx context.Context, b store.Bucket, opts Options) (*Writer, error) {
	opts.BufferBytes = cmp.Or(opts.BufferBytes, 256<<20)
	opts.Flushers = cmp.Or(opts.Flushers, 1)
	opts.Owner = cmp.Or(opts.Owner, "load")
	if err := naming.CheckLoad(opts.Owner); err != nil {
		return nil, fmt.Errorf("open archive writer: owner: %w", err)
	}
	if err := EnsureIndex(ctx, b); err != nil {
		return nil, fmt.Errorf("open archive writer: %w", err)
	}
	if err := recoverStages(ctx, b, opts.Owner, opts.Order); err != nil {
		return nil, fmt.Errorf("open archive writer: %w", err)
	}
	if opts.Order == nil { // each load of many servers would ask for the stages of all
		if err := finishOthers(ctx, b, opts.Owner); err != nil {
			return nil, fmt.Errorf("open archive writer: %w", err)
		}
	}
	w := &Writer{
		ctx: ctx, opts: opts,
		stage:   newStage(b, opts.Owner),
		most:    largestBody,
		limit:   opts.BufferBytes / int64(opts.Flushers+1),
		buffers: map[string]*buffer{},
		flights: make(chan *fileWriters, opts.Flushers),
	}
	for range opts.Flushers {
		w.flights <- &fileWriters{}
	}
	return w, nil
}

// Append adds a ping. The day is the submissionDate of the metadata, else the day of its timestamp. A ping
// without a day or a document type is stored as a rejected submission. Append retains none of its arguments.
func (w *Writer) Append(m *ping.Meta, body []byte) error {
	w.record = rowfile.Record{Meta: *m, Body: body}
	return w.addPing(rowfile.Pings)
}

// Prepare sets the prepared rows of the ping that is appended next. They are kept beside its file if all pings of that have
// some.
func (w *Writer) Prepare(rows []byte) { w.prepared = rows }

// addPing files the current record as a ping, if the archive can keep it as one.
func (w *Writer) addPing(k *rowfile.Kind) error {
	r := &w.record
	r.Prepared, w.prepared = w.prepared, nil
	day, why := clean(r)
	if why == "" {
		return w.add(k, day, docTypeOf(&r.Meta))
	}
	r.Prepared = nil
	if k == rowfile.PackedPings {
		if _, err := r.Unpack(nil); err != nil {
			return fmt.Errorf("append to the archive: %w", err)
		}
	}
	r.Extra = [rowfile.NumExtra][]byte{
		rowfile.ExtraClass:   []byte(unfitClass),
		rowfile.ExtraMessage: []byte(unfitMessage + why),
		rowfile.ExtraPath:    r.Meta.Text(ping.URI),
	}
	return w.addRejected()
}

// add puts the current record into its buffer.
func (w *Writer) add(k *rowfile.Kind, day, docType []byte) error {
	if err := w.state(); err != nil {
		return err
	}
	r := &w.record
	if len(r.Body) > w.most {
		return fmt.Errorf("append to the archive: body of %d bytes: %w", len(r.Body), ErrTooLarge)
	}
	b := w.buffer(k, day, docType)
	before := b.Held()
	b.Add(r, w.squeezes)
	w.held += b.Held() - before
	if w.held > w.limit {
		return w.shrink()
	}
	return nil
}

// state is the reason why nothing more can be appended.
func (w *Writer) state() error {
	if w.closed {
		return errClosed
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// buffer finds or makes the buffer of a partition.
func (w *Writer) buffer(k *rowfile.Kind, day, docType []byte) *buffer {
	if b := w.last; b != nil && b.kind == k && string(b.day) == string(day) && string(b.docType) == string(docType) {
		return b
	}
	w.key = partitionKey(w.key[:0], k, day, docType)
	b := w.buffers[string(w.key)]
	if b == nil {
		b = &buffer{
			partition: partition{ping.Day(day), ping.DocType(docType), k},
			Buffer:    rowfile.NewBuffer(k, &w.memory),
		}
		w.buffers[string(w.key)] = b
	}
	w.last = b
	return b
}

// shrink brings the held bytes under the limit. The first time it compresses
// what waits; small loads never pay for that, large ones make files of twice
// the rows. What is written when depends on the appended rows alone, so that
// the same input makes the same files.
func (w *Writer) shrink() error {
	if !w.squeezes {
		w.squeezes = true
		w.held = 0
		for _, b := range w.buffers {
			b.Squeeze()
			w.held += b.Held()
		}
	}
	for w.held > w.limit {
		all := w.sorted()
		b := slices.MaxFunc(all, func(x, y *buffer) int { return cmp.Compare(x.Held(), y.Held()) })
		if err := w.flush(b); err != nil {
			return err
		}
	}
	return nil
}

// sorted lists the buffers in a defined order.
func (w *Writer) sorted() []*buffer {
	all := make([]*buffer, 0, len(w.buffers))
	for _, b := range w.buffers {
		all = append(all, b)
	}
	slices.SortFunc(all, compareBuffers)
	return all
}
