package inflate

import (
	"errors"
	"fmt"
	"io"
)

// Test for these errors with errors.Is: returned errors wrap one of them and add details.
var (
	// ErrCorrupt means the bytes violate RFC 1951 or RFC 1952, or a checksum is wrong.
	ErrCorrupt = errors.New("corrupt compressed data")
	// ErrTooLarge means the output would be larger than the caller's limit.
	ErrTooLarge = errors.New("decompressed data is larger than the limit")
	// ErrTruncated means the input ends before the compressed data does. It also matches io.ErrUnexpectedEOF.
	ErrTruncated = fmt.Errorf("truncated compressed data: %w", io.ErrUnexpectedEOF)
)

// status is the reason why decoding stopped.
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
	inStep // pairLoop can continue
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

// streamError returns the error for st, which is needInput or bad data, at byte pos of the compressed stream.
func streamError(st status, pos int64) error {
	if st == needInput {
		return fmt.Errorf("inflate at byte %d: %w", pos, ErrTruncated)
	}
	return fmt.Errorf("inflate at byte %d: %s: %w", pos, statusText[st], ErrCorrupt)
}
