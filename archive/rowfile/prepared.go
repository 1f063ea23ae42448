package rowfile

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/s2"
)

// PreparedTable is a table that a file of prepared rows has rows of. The key names everything that determines them beside the
// pings.
type PreparedTable struct {
	Name string `json:"table"`
	Key  string `json:"key"`
}

// A file of prepared rows belongs to one file of pings. For each row group of that it has a block: the prepared rows of all
// its pings in the same order, each behind its length, compressed by s2. Behind the blocks come preparedEnd as JSON, the
// CRC-32C of that, its length, and preparedMagic.
const (
	preparedFormat = 1
	preparedMagic  = "PMROWS01"
	preparedTail   = 8 + int64(len(preparedMagic))
)

// preparedEnd is the end of a file of prepared rows.
type preparedEnd struct {
	Format int             `json:"format"`
	Data   string          `json:"of"` // SHA-256 of the file of pings
	Tables []PreparedTable `json:"tables"`
	Blocks []preparedBlock `json:"blocks"`
}

type preparedBlock struct {
	Rows  int    `json:"rows"`
	Start int64  `json:"start"`
	Bytes int64  `json:"bytes"`
	Raw   int    `json:"raw"` // before compression
	Sum   uint32 `json:"crc32c"`
}

// prepared holds the prepared rows of a buffer.
type prepared struct {
	rows  [][]byte
	arena arena
	bytes int64 // of the rows
	lacks bool  // a row has none: then the file has none
}

// preparedShare is the part of the memory, and later of the bytes on disk, of a file's rows that prepared ones may have.
const (
	preparedShare = 4
	preparedFree  = 1 << 20
)

// add returns the place of a prepared row, 0 if the file will have none. They do not count as memory of the buffer: if they
// did, the rows of a file would depend on them.
func (p *prepared) add(row []byte, size int64) uint32 {
	p.bytes += int64(len(row))
	if p.lacks || row == nil || p.bytes > size/preparedShare+preparedFree {
		p.drop()
		p.lacks = true
		return 0
	}
	held := p.arena.alloc(len(row))
	copy(held, row)
	p.rows = append(p.rows, held)
	return uint32(len(p.rows))
}

func (p *prepared) drop() {
	p.arena.release()
	p.rows = nil
}

// Prepared reports whether all rows are prepared.
func (b *Buffer) Prepared() bool { return !b.prepared.lacks && len(b.prepared.rows) > 0 }

// WritePrepared writes the prepared rows of a buffer whose file was written. If they take more than a quarter of that they
// are not worth their place, and worth is false.
func (b *Buffer) WritePrepared(w io.Writer, data Written, tables []PreparedTable) (worth bool, err error) {
	end := preparedEnd{Format: preparedFormat, Data: data.SHA256, Tables: tables}
	out := bufio.NewWriterSize(w, 256<<10)
	var raw, packed []byte
	start := int64(0)
	for _, g := range groups(b.rows, b.kind.leastGroup()) {
		raw = raw[:0]
		for i := range g {
			row := b.prepared.rows[g[i].prepared-1]
			raw = append(binary.AppendUvarint(raw, uint64(len(row))), row...)
		}
		packed = s2.Encode(packed[:cap(packed)], raw)
		if _, err := out.Write(packed); err != nil {
			return false, err
		}
		end.Blocks = append(end.Blocks, preparedBlock{len(g), start, int64(len(packed)), len(raw), crc32.Checksum(packed, castagnoli)})
		if start += int64(len(packed)); start > data.Bytes/preparedShare+preparedFree/4 {
			return false, nil
		}
	}
	text, err := json.Marshal(end)
	if err != nil {
		return false, fmt.Errorf("write the end of prepared rows: %w", err)
	}
	size := len(text)
	text = binary.LittleEndian.AppendUint32(text, crc32.Checksum(text, castagnoli))
	text = append(binary.LittleEndian.AppendUint32(text, uint32(size)), preparedMagic...)
	if _, err := out.Write(text); err != nil {
		return false, err
	}
	return true, out.Flush()
}
