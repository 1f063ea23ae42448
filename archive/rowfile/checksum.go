package rowfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/pingmill/pingmill/lake/parquet"
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

// footerTail is the size of the bytes after the metadata: its length, and the magic bytes.
const footerTail = 8

// checkFooter reads a file's footer and compares it with the record of its load.
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

// FooterSum returns the CRC-32C of a file's footer and of all bytes behind it.
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

// errChanged means that a file was changed since it was written.
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
	if _, err := io.CopyBuffer(onlyWriter{h}, onlyReader{io.NewSectionReader(r, from, to-from)},
		make([]byte, min(128<<10, to-from+1))); err != nil {
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

// Measure reads a whole file: its hash in hexadecimal, and its FooterSum.
func Measure(ctx context.Context, b store.Bucket, name string) (hash string, footer *uint32, err error) {
	r, err := b.Open(ctx, name)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", nil, fmt.Errorf("read %s: %w", name, err)
	}
	footer, err = FooterSum(r)
	return hex.EncodeToString(h.Sum(nil)), footer, err
}

// A record of a load ends with the CRC-32C of all before it, as one more member. Those of
// older versions have none.
const sumMember = `,"crc32c":"`

// AppendSum adds the checksum to a JSON object.
func AppendSum(record []byte) []byte {
	body := bytes.TrimSuffix(record, []byte("}"))
	return fmt.Appendf(body, `%s%08x"}`+"\n", sumMember, crc32.Checksum(body, castagnoli))
}

// CheckSum reports whether the record has no checksum or a correct one.
func CheckSum(record []byte) bool {
	at := bytes.LastIndex(record, []byte(sumMember))
	return at < 0 || string(record[at:]) == fmt.Sprintf(`%s%08x"}`+"\n", sumMember, crc32.Checksum(record[:at], castagnoli))
}
