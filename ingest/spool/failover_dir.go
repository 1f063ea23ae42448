package spool

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// markerName is the file that says where the second folder is, as long as it may
// have what the first one lacks. It looks like a segment of another edge, so that
// a program that knows no second folders does not open the spool.
var markerName = segmentName("see_the_second_folder", 0, openSuffix)

// failoverDir is the failover folder of a spool, and the marker in the spool's folder that names it.
type failoverDir struct {
	o    *Options
	dir  string       // of the spool
	lock *flock.Flock // nil: no second folder
}

// claim locks the second folder and checks that it is the right one.
func (d *failoverDir) claim() error {
	named, token, err := d.readMarker()
	if err != nil {
		return err
	}
	if d.o.Failover == "" && named != "" {
		return fmt.Errorf("%s may have acknowledged submissions: start with that second folder, or give up its submissions by removing %s",
			named, filepath.Join(d.dir, markerName))
	}
	if d.o.Failover == "" {
		return nil
	}
	if d.o.Failover, err = filepath.Abs(d.o.Failover); err != nil {
		return fmt.Errorf("second folder: %w", err)
	}
	if named != "" && named != d.o.Failover {
		return fmt.Errorf("the second folder is %s, not %s: start with that once", named, d.o.Failover)
	}
	if err = makeDir(d.o.Failover); err == nil {
		d.lock, err = lock(filepath.Join(d.o.Failover, lockName), errInUse)
	}
	if err == nil {
		err = d.identify(token)
	}
	if err != nil {
		return fmt.Errorf("second folder %s: %w", d.o.Failover, err)
	}
	return nil
}

// readMarker returns the second folder that the marker names, and what its identity has to be; "" without a marker.
func (d *failoverDir) readMarker() (dir, token string, err error) {
	text, err := os.ReadFile(filepath.Join(d.dir, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("find the second folder: %w", err)
	}
	token, dir, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	if !ok || len(token) != len(rand.Text()) || !filepath.IsAbs(dir) {
		return "", "", fmt.Errorf("%s is damaged: remove it, if there is no second folder with submissions", filepath.Join(d.dir, markerName))
	}
	return dir, token, nil
}

// identify checks that the second folder is the one of the marker, or marks it as belonging to this
// spool.
func (d *failoverDir) identify(token string) error {
	path := filepath.Join(d.o.Failover, identityName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if token != "" {
		if string(text) != token+"\n" {
			return errors.New("it is not the one of this spool: is its disk mounted?")
		}
		return nil
	}
	if files, err := d.files(); err != nil {
		return err
	} else if len(files) > 0 {
		return errors.New("it has submissions of another spool")
	}
	token = rand.Text()
	if err := replaceFile(path, []byte(token+"\n")); err != nil {
		return err
	}
	return replaceFile(filepath.Join(d.dir, markerName), []byte(token+" "+d.o.Failover+"\n"))
}

// files lists the files of the second folder, oldest first.
func (d *failoverDir) files() (all []Segment, err error) {
	entries, err := os.ReadDir(d.o.Failover)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if edge, number, ok := parseName(e.Name(), failoverSuffix); ok {
			g := Segment{Edge: edge, Number: number, Path: filepath.Join(d.o.Failover, e.Name())}
			if !e.Type().IsRegular() || edge != d.o.Edge {
				return nil, fmt.Errorf("%s is not a file of edge %q", g.Path, d.o.Edge)
			}
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b Segment) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// openFailover starts the failover to the second folder.
func (s *Spool) openFailover() (err error) {
	if s.o.Failover == "" {
		return nil
	}
	if s.failover, err = newFailover(&s.queue, &s.segmentFiles, 0); err == nil {
		go s.failover.run()
	}
	return err
}

// forget allows the spool to be opened without the second folder, after all files there were removed.
func (d *failoverDir) forget() error {
	err := syncDir(d.o.Failover)
	if err == nil {
		err = os.Remove(filepath.Join(d.dir, markerName))
	}
	if err == nil {
		err = syncDir(d.dir)
	}
	if err != nil {
		return fmt.Errorf("give the second folder up: %w", err)
	}
	return nil
}

// recoverFailover reads from the second folder the records that the first one lacks after a crash. A later
// record than the timestamp before may be missing from the sealed segments.
func (w *writer) recoverFailover(before int64) error {
	if w.o.Failover == "" {
		return nil
	}
	files, err := w.failoverDir.files()
	if err != nil {
		return fmt.Errorf("recover the second folder: %w", err)
	}
	for _, g := range files {
		err := w.recoverFailoverFile(g, before)
		if err != nil {
			return fmt.Errorf("recover %s: %w", g.Path, err)
		}
	}
	for _, g := range files {
		if err := os.Remove(g.Path); err != nil {
			return fmt.Errorf("recover the second folder: %w", err)
		}
	}
	return syncDir(w.o.Failover)
}

func (w *writer) recoverFailoverFile(g Segment, before int64) error {
	r, err := ReadSegment(g, nil)
	if err != nil {
		return err
	}
	r.readAll()
	sealed, err := w.Sealed()
	if err != nil {
		return err
	}
	lacking := map[int64]*entry{}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	_, damaged := r.each(func(rec *Record, payload []byte) {
		if rec.Timestamp > before || covered(sealed, rec.Timestamp) {
			e := &entry{buf: append(make([]byte, recordHeader), payload...), sum: checksum(payload), timestamp: rec.Timestamp}
			lacking[rec.Timestamp] = e
			first, last = min(first, rec.Timestamp), max(last, rec.Timestamp)
		}
	})
	for _, d := range damaged { // a later commit follows: it was acknowledged
		w.o.Log.Error("a file of the second folder is damaged", "err", d)
	}
	for _, g := range sealed {
		if g.Last < first || g.First > last {
			continue
		}
		r, err := ReadSegment(g, nil)
		if err != nil {
			return err
		}
		r.each(func(rec *Record, _ []byte) { delete(lacking, rec.Timestamp) })
	}
	if len(lacking) == 0 {
		return nil
	}
	batch := make([]*entry, 0, len(lacking))
	for _, t := range slices.Sorted(maps.Keys(lacking)) {
		batch = append(batch, lacking[t])
	}
	w.o.Log.Info("submissions that only the second folder had", "file", g.Path, "records", len(batch))
	return w.addSegment(batch)
}

// covered reports whether a timestamp is within the range of a segment.
func covered(sealed []Segment, t int64) bool {
	return slices.ContainsFunc(sealed, func(g Segment) bool { return g.First <= t && t <= g.Last })
}

// addSegment makes a sealed segment of a batch that has timestamps.
func (w *writer) addSegment(batch []*entry) error {
	w.number++
	a, err := w.create(w.number, batch[0].timestamp-1)
	if err != nil {
		return err
	}
	var size int64
	for _, e := range batch {
		size += int64(len(e.buf))
	}
	buf := alignedBuffer(whole(size))
	a.sum = a.fill(buf, batch)
	if err := a.write(buf, true); err != nil {
		return errors.Join(err, a.discard())
	}
	w.used(a.number, a.sum.last)
	return w.seal(a, 0)
}
