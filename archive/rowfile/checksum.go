package rowfile

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/pingmill/pingmill/parquet"
	"github.com/pingmill/pingmill/store"
)

// sums are the checksums of a row group.
type sums struct {
	known      bool
	head, body uint32
}

// readSums finds the CRC-32C of each row group's bytes: of the columns before the
// body and of the body, 8 hexadecimal digits each. Only files of an earlier layout
// have them: the pages of today's files have checksums of their own.
func readSums(f *parquet.File) ([]sums, error) {
	all := make([]sums, f.Groups())
	value, ok := f.Metadata[parquet.SumsKey]
	if !ok {
		return all, nil
	}
	data, err := hex.DecodeString(value)
	if err != nil || len(data) != 8*len(all) {
		return nil, errors.New("its checksums are not those of its row groups")
	}
	for i := range all {
		d := data[8*i:]
		all[i] = sums{true, binary.BigEndian.Uint32(d), binary.BigEndian.Uint32(d[4:])}
	}
	return all, nil
}

// footerTail is what follows the metadata: its length, and the magic bytes.
const footerTail = 8

// checkFooter reads a file's footer and compares it with what its load wrote down.
func (f *File) checkFooter(r store.Reader) error {
	if f.Footer == nil {
		return nil
	}
	sum, err := FooterSum(r)
	if err == nil && *sum != *f.Footer {
		err = errChanged
	}
	return err
}

// FooterSum is the CRC-32C of a file's footer and of all bytes behind it.
func FooterSum(r store.Reader) (*uint32, error) {
	var tail [footerTail]byte
	if r.Size() < footerTail {
		return nil, errChanged
	}
	if _, err := r.ReadAt(tail[:], r.Size()-footerTail); err != nil {
		return nil, fmt.Errorf("read its end: %w", err)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > r.Size()-footerTail {
		return nil, errChanged
	}
	sum, err := sumBytes(r, r.Size()-footerTail-n, r.Size())
	return &sum, err
}

// errChanged says that a file was changed since it was written.
var errChanged = errors.New("other bytes than were written")

// checkBytes compares the checksum of a part of a file.
func checkBytes(r io.ReaderAt, from, to int64, want uint32) error {
	sum, err := sumBytes(r, from, to)
	if err == nil && sum != want {
		err = errChanged
	}
	return err
}

func sumBytes(r io.ReaderAt, from, to int64) (uint32, error) {
	h := crc32.New(castagnoli)
	if _, err := io.CopyBuffer(onlyWriter{h}, onlyReader{io.NewSectionReader(r, from, to-from)}, make([]byte, min(128<<10, to-from+1))); err != nil {
		return 0, fmt.Errorf("read bytes %d to %d: %w", from, to, err)
	}
	return h.Sum32(), nil
}

// onlyReader and onlyWriter keep io.CopyBuffer to the buffer.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
