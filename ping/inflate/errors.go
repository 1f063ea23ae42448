package inflate

import (
	"errors"
	"fmt"
	"io"
)

// Test for these with errors.Is: what is returned wraps one of them and says more.
var (
	// ErrCorrupt says that the bytes are not what RFC 1951 or RFC 1952 allow, or that a checksum is wrong.
	ErrCorrupt = errors.New("corrupt compressed data")
	// ErrTooLarge says that the output would be larger than the caller's bound.
	ErrTooLarge = errors.New("decompressed data is larger than the limit")
	// ErrTruncated says that the input ends before the compressed data does. It is an io.ErrUnexpectedEOF too.
	ErrTruncated = fmt.Errorf("truncated compressed data: %w", io.ErrUnexpectedEOF)
)

// status is why decoding stopped.
type status uint8

const (
	needInput status = iota // the next symbol or header is not complete
	needRoom                // no more than slack bytes of room are left
	done                    // end of the block or of the stream
	badBlockType
	badStored
	badCounts
	badLengths
	badCode
	badSymbol
	badDistance
	inStep // pairLoop can go on
)

// statusText describes the error in the data, for the statuses that end decoding.
var statusText = [...]string{
	badBlockType: "reserved block type",
	badStored:    "length of a stored block and its complement do not match",
	badCounts:    "too many length or distance codes",
	badLengths:   "code lengths repeat from nothing or past their end",
	badCode:      "code with missing or surplus bits",
	badSymbol:    "bits that are no symbol",
	badDistance:  "match before the start of the data",
}

// streamError is the error for st, which is needInput or a bad one, at byte pos of the compressed stream.
func streamError(st status, pos int64) error {
	if st == needInput {
		return fmt.Errorf("inflate at byte %d: %w", pos, ErrTruncated)
	}
	return fmt.Errorf("inflate at byte %d: %s: %w", pos, statusText[st], ErrCorrupt)
}
