package spool

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// A segment is blocks of 4 KiB. The first is the file's header. Commits follow,
// each starting at a block: records one behind the other, then zeros up to the
// next block. A sealed segment ends with a footer. Numbers are little endian.
const (
	block = 4096

	fileMagic    = "PMspool\x01"
	recordMagic  = 0xC5A7D21E // no byte of it is zero: zeros are padding
	footerMagic  = "PMsealed"
	floorMagic   = "PMfloor\x02"
	oldFloor     = "PMfloor\x01" // without a watermark
	recordHeader = 24
	footerSize   = 48
	markSize     = 40
	footerCopy   = 2048 // where the file header has what finds no room as a footer
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// checksumFor returns the checksum of bytes that are valid in one segment only, so that what an older file left on disk
// never passes.
func checksumFor(segment uint64, b []byte) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], segment)
	return crc32.Update(checksum(n[:]), castagnoli, b)
}

// putFileHeader fills a block with the header of a segment.
func putFileHeader(b []byte, edge string, number uint64, after int64) {
	clear(b[:block])
	copy(b, fileMagic)
	binary.LittleEndian.PutUint64(b[8:], number)
	binary.LittleEndian.PutUint64(b[16:], uint64(after))
	b[24] = byte(len(edge))
	copy(b[25:], edge)
	binary.LittleEndian.PutUint32(b[block-4:], checksumFor(number, b[:block-4]))
}

// fileHeaderAfter reads the timestamp that a segment's records are after.
func fileHeaderAfter(b []byte, number uint64) (after int64, ok bool) {
	if len(b) < block || string(b[:8]) != fileMagic || binary.LittleEndian.Uint64(b[8:]) != number ||
		binary.LittleEndian.Uint32(b[block-4:]) != checksumFor(number, b[:block-4]) {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(b[16:])), true
}

// head is the header of a record.
type head struct {
	size      int // of the payload
	timestamp int64
	sum       uint32 // of the payload
}

// putHead writes a record's header for one segment.
func putHead(b []byte, segment uint64, h head) {
	binary.LittleEndian.PutUint32(b, recordMagic)
	binary.LittleEndian.PutUint32(b[4:], uint32(h.size))
	binary.LittleEndian.PutUint64(b[8:], uint64(h.timestamp))
	binary.LittleEndian.PutUint32(b[16:], h.sum)
	binary.LittleEndian.PutUint32(b[20:], checksumFor(segment, b[:20]))
}

// parseHead reads a record's header; false if there is none.
func parseHead(b []byte, segment uint64) (head, bool) {
	if len(b) < recordHeader || binary.LittleEndian.Uint32(b) != recordMagic ||
		binary.LittleEndian.Uint32(b[20:]) != checksumFor(segment, b[:20]) {
		return head{}, false
	}
	return head{
		size:      int(binary.LittleEndian.Uint32(b[4:])),
		timestamp: int64(binary.LittleEndian.Uint64(b[8:])),
		sum:       binary.LittleEndian.Uint32(b[16:]),
	}, true
}

// summary is the content of a sealed segment's footer.
type summary struct {
	records     int
	first, last int64 // timestamps
	end         int64 // offset behind the last record
	// previous is the number of the segment that was sealed before; 0: not known.
	previous uint64
}

func (u *summary) add(timestamp, end int64) {
	if u.records == 0 {
		u.first = timestamp
	}
	u.first, u.last = min(u.first, timestamp), max(u.last, timestamp)
	u.records++
	u.end = end
}

func putFooter(b []byte, segment uint64, u summary) {
	copy(b, footerMagic)
	binary.LittleEndian.PutUint64(b[8:], uint64(u.records))
	binary.LittleEndian.PutUint64(b[16:], uint64(u.first))
	binary.LittleEndian.PutUint64(b[24:], uint64(u.last))
	binary.LittleEndian.PutUint64(b[32:], uint64(u.end))
	binary.LittleEndian.PutUint32(b[40:], 0)
	if back := segment - u.previous; u.previous > 0 && back <= math.MaxUint32 {
		binary.LittleEndian.PutUint32(b[40:], uint32(back))
	}
	binary.LittleEndian.PutUint32(b[44:], checksumFor(segment, b[:44]))
}

// parseFooter reads the footer at the end of a file of this size.
func parseFooter(b []byte, segment uint64, size int64) (summary, bool) {
	if len(b) < footerSize || size%block != footerSize { // a footer is at a block
		return summary{}, false
	}
	return parseSummary(b[len(b)-footerSize:], segment, size-footerSize)
}

// parseSummary reads a footer, of a segment whose records end at limit at most.
func parseSummary(b []byte, segment uint64, limit int64) (summary, bool) {
	if string(b[:8]) != footerMagic || binary.LittleEndian.Uint32(b[44:]) != checksumFor(segment, b[:44]) {
		return summary{}, false
	}
	u := summary{
		records: int(binary.LittleEndian.Uint64(b[8:])),
		first:   int64(binary.LittleEndian.Uint64(b[16:])),
		last:    int64(binary.LittleEndian.Uint64(b[24:])),
		end:     int64(binary.LittleEndian.Uint64(b[32:])),
	}
	if back := uint64(binary.LittleEndian.Uint32(b[40:])); back > 0 && back < segment {
		u.previous = segment - back
	}
	if u.records < 0 || u.end < block || u.end > limit {
		return summary{}, false
	}
	return u, true
}

// putFooterCopy writes what a footer says into the block of a file header.
func putFooterCopy(header []byte, segment uint64, u summary) {
	putFooter(header[footerCopy:], segment, u)
	binary.LittleEndian.PutUint32(header[block-4:], checksumFor(segment, header[:block-4]))
}

// parseFooterCopy reads it.
func parseFooterCopy(data []byte, segment uint64) (summary, bool) {
	if _, ok := fileHeaderAfter(data, segment); !ok {
		return summary{}, false
	}
	return parseSummary(data[footerCopy:footerCopy+footerSize], segment, int64(len(data)))
}

// whole rounds up to the next block.
func whole(n int64) int64 { return (n + block - 1) &^ (block - 1) }
