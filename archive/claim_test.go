package archive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// decoding is a process that decodes a spool by a claim.
type decoding struct {
	t     *testing.T
	b     store.Bucket
	claim *claim.Claim
	w     *Writer
	at    spool.Position
}

func takeOver(t *testing.T, b store.Bucket, owner string) *decoding {
	t.Helper()
	d, err := tryTakeOver(t, b, owner)
	require.NoError(t, err)
	return d
}

// tryTakeOver does what the decode loop does.
func tryTakeOver(t *testing.T, b store.Bucket, owner string) (*decoding, error) {
	c, err := claim.Take(t.Context(), b, "kafka.t.00001", owner)
	if err != nil {
		return nil, err
	}
	r := c.Record()
	if r.Load != "" {
		done, err := Settle(t.Context(), b, r.Load, r.Stage)
		if err != nil {
			return nil, err
		}
		if !done {
			return nil, errors.New("the load is lost")
		}
	}
	if err := RemoveStages(t.Context(), b, c.Former); err != nil {
		return nil, err
	}
	d := &decoding{t: t, b: b, claim: c, at: r.Position}
	return d, d.open()
}

func (d *decoding) open() (err error) {
	d.w, err = NewWriter(d.t.Context(), d.b, Options{Owner: d.claim.Owner(), Order: d.claim.Commits(func() spool.Position { return d.at })})
	return err
}

// take appends a ping for each of the next records, and commits them.
func (d *decoding) take(n int64) error {
	d.append(n)
	return d.commit(n)
}

func (d *decoding) append(n int64) {
	d.t.Helper()
	for i := range n {
		var m ping.Meta
		m.SetString(ping.SubmissionDate, "20180301")
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.DocumentID, fmt.Sprint(d.at.Offset+i))
		require.NoError(d.t, d.w.Append(&m, []byte(`{}`)))
	}
}

func (d *decoding) commit(n int64) error {
	from := d.at.Offset
	d.at.Offset += n
	_, err := d.w.Close(d.t.Context(), fmt.Sprintf("spool.kafka.t.00001.%d-%d", from, d.at.Offset))
	return err
}

// archivedOffsets lists the Kafka offsets of the archived pings.
func archivedOffsets(t *testing.T, b store.Bucket) map[string]int {
	t.Helper()
	seen := map[string]int{}
	day, err := OpenDay(t.Context(), b, "20180301", "main")
	require.NoError(t, err)
	for m, err := range day.Metas(t.Context()) {
		require.NoError(t, err)
		seen[string(m.Text(ping.DocumentID))]++
	}
	return seen
}

func requireOnce(t *testing.T, b store.Bucket, n int) {
	t.Helper()
	seen := archivedOffsets(t, b)
	assert.Len(t, seen, n)
	for id, times := range seen {
		assert.Equal(t, 1, times, id)
	}
}

func TestClaimKeepsOutWhoLostIt(t *testing.T) {
	b := store.NewMemory()
	first := takeOver(t, b, "a")
	require.NoError(t, first.take(10))
	require.NoError(t, first.open())
	first.append(5) // and is held up
	second := takeOver(t, b, "b")
	assert.EqualValues(t, 10, second.at.Offset)
	require.NoError(t, second.take(7))
	require.NoError(t, second.open())
	second.append(3)
	require.ErrorIs(t, first.commit(5), claim.ErrLost)
	require.ErrorIs(t, first.claim.Move(t.Context(), spool.Position{}, math.MaxInt64), claim.ErrLost)
	require.NoError(t, first.open()) // which would remove stages, but not those of a later turn
	require.NoError(t, second.commit(3))
	require.NoError(t, second.claim.Move(t.Context(), second.at, 1))
	third := takeOver(t, b, "c")
	assert.EqualValues(t, 20, third.at.Offset)
	requireOnce(t, b, 20)
}

// failing fails or loses the response of the n-th change of an object.
type failing struct {
	store.Bucket
	left int
	done bool // the change is made nevertheless
}

var errLine = errors.New("the line is cut")

func (f *failing) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	return f.step(func() error { return f.Bucket.CompareAndSwap(ctx, name, old, new) })
}

func (f *failing) Create(ctx context.Context, name string) (store.Writer, error) {
	if f.left--; f.left == 0 {
		return nil, errLine
	}
	return f.Bucket.Create(ctx, name)
}

func (f *failing) Open(ctx context.Context, name string) (store.Reader, error) {
	if f.left <= 0 {
		return nil, errLine
	}
	return f.Bucket.Open(ctx, name)
}

func (f *failing) step(do func() error) error {
	f.left--
	switch {
	case f.left < 0, f.left == 0 && !f.done:
		return errLine
	case f.left == 0:
		_ = do()
		return errLine
	}
	return do()
}

// A process that dies at any change, before or after it, leaves what the next one
// finishes or does again.
func TestClaimAfterDeathAtEveryChange(t *testing.T) {
	for _, done := range []bool{false, true} {
		for n := 1; ; n++ {
			b := store.NewMemory()
			require.NoError(t, takeOver(t, b, "a").take(4))
			f := &failing{Bucket: b, left: n, done: done}
			err := func() error {
				d, err := tryTakeOver(t, f, "b")
				if err != nil {
					return err
				}
				d.append(6)
				if err := d.commit(6); err != nil {
					return err
				}
				return d.claim.Move(t.Context(), d.at, 1)
			}()
			d := takeOver(t, b, "c")
			require.NoError(t, d.take(12-d.at.Offset))
			requireOnce(t, b, 12)
			if err == nil && f.left > 0 {
				assert.Greater(t, n, 5)
				break
			}
		}
	}
}

func TestClaimWithoutItsStage(t *testing.T) {
	b := store.NewMemory()
	d := takeOver(t, b, "a")
	require.NoError(t, d.take(3))
	require.NoError(t, b.Delete(t.Context(), naming.Record("spool.kafka.t.00001.0-3")))
	_, err := tryTakeOver(t, b, "b")
	assert.ErrorContains(t, err, "lost")
}
