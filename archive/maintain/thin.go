package maintain

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// thinAfter is the time for which the record of a removal remains after its files are deleted: readers that
// were listing files at that moment must find it. No listing takes that long.
const thinAfter = time.Hour

// Thin deletes records of loads that nothing depends on any more, and returns their number. A record stays
//   - of a loaded file: it keeps the file from being loaded again;
//   - of segments, the last of each edge, which says where decoding goes on, and
//     those with a memory of duplicates;
//   - of which files are still there, or of those it replaced, or others of the
//     same loads beside these;
//   - that touches a day that has not expired, and of a removal for an hour.
func Thin(ctx context.Context, b store.Bucket, now time.Time) (removed int, err error) {
	t := &thinning{bucket: b, now: now}
	if err := t.look(ctx); err != nil {
		return 0, fmt.Errorf("thin out records of loads: %w", err)
	}
	for i, load := range t.records {
		dead, err := t.dead(ctx, i)
		if err == nil && dead {
			removed++
			err = t.remove(ctx, load)
		}
		if err != nil {
			return removed, fmt.Errorf("thin out records of loads: %w", err)
		}
	}
	return removed, nil
}

// remove deletes a record, after what the index says of it.
func (t *thinning) remove(ctx context.Context, load string) error {
	l, err := t.read(ctx, load)
	if err != nil {
		return err
	}
	return archive.RemoveRecord(ctx, t.bucket, l)
}

// read reads a record that was listed.
func (t *thinning) read(ctx context.Context, load string) (*archive.Load, error) {
	l, ok, err := archive.Loaded(ctx, t.bucket, load)
	if err == nil && !ok {
		err = fmt.Errorf("load %s: %w", load, fs.ErrNotExist)
	}
	return l, err
}

// thinning decides which records may be removed.
type thinning struct {
	bucket  store.Bucket
	now     time.Time
	records []string                           // names of loads, sorted
	loads   map[string]bool                    // that have a file
	places  map[[2]string]bool                 // folders and loads that have a file there
	seen    map[string]bool                    // loads with a memory of duplicates
	expired map[archive.Kind]map[ping.Day]bool // days that were removed
}

// look lists the records first: their missing files were removed.
func (t *thinning) look(ctx context.Context) (err error) {
	if t.records, err = archive.Loads(ctx, t.bucket, ""); err != nil {
		return err
	}
	t.loads, t.places, t.seen = map[string]bool{}, map[[2]string]bool{}, map[string]bool{}
	t.expired = map[archive.Kind]map[ping.Day]bool{}
	for _, k := range []archive.Kind{archive.KindPings, archive.KindErrors} {
		if t.expired[k], err = archive.ExpiredDays(ctx, t.bucket, k); err != nil {
			return err
		}
		for e, err := range t.bucket.List(ctx, k.Dir()+"/") {
			if err != nil {
				return err
			}
			if load, ok := naming.LoadOf(e.Name); ok {
				t.loads[load] = true
				t.places[[2]string{path.Dir(e.Name), load}] = true
			}
		}
	}
	for e, err := range t.bucket.List(ctx, naming.Seen+"/") {
		if err != nil {
			return err
		}
		t.seen[naming.LoadOfSeen(e.Name)] = true
	}
	return nil
}

// dead reports whether the i-th record may be deleted.
func (t *thinning) dead(ctx context.Context, i int) (bool, error) {
	load := t.records[i]
	switch {
	case t.loads[load]:
		return false, nil
	case strings.HasPrefix(load, naming.FromSpool):
		if t.last(i) || t.seen[load] {
			return false, nil
		}
	case !strings.HasPrefix(load, naming.Replacing):
		return false, nil
	}
	l, err := t.read(ctx, load)
	if err != nil {
		return false, err
	}
	names := l.Replaces
	for _, f := range l.Files {
		names = append(names, f.Name)
	}
	removal, at := removalTime(load)
	for _, name := range names {
		other, _ := naming.LoadOf(name)
		if t.places[[2]string{path.Dir(name), other}] || !removal && !t.isExpired(name) {
			return false, nil
		}
	}
	return !removal || t.now.Sub(at) >= thinAfter, nil
}

// last reports whether no later load of the same edge follows.
func (t *thinning) last(i int) bool {
	edge := t.records[i][:strings.LastIndexByte(t.records[i], '.')+1]
	return i+1 == len(t.records) || !strings.HasPrefix(t.records[i+1], edge)
}

// removalTime reads from a load's name when it removed a day.
func removalTime(load string) (removal bool, at time.Time) {
	_, rest, ok := strings.Cut(load, naming.ExpireMark)
	if !ok || !strings.HasPrefix(load, naming.Replacing) {
		return false, at
	}
	text, _, _ := strings.Cut(rest, ".")
	at, err := time.Parse(naming.ExpireTime, text)
	return err == nil, at
}

// isExpired reports whether the day of a file was removed.
func (t *thinning) isExpired(name string) bool {
	for k, days := range t.expired {
		if rest, ok := strings.CutPrefix(name, k.Dir()+"/"+naming.DayKey); ok {
			day, _, _ := strings.Cut(rest, "/")
			return days[ping.Day(day)]
		}
	}
	return false
}
