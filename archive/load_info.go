package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// LoadInfo sums up one finished load.
type LoadInfo struct {
	ID       string
	Requests int        // deletion requests known when it began. See Options.Requests.
	Days     []ping.Day // of all its files, sorted; "" for errors of no known day
	// Counted holds those of Days whose files still count: they were neither replaced nor deleted. It is empty if
	// nothing of the load is left.
	Counted []ping.Day
}

// LoadInfos lists all finished loads by name, as of one moment: if the files of a load no longer count, the
// load that replaced them is listed. It omits loads whose records are damaged; see Damage.
func LoadInfos(ctx context.Context, b store.Bucket) ([]LoadInfo, error) {
	l := &loadLister{bucket: b, loads: map[string]*Load{}}
	if err := l.run(ctx); err != nil {
		return nil, fmt.Errorf("list loads: %w", err)
	}
	return l.infos(), nil
}

// loadLister reads the records of all loads and the names of all files.
type loadLister struct {
	bucket store.Bucket
	names  []string         // of loads
	loads  map[string]*Load // by name; records never change
	files  map[string]bool  // that are there
}

// run reads until no load has been committed between the records and the files.
func (l *loadLister) run(ctx context.Context) error {
	for {
		names, err := Loads(ctx, l.bucket, "")
		if err != nil {
			return err
		}
		if l.files != nil && slices.Equal(names, l.names) {
			return nil
		}
		l.names = names
		if err := l.read(ctx); err != nil {
			return err
		}
		if err := l.list(ctx); err != nil {
			return err
		}
	}
}

// read reads the records that were not read yet.
func (l *loadLister) read(ctx context.Context) error {
	for _, name := range l.names {
		if l.loads[name] != nil || naming.CheckLoad(name) != nil {
			continue
		}
		record, err := readLoad(ctx, l.bucket, naming.Record(name))
		var bad *recordError
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &bad) {
			continue // deleted meanwhile, or damaged: its days are
		}
		if err != nil {
			return err
		}
		l.loads[name] = record
	}
	return nil
}

func (l *loadLister) list(ctx context.Context) error {
	l.files = map[string]bool{}
	for _, dir := range []string{naming.Pings, naming.Errors} {
		for e, err := range l.bucket.List(ctx, dir+"/") {
			if err != nil {
				return err
			}
			l.files[e.Name] = true
		}
	}
	return nil
}

func (l *loadLister) infos() []LoadInfo {
	for _, name := range l.names {
		if r := l.loads[name]; r != nil {
			for _, f := range r.Replaces {
				delete(l.files, f)
			}
		}
	}
	all := make([]LoadInfo, 0, len(l.names))
	for _, name := range l.names {
		r := l.loads[name]
		if r == nil {
			continue
		}
		days, counted := map[string]bool{}, map[string]bool{}
		for _, f := range r.Files {
			days[f.Day] = true
			if l.files[f.Name] {
				counted[f.Day] = true
			}
		}
		all = append(all, LoadInfo{ID: name, Requests: r.Requests, Days: sortedDays(days), Counted: sortedDays(counted)})
	}
	return all
}
