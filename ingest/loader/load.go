package loader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// LoadOptions configures the loading of files.
type LoadOptions struct {
	Decode  ingest.Config
	Workers int // decoders at a time; 0: one for each core
	// Buffer bounds the memory of pings that wait for their files, in bytes;
	// 0: the archive's default.
	Buffer int64
	// KeepJunk loads a file also when none of its first records can be read.
	KeepJunk bool
	// Documents, if not nil, holds the document ids of earlier loads of the days.
	Documents *Documents
	// Read, if not nil, counts the bytes of input read so far.
	Read *atomic.Int64
}

// Loaded is the result of loading one file.
type Loaded struct {
	archive.Summary
	Records    int64
	Duplicates int64
	Known      int64 // of Duplicates: their documents were in the archive before
	Forgotten  int64 // submissions of forgotten clients and requests to forget one: nothing of them is kept
}

// Load loads the pings of a file into the archive: all of them or, after an error, none. It waits for another
// load in progress. It recognises the format by content. Records that are not pings are stored with the reason.
// A file that was loaded before changes nothing.
func Load(ctx context.Context, s *site.Site, in io.Reader, o LoadOptions) (l Loaded, err error) {
	lock, err := s.LockLoading(ctx)
	if err != nil {
		return l, err
	}
	defer lock.Release()
	forgotten, err := newForgets(ctx, s.Forgotten, o.Decode.Requests)
	if err != nil {
		return l, err
	}
	if o.Documents == nil {
		o.Documents = &Documents{}
	}
	o.Documents.begin()
	others, err := newOthers(ctx, s, "from files", 0)
	if err != nil {
		return l, err
	}
	options := archive.Options{BufferBytes: o.Buffer, Requests: forgotten.set.Requests(), Order: others.order()}
	if others == nil {
		options.Confirm = confirm(s.Archive, s.LockFiles, o.Documents)
	} else if err := others.looking(ctx, s.Archive, o.Documents); err != nil {
		return l, err
	}
	w, err := archive.NewWriter(ctx, s.Archive, options)
	if err != nil {
		return l, err
	}
	duplicates := ingest.NewDuplicates(o.Decode.DuplicateWindow, o.Decode.MaxURIs)
	if o.Decode.DuplicateWindow == 0 {
		duplicates = nil
	}
	o.Decode.DuplicateWindow = 0 // found in order, after decoding on many cores
	d, err := ingest.New(o.Decode)
	if err != nil {
		return l, errors.Join(err, w.Abort())
	}
	content := &hashReader{r: in, hash: sha256.New(), read: o.Read}
	load := loader{
		writer: w, decoder: d, duplicates: duplicates, loaded: &l, forgets: forgotten, limits: o.Decode,
		known: o.Documents.known(ctx, s.Archive, &l),
	}
	if !o.KeepJunk {
		load.junk = &junk{}
	}
	if err := load.file(ctx, content, o.Workers); err != nil {
		return l, errors.Join(err, w.Abort())
	}
	// What the format's reader did not need still belongs to the content.
	if _, err := io.Copy(io.Discard, content); err != nil {
		return l, errors.Join(fmt.Errorf("read input: %w", err), w.Abort())
	}
	name, err := freeName(ctx, s.Archive, hex.EncodeToString(content.hash.Sum(nil))[:24])
	if err != nil {
		return l, errors.Join(err, w.Abort())
	}
	forgotten.first = time.Now().UTC() // deadlines count from now: the pings may be years old
	if err := forgotten.record(ctx, s.Forgotten, name); err != nil {
		return l, errors.Join(err, w.Abort())
	}
	l.Forgotten = forgotten.dropped
	if l.Summary, err = w.Close(ctx, name); err != nil {
		return l, err
	}
	return l, others.end(ctx)
}

// freeName returns the name of the load of a file. One that was taken back has its name for ever, and what is loaded
// again gets the next.
func freeName(ctx context.Context, b store.Bucket, name string) (string, error) {
	free := name
	for n := 2; ; n++ {
		undone, err := maintain.IsUndone(ctx, b, free)
		if err != nil || !undone {
			return free, err
		}
		free = fmt.Sprintf("%s.%d", name, n)
	}
}

// confirm lets a load be committed when no document of it came by another way.
func confirm(b store.Bucket, locks site.LockFiles, d *Documents) func(context.Context) (func(), error) {
	return func(ctx context.Context) (func(), error) {
		lock, err := locks.WaitLock(ctx, site.CommitLock)
		if err != nil {
			return nil, err
		}
		release := func() { _ = lock.Close() } // the system gives up the lock with the file
		if err := d.confirm(ctx, b); err != nil {
			release()
			return nil, err
		}
		return release, nil
	}
}

// file loads the records of a file of any format.
func (l *loader) file(ctx context.Context, in io.Reader, workers int) error {
	r, err := format.Options{Lines: l.junk == nil}.Open(in)
	if errors.Is(err, format.ErrArray) {
		err = fmt.Errorf("%w (--keep-junk loads its lines among the rejected)", err)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	if err := l.run(ctx, r, workers); err != nil {
		return err
	}
	return l.junk.end()
}

// LoadFile loads the file with this name; - is standard input.
func LoadFile(ctx context.Context, s *site.Site, name string, stdin io.Reader, o LoadOptions) (Loaded, error) {
	if name == "-" {
		l, err := Load(ctx, s, stdin, o)
		if err != nil {
			err = fmt.Errorf("load standard input: %w", err)
		}
		return l, err
	}
	for again := 0; ; again++ {
		f, err := pipe.Open(ctx, name)
		if err != nil {
			return Loaded{}, fmt.Errorf("load: %w", err)
		}
		l, err := Load(ctx, s, f, o)
		err = errors.Join(err, f.Close())
		if info, statErr := os.Stat(name); errors.Is(err, errMeanwhile) && again < reloads && statErr == nil && info.Mode().IsRegular() {
			continue
		}
		if err != nil {
			err = fmt.Errorf("load %s: %w", name, err)
		}
		return l, err
	}
}

// reloads is the number of retries of a file because its documents were added to the archive meanwhile.
const reloads = 3

// hashReader hashes and counts what is read.
type hashReader struct {
	r    io.Reader
	hash hash.Hash
	read *atomic.Int64
}

func (h *hashReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.hash.Write(p[:n])
	if h.read != nil {
		h.read.Add(int64(n))
	}
	return n, err
}
