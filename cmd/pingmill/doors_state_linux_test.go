package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

// generations are those that are published of tables: by table and day.
type generations map[string]map[string]string

// lakeState holds the published files and the hidden clients at one time.
type lakeState struct {
	since, until time.Time // it may have begun and ended at any time between
	days         generations
	hidden       []string
}

// recorder follows what is published, and keeps the files of each generation by links of its own.
type recorder struct {
	t      *testing.T
	dir    string
	site   *site.Site
	tables []*lake.Table

	mu     sync.Mutex
	states []*lakeState
	polled time.Time // beginning of the last look
	files  map[string][]string
	known  map[string]answerRows // results of statements over states
}

// pollEach is the interval between two looks of the recorder, each of which reads what every table has. A day is seldom replaced in less.
const pollEach = 100 * time.Millisecond

func newRecorder(t *testing.T, data, definitions string) *recorder {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	set, err := (&flags.Definitions{Glean: []string{definitions}}).Set(p)
	require.NoError(t, err)
	s, err := site.Read(t.Context(), data, set)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	r := &recorder{t: t, dir: t.TempDir(), site: s, files: map[string][]string{}, known: map[string]answerRows{}, polled: time.Now()}
	for _, table := range s.Tables {
		lt, err := s.Table(table.Name)
		require.NoError(t, err)
		r.tables = append(r.tables, lt)
	}
	return r
}

// run looks until the context ends.
func (r *recorder) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			r.t.Errorf("look at what is published: %v", err)
			return
		}
		time.Sleep(pollEach)
	}
}

func (r *recorder) look(ctx context.Context) error {
	began := time.Now()
	now := &lakeState{since: r.polled, days: generations{}}
	for _, lt := range r.tables {
		heads, _, err := lt.Heads(ctx, func(string) bool { return true })
		if err != nil {
			return err
		}
		days := map[string]string{}
		for _, m := range heads {
			days[m.Day] = m.Generation
			if err := r.keep(ctx, lt, m.Day, m.Generation); err != nil {
				return err
			}
		}
		now.days[lt.Schema.Name] = days
	}
	var err error
	if now.hidden, err = r.site.Forgotten.PendingClients(ctx); err != nil {
		return err
	}
	slices.Sort(now.hidden)
	r.mu.Lock()
	defer r.mu.Unlock()
	end := time.Now()
	if n := len(r.states); n > 0 {
		last := r.states[n-1]
		last.until = end
		if maps.EqualFunc(last.days, now.days, maps.Equal[map[string]string]) && slices.Equal(last.hidden, now.hidden) {
			r.polled = began
			return nil
		}
	}
	now.until, r.polled = end, began
	r.states = append(r.states, now)
	return nil
}

func generationKey(table, day, generation string) string { return table + " " + day + " " + generation }

// keep links the files of a generation. Where it is replaced at this moment they stay unknown until it is seen again.
func (r *recorder) keep(ctx context.Context, lt *lake.Table, day, generation string) error {
	key := generationKey(lt.Schema.Name, day, generation)
	if _, ok := r.retained(key); ok {
		return nil
	}
	m, err := lt.Partition(ctx, day)
	if err != nil || m.Generation != generation {
		return nil
	}
	root, _ := store.LocalDir(lt.Bucket())
	place := lt.Paths(ctx, m)
	files := []string{}
	for _, f := range m.Files {
		to := filepath.Join(r.dir, generation, lt.Path(day, f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.Link(filepath.Join(root, place(f.Name)), to); err != nil && !errors.Is(err, os.ErrExist) {
			return nil
		}
		files = append(files, to)
	}
	slices.Sort(files)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[key] = files
	return nil
}

func (r *recorder) retained(key string) ([]string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.files[key]
	return f, ok
}

// after waits until all that was published before a time has been seen.
func (r *recorder) after(ctx context.Context, at time.Time) {
	for ctx.Err() == nil {
		r.mu.Lock()
		seen := r.polled.After(at) && len(r.states) > 0
		r.mu.Unlock()
		if seen {
			return
		}
		time.Sleep(pollEach)
	}
}

// during returns the states, of some tables, that there were between two times; each once.
func (r *recorder) during(from, to time.Time, tables []string) (all []*lakeState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.states) - 1; i >= 0 && r.states[i].until.After(from); i-- {
		if s := r.states[i]; s.since.Before(to) {
			all = append(all, s.only(tables))
		}
	}
	slices.Reverse(all)
	return distinct(all)
}

// only returns the state of some tables.
func (s *lakeState) only(tables []string) *lakeState {
	some := &lakeState{since: s.since, until: s.until, days: generations{}, hidden: s.hidden}
	for _, name := range tables {
		some.days[name] = s.days[name]
	}
	return some
}

func (s *lakeState) String() string {
	var b strings.Builder
	for _, table := range slices.Sorted(maps.Keys(s.days)) {
		for _, day := range slices.Sorted(maps.Keys(s.days[table])) {
			fmt.Fprintln(&b, generationKey(table, day, s.days[table][day]))
		}
	}
	fmt.Fprint(&b, strings.Join(s.hidden, " "))
	return b.String()
}

func distinct(states []*lakeState) (all []*lakeState) {
	seen := map[string]bool{}
	for _, s := range states {
		if key := s.String(); !seen[key] {
			seen[key] = true
			all = append(all, s)
		}
	}
	return all
}

// maxMixed limits the mixtures of states that are tried.
const maxMixed = 200

// mixed returns the states that a query may have seen that looked at one day after the other, and at the hidden
// clients, while they changed.
func mixed(states []*lakeState) []*lakeState {
	all := []*lakeState{{days: generations{}}}
	grow := func(add func(s, from *lakeState)) {
		var next []*lakeState
		for _, s := range all {
			for _, from := range states {
				c := &lakeState{days: generations{}, hidden: s.hidden}
				for table, days := range s.days {
					c.days[table] = maps.Clone(days)
				}
				add(c, from)
				next = append(next, c)
			}
		}
		if next = distinct(next); len(next) > maxMixed {
			next = next[:maxMixed]
		}
		all = next
	}
	grow(func(s, from *lakeState) { s.hidden = from.hidden })
	partitions := map[[2]string]bool{}
	for _, s := range states {
		for table, days := range s.days {
			for day := range days {
				partitions[[2]string{table, day}] = true
			}
		}
	}
	byName := func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	for _, p := range slices.SortedFunc(maps.Keys(partitions), byName) {
		grow(func(s, from *lakeState) {
			if s.days[p[0]] == nil {
				s.days[p[0]] = map[string]string{}
			}
			if g, ok := from.days[p[0]][p[1]]; ok {
				s.days[p[0]][p[1]] = g
			}
		})
	}
	return all
}
