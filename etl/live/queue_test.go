package live

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
)

// TestQueueIsBounded: a ping that has no room leaves out all up to the next end, and the end says so.
func TestQueueIsBounded(t *testing.T) {
	q := newQueue()
	q.most = 10
	var m ping.Meta
	q.ping(&m, make([]byte, 8), plain)
	q.ping(&m, make([]byte, 8), plain)
	q.ping(&m, nil, plain)
	q.end(event{kind: archived, load: "a"})
	q.ping(&m, make([]byte, 2), plain)
	q.end(event{kind: archived, load: "b"})
	all := q.take()
	assert.Len(t, all, 4)
	assert.True(t, all[1].gap)
	assert.False(t, all[3].gap)
	for i := range all {
		q.done(&all[i])
	}
	assert.Zero(t, q.bytes)
	q.refuse(true)
	q.ping(&m, nil, plain)
	q.end(event{kind: archived, load: "c"})
	if all = q.take(); len(all) != 1 || !all[0].gap {
		t.Errorf("refused: %+v", all)
	}
}

// TestFilesStayFew: what is merged as files come leaves few, and writes a row but a few times.
func TestFilesStayFew(t *testing.T) {
	m, written, rows, most := &lake.Manifest{}, int64(0), int64(0), 0
	for n := range 4000 {
		m.Files = append(m.Files, lake.File{Name: livePrefixed(n), Rows: 1000})
		rows += 1000
		for small := mergeable(m); small != nil; small = mergeable(m) {
			sum := int64(0)
			var rest []lake.File
			for _, f := range m.Files {
				if order(&f) == order(&small[0]) {
					sum += f.Rows
				} else {
					rest = append(rest, f)
				}
			}
			written += sum
			m.Files = append(rest, lake.File{Name: livePrefixed(n), Rows: sum})
		}
		most = max(most, len(m.Files))
	}
	if most > 32 || written > 5*rows {
		t.Errorf("%d files at most, %d rows written for %d", most, written, rows)
	}
	if order(&lake.File{Name: "part-000-000-aa.parquet", Rows: 1}) >= 0 ||
		order(&lake.File{Name: livePrefixed(1), Rows: 1, OpenFor: "e1"}) >= 0 {
		t.Error("files that are open, or that a run has made, are merged")
	}
}

func livePrefixed(int) string { return "_live-000-aaaaaaaa" }
