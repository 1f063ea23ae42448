package queryservice

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/pingmill/pingmill/sql/query/columnar"
)

// A result's file has the stream, the index as JSON, and a tail: length and checksum of the index, then fileKind.
const (
	fileKind = "pmresult"
	tailSize = 4 + 4 + len(fileKind)
)

// maxIndex is the maximum size of an index in bytes. An index has about 50 bytes for each batch.
const maxIndex = 64 << 20

// index has the positions of the messages in a stream.
type index struct {
	Stream  int64   `json:"stream"` // bytes
	Rows    int64   `json:"rows"`
	Schema  piece   `json:"schema"`
	Batches []piece `json:"batches"`
}

// piece is a range of bytes of a file, with its checksum.
type piece struct {
	At   int64  `json:"at"`
	Size int64  `json:"size"`
	Rows int64  `json:"rows,omitempty"`
	Sum  uint32 `json:"sum"`
}

var sums = crc32.MakeTable(crc32.Castagnoli)

// writeIndex reads the stream that the worker wrote to f and appends the index and the tail.
func writeIndex(f *os.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	x, err := indexOf(f, size)
	if err != nil {
		return err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(text, uint32(len(text)))
	tail = append(binary.LittleEndian.AppendUint32(tail, crc32.Checksum(text, sums)), fileKind...)
	_, err = f.WriteAt(tail, size)
	return err
}

// indexOf builds the index of a stream. r is at the start of the stream.
func indexOf(r io.Reader, size int64) (*index, error) {
	x := &index{Stream: size, Batches: []piece{}}
	at := int64(0)
	for n := 0; ; n++ {
		sum := crc32.New(sums)
		f, err := columnar.ReadFrame(io.TeeReader(r, sum), size)
		if errors.Is(err, io.EOF) && n > 0 {
			return x, nil
		}
		if err == nil && f.Batch != (n > 0) {
			err = columnar.ErrDamaged
		}
		if err != nil {
			return nil, err
		}
		p := piece{At: at, Size: f.Size, Rows: f.Rows, Sum: sum.Sum32()}
		if at += f.Size; n == 0 {
			x.Schema = p
			continue
		}
		x.Rows, x.Batches = x.Rows+f.Rows, append(x.Batches, p)
	}
}

// readIndex reads the index of a file. It trusts no byte of it: the error is ErrDamaged.
func readIndex(f io.ReaderAt, size int64) (*index, error) {
	tail := make([]byte, tailSize)
	if size < int64(tailSize) {
		return nil, ErrDamaged
	}
	if _, err := f.ReadAt(tail, size-int64(tailSize)); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if string(tail[8:]) != fileKind || n > maxIndex || n > size-int64(tailSize) {
		return nil, ErrDamaged
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, size-int64(tailSize)-n); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	var x index
	if crc32.Checksum(text, sums) != binary.LittleEndian.Uint32(tail[4:]) || json.Unmarshal(text, &x) != nil || !x.sound(size) {
		return nil, ErrDamaged
	}
	return &x, nil
}

// sound reports whether all pieces lie within a file of size bytes.
func (x *index) sound(size int64) bool {
	rows := int64(0)
	for i, p := range append([]piece{x.Schema}, x.Batches...) {
		if p.At < 0 || p.Size < 0 || p.Rows < 0 || p.At > size || p.Size > size-p.At || i == 0 && p.At != 0 {
			return false
		}
		rows += p.Rows
	}
	return rows == x.Rows && x.Stream <= size
}

// read reads the bytes of a piece and verifies their checksum.
func (p piece) read(f io.ReaderAt) ([]byte, error) {
	data := make([]byte, p.Size)
	if _, err := f.ReadAt(data, p.At); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if crc32.Checksum(data, sums) != p.Sum {
		return nil, ErrDamaged
	}
	return data, nil
}

var endOfStream = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// open returns a reader of some batches.
func (x *index) open(f io.ReaderAt, batches ...[]byte) (*columnar.Reader, error) {
	head, err := x.Schema.read(f)
	if err != nil {
		return nil, err
	}
	size := int64(len(head))
	for _, b := range batches {
		size += int64(len(b))
	}
	r, err := columnar.NewReader(bytes.NewReader(bytes.Join(append([][]byte{head}, append(batches, endOfStream)...), nil)), size)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return r, nil
}
