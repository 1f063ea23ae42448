package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
)

// sealKey names the entry of the footer's key-value metadata that seals a file:
// two CRC-32, in hexadecimal digits, the first of all bytes outside of
// column chunks and before the footer (bloom filters and page indexes), the
// second of the footer, itself taken as zeros. Pages have checksums of their own.
const sealKey = "pingmill.crc32"

// SumsKey names the entry that earlier files of the archive have instead.
const SumsKey = sealKey + "c"

const sumDigits = 8

var zeroSum = []byte("00000000")

var errSeal = errors.New("the footer does not have its checksum")

// appendSeal writes the key-value metadata. What it returns completes it once the
// footer is whole; the footer must be all of w from start on.
func (f *Writer) appendSeal(w *thriftWriter) (complete func(w *thriftWriter)) {
	start := len(f.out)
	w.list(5, thriftStruct, 1+len(f.entries))
	for _, name := range slices.Sorted(maps.Keys(f.entries)) {
		w.element()
		w.text(1, name)
		w.text(2, f.entries[name])
		w.end()
	}
	w.element()
	w.text(1, sealKey)
	w.text(2, digits(f.between)+string(zeroSum))
	at := len(w.buf) - sumDigits
	w.end()
	return func(w *thriftWriter) {
		sum := crc32.ChecksumIEEE(w.buf[start:])
		copy(w.buf[at:], digits(sum))
	}
}

// readSeal reads the key-value metadata and, if they seal the file, compares the
// footer with its checksum.
func (f *File) readSeal(r *thriftReader, footer []byte) {
	for range r.list(thriftStruct) {
		var key, value []byte
		end := 0 // of the value
		r.structure(func(id int, kind byte) {
			switch {
			case id == 1 && kind == thriftBinary:
				key = r.bytes()
			case id == 2 && kind == thriftBinary:
				value = r.bytes()
				end = len(footer) - len(r.data)
			default:
				r.skip(kind)
			}
		})
		switch {
		case r.err != nil:
		case string(key) == sealKey:
			f.checkSeal(r, value, footer, end)
		case f.Metadata == nil:
			f.Metadata = map[string]string{string(key): string(value)}
		default:
			f.Metadata[string(key)] = string(value)
		}
	}
}

func (f *File) checkSeal(r *thriftReader, value, footer []byte, end int) {
	if len(value) != 2*sumDigits {
		r.err = errSeal
		return
	}
	sum := crc32.ChecksumIEEE(footer[:end-sumDigits])
	sum = crc32.Update(sum, crc32.IEEETable, zeroSum)
	sum = crc32.Update(sum, crc32.IEEETable, footer[end:])
	between, err := strconv.ParseUint(string(value[:sumDigits]), 16, 32)
	if err != nil || string(value[sumDigits:]) != digits(sum) {
		r.err = errSeal
		return
	}
	f.sealed, f.between = true, uint32(between)
}

func digits(sum uint32) string { return fmt.Sprintf("%0*x", sumDigits, sum) }
