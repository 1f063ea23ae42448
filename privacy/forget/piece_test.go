package forget

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// names joins the names of pieces.
func names(all []*Piece) string {
	var text []string
	for _, p := range all {
		text = append(text, p.Name())
	}
	return strings.Join(text, " ")
}

func cycleOf(began time.Time, days ...string) *Cycle {
	return &Cycle{Began: began, Made: 3, Requests: []string{"a"}, Days: days, Loads: []string{"l"}}
}

// TestPieces: days can be done in any order, and what needs earlier days when these are done.
func TestPieces(t *testing.T) {
	r := Open(store.NewMemory())
	c, err := r.Begin(ctx, cycleOf(noon, "", "20180301", "20180302", "20180303"))
	require.NoError(t, err)
	save := func(p Piece) {
		p.Changes = []Change{{Table: "addons", Day: p.Day, Rows: 2, Files: 1}}
		require.NoError(t, r.Progress(c).Save(ctx, &p))
	}
	done := r.Progress(c)
	read := func() string {
		require.NoError(t, done.Read(ctx))
		return names(done.Open(c))
	}
	require.Equal(t, "none 20180301 20180302 20180303", read())
	require.True(t, done.Ready(c, ""))
	save(Piece{Day: "20180302", Left: []string{"crashes/v1"}, Moved: map[string][2]string{"x": {"a", "b"}}})
	require.Equal(t, "none 20180301 20180303", read())
	require.Equal(t, [2]string{"a", "b"}, done.Find("20180302", false).Moved["x"])
	save(Piece{Day: "", Damaged: []string{"d"}})
	require.Equal(t, "20180301 20180303", read())
	require.True(t, done.Ready(c, "20180301"))
	require.False(t, done.Ready(c, "20180302"))
	save(Piece{Day: "20180301", Newer: []string{"n"}})
	require.Equal(t, "20180302.late 20180303", read())
	require.False(t, done.Ready(c, "20180303"))
	require.Equal(t, 2, c.With(done.Pieces).Done)
	save(Piece{Day: "20180302", Late: true})
	save(Piece{Day: "20180303"})
	require.Empty(t, read())
	has, err := r.Progress(c).Has(ctx, &Piece{Day: "20180302", Late: true})
	require.NoError(t, err)
	require.True(t, has)

	all := c.With(done.Pieces)
	require.Equal(t, 4, all.Done)
	require.Equal(t, []string{"d"}, all.Damaged)
	require.Equal(t, []string{"n"}, all.Newer)
	require.EqualValues(t, 10, all.Rows())
	require.Zero(t, c.Done, "the stored one has changed")
	st, err := r.Status(ctx, nil, 0)
	require.NoError(t, err)
	require.Equal(t, 4, st.Running.Done)
}

// TestBeginOnce: of servers that begin a cycle at the same time one does, and what another one saves late harms no later cycle.
func TestBeginOnce(t *testing.T) {
	b := store.NewMemory()
	one, two := Open(b), Open(b)
	first, err := one.Begin(ctx, cycleOf(noon, "20180301"))
	require.NoError(t, err)
	other := cycleOf(noon.Add(time.Second), "20180301", "20180302")
	joined, err := two.Begin(ctx, other)
	require.NoError(t, err)
	require.Equal(t, first.Occasion(), joined.Occasion())
	require.Equal(t, []string{"20180301"}, joined.Days)
	require.NoError(t, one.End(ctx, first, nil))
	is, err := two.Progress(joined).IsRunning(ctx)
	require.NoError(t, err)
	require.False(t, is)

	next, err := one.Begin(ctx, cycleOf(noon.Add(time.Hour), "20180301"))
	require.NoError(t, err)
	require.NoError(t, one.Progress(next).Save(ctx, &Piece{Day: "20180301"}))
	require.NoError(t, one.Reports().SaveFound(ctx, next.Occasion(), Change{Table: "addons", Day: "20180301"}, Found{Hash{1}: 1}))
	require.NoError(t, two.Progress(joined).Save(ctx, &Piece{Day: "20180301"}))
	require.NoError(t, two.End(ctx, joined, nil))
	is, err = one.Progress(next).IsRunning(ctx)
	require.NoError(t, err)
	require.True(t, is)
	done := one.Progress(next)
	require.NoError(t, done.Read(ctx))
	require.Len(t, done.Pieces, 1)
	found, _, err := one.Reports().found(ctx)
	require.NoError(t, err)
	require.Len(t, found, 1)
	now, err := one.Running(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"l"}, now.Loads)

	require.NoError(t, two.Progress(joined).Save(ctx, &Piece{Day: "20180301"})) // by a server that was held up
	require.NoError(t, one.End(ctx, next, nil))
	for e, err := range b.List(ctx, "running/") {
		require.NoError(t, err)
		t.Errorf("%s is left", e.Name)
	}
}

// TestFormerCycle: a cycle of an earlier version goes on, and that version does not.
func TestFormerCycle(t *testing.T) {
	b := store.NewMemory()
	r := Open(b)
	former := cycleOf(noon, "20180301", "20180302", "20180303")
	former.Format, former.Done = 1, 1
	former.Changes = []Change{{Table: "addons", Day: "20180301", Rows: 2, Files: 1}}
	text, err := json.Marshal(former)
	require.NoError(t, err)
	require.NoError(t, store.WriteFile(ctx, b, "running/v1/cycle.json", text))
	require.NoError(t, store.WriteFile(ctx, b, "running/v1/loads.json", []byte(`{"format":1,"requests":3,"loads":["k"]}`)))
	c, err := r.Running(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"k"}, c.Loads)
	c, err = r.Begin(ctx, c)
	require.NoError(t, err)
	require.Equal(t, "20180302 20180303", names(Pieces{}.Open(c)))
	require.EqualValues(t, 2, c.With(Pieces{}).Rows())

	text, err = store.ReadFile(ctx, b, "running/v1/cycle.json")
	require.NoError(t, err)
	var stored struct{ Format, Done int }
	require.NoError(t, json.Unmarshal(text, &stored))
	require.Equal(t, 2, stored.Format) // which the earlier version refuses
	require.Equal(t, 1, stored.Done)
	again, err := r.Running(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"k"}, again.Loads)

	require.NoError(t, r.End(ctx, c.With(Pieces{}), nil))
	record, err := store.ReadFile(ctx, b, "cycles/v1/"+timeName(noon))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(record, &stored))
	require.Equal(t, 1, stored.Format) // which it reads
	for e, err := range b.List(ctx, "running/") {
		require.NoError(t, err)
		t.Errorf("%s is left", e.Name)
	}
}
