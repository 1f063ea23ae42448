package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pingmill/pingmill/ping/inflate"
)

// ErrUnknown means the content of a file has no known format.
var ErrUnknown = errors.New("unknown format")

// ErrArray means a file is one JSON array.
var ErrArray = errors.New("the file is one JSON array, and not an object on each line: convert it, as jq -c '.[]' does")

// DefaultMaxRecord is the default size in bytes of the longest line or message.
const DefaultMaxRecord = 256 << 20

// Options configures a Reader; the zero value is usable.
type Options struct {
	// MaxRecord bounds a line or message in bytes, DefaultMaxRecord unless set. A longer one is damaged. The
	// reader may use about twice that memory.
	MaxRecord int

	// Lines reads a JSON array line by line, although few of its lines are records.
	Lines bool
}

// Reader reads the records of one file.
type Reader struct {
	next  func(*Record) error
	src   *source
	close func()
	err   error // that ended the file
}

// Open recognises the format of a file by its beginning.
func Open(r io.Reader) (*Reader, error) { return Options{}.Open(r) }

// Open works like the function Open, with options.
func (o Options) Open(r io.Reader) (*Reader, error) {
	if o.MaxRecord <= 0 {
		o.MaxRecord = DefaultMaxRecord
	}
	plain, closeAll, err := decompress(r)
	if err != nil {
		closeAll()
		return nil, err
	}
	out := &Reader{src: newSource(plain, minBuffer), close: closeAll}
	if out.next, err = recognise(out.src, o); err != nil {
		closeAll()
		return nil, err
	}
	return out, nil
}

// Next reads the next record. It returns io.EOF at the end of the file and a *RecordError for a damaged record.
// After any other error no further records can be read.
func (r *Reader) Next(rec *Record) error {
	if r.err != nil {
		return r.err
	}
	err := r.next(rec)
	var damaged *RecordError
	if err != nil && !errors.As(err, &damaged) {
		r.err = err
	}
	return err
}

// Close frees the reader's memory. It does not close the file.
func (r *Reader) Close() {
	r.close()
	r.err = errors.New("reader is closed")
	*r.src = source{err: io.EOF}
}

// recognise looks at as much of the beginning as it needs, so that a pipe
// which has only begun can be read.
func recognise(src *source, o Options) (func(*Record) error, error) {
	for {
		head := src.window()
		switch {
		case beginsObject(bytes.TrimPrefix(head, byteOrderMark)):
			return newLineReader(src, o.MaxRecord).next, nil
		case beginsArray(bytes.TrimPrefix(head, byteOrderMark)):
			if !o.Lines {
				return nil, ErrArray
			}
			return newLineReader(src, o.MaxRecord).next, nil
		case isFrame(head):
			return (&hekaReader{src: src, max: o.MaxRecord}).next, nil
		case len(head) < headBytes && src.more():
			continue
		case src.failure() != nil:
			return nil, fmt.Errorf("recognise file: %w", src.failure())
		case len(head) == 0:
			return func(*Record) error { return io.EOF }, nil
		case isHeka(head):
			return (&hekaReader{src: src, max: o.MaxRecord}).next, nil
		case isNDJSON(head):
			return newLineReader(src, o.MaxRecord).next, nil
		}
		return nil, fmt.Errorf("%w: the file begins with %.20q", ErrUnknown, head)
	}
}

// headBytes is the size of the part of a file that is read to recognise it.
const headBytes = 64 << 10

// isNDJSON finds a line that begins like an object.
func isNDJSON(head []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(head, byteOrderMark)) {
		if beginsObject(line) {
			return true
		}
	}
	return false
}

func beginsObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == '{'
}

// beginsArray finds an array of objects.
func beginsArray(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && b[0] == '[' && beginsObject(b[1:])
}

var byteOrderMark = []byte("\uFEFF")

// maxLayers is the largest number of nested compressions of a file.
const maxLayers = 3

// decompress undoes the compression of a file. The function it returns frees
// memory and is never nil.
func decompress(r io.Reader) (io.Reader, func(), error) {
	closeAll := func() {}
	for range maxLayers {
		b := bufio.NewReaderSize(r, 256<<10)
		magic, err := b.Peek(4)
		if err != nil && err != io.EOF {
			return nil, closeAll, fmt.Errorf("recognise file: %w", err)
		}
		switch {
		case bytes.HasPrefix(magic, []byte{0x1f, 0x8b, 0x08}):
			z, err := inflate.NewReader(b)
			if err != nil {
				return nil, closeAll, fmt.Errorf("read gzip: %w", err)
			}
			r = named{z, "gzip"}
		case isZstd(magic):
			z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
			if err != nil {
				return nil, closeAll, fmt.Errorf("read zstd: %w", err)
			}
			inner := closeAll
			closeAll = func() { z.Close(); inner() }
			r = named{z, "zstd"}
		default:
			return b, closeAll, nil
		}
	}
	return nil, closeAll, fmt.Errorf("%w: compressed more than %d times", ErrUnknown, maxLayers-1)
}

// maxWindow is the largest window that zstd needs, except with a larger one
// than --long gives.
const maxWindow = 128 << 20

// isZstd knows the beginning of a frame, also of a skippable one.
func isZstd(magic []byte) bool {
	if len(magic) < 4 {
		return false
	}
	return string(magic) == "\x28\xb5\x2f\xfd" || magic[0]>>4 == 5 && string(magic[1:]) == "\x2a\x4d\x18"
}

// named puts the name of a compression before its errors.
type named struct {
	io.Reader
	name string
}

func (n named) Read(p []byte) (int, error) {
	count, err := n.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read %s: %w", n.name, err)
	}
	return count, err
}
