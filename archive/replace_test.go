package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// rejectAll appends rejected submissions of a day with the given messages.
func rejectAll(w *Writer, day string, messages ...string) error {
	for i, m := range messages {
		e := &Rejected{Class: "json", Message: m, Path: "/submit/x", Body: []byte(strings.Repeat(m, 200))}
		e.Meta.SetString(ping.SubmissionDate, day)
		e.Meta.SetInt(ping.Timestamp, int64(i))
		if err := w.AppendError(e); err != nil {
			return err
		}
	}
	return nil
}

// rejectLoad makes a load of rejected submissions of two days.
func rejectLoad(t *testing.T, b store.Bucket, name string) {
	t.Helper()
	w, err := NewWriter(ctx, b, Options{})
	require.NoError(t, err)
	err = errors.Join(rejectAll(w, "20180601", name+"1", name+"2"), rejectAll(w, "20180602", name+"3"))
	require.NoError(t, err)
	if _, err := w.Close(ctx, name); err != nil {
		t.Fatal(err)
	}
}

// state returns all that readers find, in words.
func state(t *testing.T, b store.Bucket) string {
	t.Helper()
	var s strings.Builder
	days, err := Days(ctx, b)
	require.NoError(t, err)
	for _, i := range days {
		d, err := OpenDay(ctx, b, i.Day, i.DocType)
		require.NoError(t, err)
		n := 0
		for _, err := range d.Pings(ctx, 0, 100) {
			require.NoError(t, err)
			n++
		}
		fmt.Fprintf(&s, "%s/%s:%d ", i.Day, i.DocType, n)
	}
	days, err = ErrorDays(ctx, b)
	require.NoError(t, err)
	for _, i := range days {
		fmt.Fprintf(&s, "errors %s:", i.Day)
		for _, r := range rejectedOf(t, b, i.Day) {
			fmt.Fprintf(&s, "%s,", r.Message)
		}
	}
	return s.String()
}

// replaceDay replaces the rejected submissions of the first day by one of them
// and a ping.
func replaceDay(b store.Bucket, owner, load string) error {
	w, err := NewWriter(ctx, b, Options{Owner: owner})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := rejectAll(w, "20180601", "left"); err != nil {
		return err
	}
	var m ping.Meta
	m.SetString(ping.DocTypeField, "main")
	m.SetString(ping.SubmissionDate, "20180601")
	if err := w.Append(&m, []byte("{}")); err != nil {
		return err
	}
	if _, ok, err := Loaded(ctx, b, load); err != nil || ok {
		return err // the new writer has finished it
	}
	e, err := OpenErrors(ctx, b, "20180601")
	if err != nil {
		return err
	}
	for _, name := range e.Names() {
		w.Replace(name)
	}
	_, err = w.Close(ctx, load)
	return err
}

const (
	stateBefore = "errors 20180601:x1,x2,errors 20180602:x3,"
	stateAfter  = "20180601/main:1 errors 20180601:left,errors 20180602:x3,"
)

func TestReplace(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		rejectLoad(t, b, "x")
		before, err := OpenErrors(ctx, b, "20180601")
		require.NoError(t, err)
		other, err := OpenErrors(ctx, b, "20180602")
		require.NoError(t, err)
		if got := state(t, b); got != stateBefore {
			t.Fatalf("before: %s", got)
		}
		require.NoError(t, replaceDay(b, "replay", "re-1"))
		if got := state(t, b); got != stateAfter {
			t.Errorf("after: %s", got)
		}
		after, err := OpenErrors(ctx, b, "20180601")
		if err != nil || after.day.Generation() == before.day.Generation() {
			t.Errorf("the generation stays: %v", err)
		}
		same, err := OpenErrors(ctx, b, "20180602")
		if err != nil || same.day.Generation() != other.day.Generation() {
			t.Errorf("the other day has another generation: %v", err)
		}
		for _, err := range before.All(ctx) {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("reading what was replaced: %v", err)
			}
		}
		for _, c := range contents(t, b) {
			if strings.Contains(c, before.Names()[0]) || strings.Contains(c, naming.Staging) {
				t.Errorf("still there: %s", c)
			}
		}
		all, err := Replacements(ctx, b)
		if err != nil || len(all) != 1 || !slices.Equal(all[0].Replaces, before.Names()) {
			t.Errorf("replacements: %+v, %v", all, err)
		}
		if l, ok, err := Loaded(ctx, b, "x"); err != nil || !ok || len(l.Files) != 2 || l.Replaces != nil {
			t.Errorf("the record of the replaced load: %+v, %v", l, err)
		}
	})
}

// TestReplaceAll leaves nothing in the place of a day.
func TestReplaceAll(t *testing.T) {
	b := store.NewMemory()
	load(t, b, "x", Options{}, plain(10, 100))
	d, err := OpenDay(ctx, b, "20180604", "main")
	require.NoError(t, err)
	w, err := NewWriter(ctx, b, Options{})
	require.NoError(t, err)
	w.Replace(d.Names()[0])
	w.Replace(d.Names()[0])
	if s, err := w.Close(ctx, "re-x"); err != nil || s.Replaced != 1 || s.Files != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := OpenDay(ctx, b, "20180604", "main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the day opens: %v", err)
	}
	if s := load(t, b, "x", Options{}, plain(10, 100)); !s.AlreadyLoaded {
		t.Errorf("the same content again: %+v", s)
	}
	if got := state(t, b); got != "" {
		t.Errorf("then there is %s", got)
	}
}

func TestReplaceRefused(t *testing.T) {
	b := store.NewMemory()
	rejectLoad(t, b, "x")
	require.NoError(t, replaceDay(b, "replay", "re-1"))
	const dir = "errors/v1/submission_date_obj="
	for _, c := range []struct {
		load, replace, want string
	}{
		{"re-2", "", `begins those of loads that replace files`},
		{"y", dir + "20180602/x-000002.parquet", `needs one that begins with "re-"`},
		{"re-2", dir + "20180601/x-000001.parquet", ErrReplaced.Error()},
		{"re-2", dir + "20180602/x-000009.parquet", "no load has that file"},
		{"re-2", dir + "20180602/y-000001.parquet", "no load has that file"},
		{"re-2", "loads/v1/x.json", "no load has that file"},
	} {
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		if c.replace != "" {
			w.Replace(c.replace)
		}
		if _, err := w.Close(ctx, c.load); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("load %s in place of %q: %v", c.load, c.replace, err)
		}
		if got := state(t, b); got != stateAfter {
			t.Errorf("load %s in place of %q leaves %s", c.load, c.replace, got)
		}
	}
}

// TestReplaceWhileReading replaces a file again and again; readers meanwhile
// find all rows once, always.
func TestReplaceWhileReading(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		all := randomSamples(rand.New(rand.NewPCG(40, 40)), 20, 50)
		for i := range all {
			all[i].meta.SetString(ping.SubmissionDate, "20180601")
			all[i].meta.SetString(ping.DocTypeField, "main")
		}
		load(t, b, "x", Options{}, all[:10])
		load(t, b, "y", Options{}, all[10:])
		done := make(chan struct{})
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				for ended := false; !ended; {
					select {
					case <-done:
						ended = true
					default:
					}
					d, err := OpenDay(ctx, b, "20180601", "main")
					if err != nil || d.Rows() != 20 || d.Files() != 2 {
						t.Errorf("a reader finds %+v, %v", d, err)
						return
					}
				}
			})
		}
		for i := range 30 {
			if err := copyFile(b, fmt.Sprintf("re-%d", i), i%2); err != nil {
				t.Error(err)
				break
			}
		}
		close(done)
		readers.Wait()
	})
}

// copyFile replaces the n-th file of the day by all its rows.
func copyFile(b store.Bucket, name string, n int) error {
	d, err := OpenDay(ctx, b, "20180601", "main")
	if err != nil {
		return err
	}
	w, err := NewWriter(ctx, b, Options{})
	if err != nil {
		return err
	}
	defer w.Abort()
	w.Replace(d.Names()[n])
	d.files = d.files[n : n+1]
	for p, err := range d.Pings(ctx, 0, 100) {
		if err != nil {
			return err
		}
		if err := w.Append(&p.Meta, p.Body); err != nil {
			return err
		}
	}
	_, err = w.Close(ctx, name)
	return err
}
