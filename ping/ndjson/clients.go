package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// transformClients makes the rows of a table of snapshots: one for each client, sorted by client id, after the last line.
func transformClients(t *schema.Table, in io.Reader, out io.Writer, bad Bad) (leftOut map[string]int64, err error) {
	reader, keys := newLineReader(), table.NewKeys()
	clients := map[string][]table.ClientPing{}
	err = lines(in, "standard input", func(n int, line []byte) error {
		p, ok, err := clientPing(t, reader, keys, bytes.Clone(line))
		if err != nil {
			bad(n, err)
		}
		if ok {
			id := string(p.Meta.Text(ping.ClientID))
			clients[id] = append(clients[id], p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(out)
	batch, transform := column.NewBatch(t.Columns), table.NewClients(t)
	var row []byte
	for _, id := range slices.Sorted(maps.Keys(clients)) {
		batch.Reset()
		if err := transform.Append(batch, table.Newest(clients[id], t.Snapshots.Pings)); err != nil {
			return nil, fmt.Errorf("row of client %q: %w", id, err)
		}
		row = append(column.NewRowWriter(batch).AppendRow(row[:0]), '\n')
		if _, err := w.Write(row); err != nil {
			return nil, err
		}
	}
	return batch.LeftOut(), errors.Join(err, w.Flush())
}

// clientPing reads a line, which must not change afterwards. It returns false for a ping that counts for no row.
func clientPing(t *schema.Table, r *lineReader, keys *table.Keys, line []byte) (p table.ClientPing, ok bool, err error) {
	ok, err = r.decoded(t.Name, line)
	if !ok || err != nil {
		return p, false, err
	}
	var meta ping.Meta
	if err := meta.ParseJSON(r.doc.Value(r.meta).Raw()); err != nil {
		return p, false, fmt.Errorf("read meta: %w", err)
	}
	size, _ := r.doc.Value(r.meta).Get("Size").Float64()
	if p, ok, err = keys.Find(&meta, r.doc.Value(r.ping).Raw()); err != nil {
		return p, false, fmt.Errorf("read ping: %w", err)
	}
	p.Size = size
	return p, ok, nil
}
