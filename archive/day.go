package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Day holds the pings of one document type that arrived on one day, as they were when it was opened: later
// loads do not change it. But a later load may replace files, which are then deleted; reading them fails with
// an error that matches fs.ErrNotExist, and the day must be opened again. It is safe for concurrent use.
type Day struct {
	bucket store.Bucket
	files  []*dayFile // sorted by name
	pools  rowfile.Pools
}

// dayFile is one data file of a day.
type dayFile struct {
	LoadFile

	rows *rowfile.File
}

func newDayFile(f LoadFile) *dayFile {
	d := &dayFile{LoadFile: f}
	d.rows = &rowfile.File{Name: f.Name, Footer: f.Footer, Failed: d.unreadable}
	if name, ok := naming.PreparedOf(f.Name); ok && f.Prepared {
		d.rows.Prepared = &rowfile.PreparedName{Name: name, Data: f.SHA256}
	}
	return d
}

// OpenDay opens the pings of a day. If the archive has none the error matches
// fs.ErrNotExist; if it has not all that it should, a *DamageError.
func OpenDay(ctx context.Context, b store.Bucket, day ping.Day, docType ping.DocType) (*Day, error) {
	if !naming.ValidDay([]byte(day)) {
		return nil, fmt.Errorf("open archive day %q: not a day", day)
	}
	return open(ctx, b, partition{day, docType, rowfile.Pings})
}

func open(ctx context.Context, b store.Bucket, p partition) (*Day, error) {
	files, err := listPartition(ctx, b, p)
	if IsDamage(err) {
		return nil, err // it names the day
	}
	if err != nil {
		return nil, fmt.Errorf("open archive day %s: %w", p.dir(), err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("open archive day %s: %w", p.dir(), fs.ErrNotExist)
	}
	d := &Day{bucket: b}
	for _, f := range files {
		d.files = append(d.files, newDayFile(f))
	}
	return d, nil
}

// listPartition lists the files of a partition by name. Damage is an error.
func listPartition(ctx context.Context, b store.Bucket, p partition) ([]LoadFile, error) {
	l, err := listFiles(ctx, b, p.dir()+"/")
	if err == nil {
		err = joinDamage(l.damage)
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(l.files, func(f LoadFile) bool { return !f.in(p) }), nil
}

// With returns a day with the pings of both.
func (d *Day) With(o *Day) *Day {
	return &Day{bucket: d.bucket, files: slices.Concat(d.files, o.files)}
}

// Files returns the number of the day's files.
func (d *Day) Files() int { return len(d.files) }

// Names returns the names of the day's files, for Writer.Replace.
func (d *Day) Names() []string {
	names := make([]string, len(d.files))
	for i, f := range d.files {
		names[i] = f.Name
	}
	return names
}

// Rows returns the number of pings.
func (d *Day) Rows() int64 {
	return d.sum(func(f *dayFile) int64 { return f.Rows })
}

// Bytes returns the size of the day's files.
func (d *Day) Bytes() int64 {
	return d.sum(func(f *dayFile) int64 { return f.LoadFile.Bytes })
}

// RawBytes returns the size of the pings' JSON.
func (d *Day) RawBytes() int64 {
	return d.sum(func(f *dayFile) int64 { return f.Raw })
}

func (d *Day) sum(count func(*dayFile) int64) (n int64) {
	for _, f := range d.files {
		n += count(f)
	}
	return n
}

// Generation names the state of the day: a hash over the names and sizes of
// its files, and so over the loads in it.
func (d *Day) Generation() string {
	files := make([]LoadFile, len(d.files))
	for i, f := range d.files {
		files[i] = f.LoadFile
	}
	return generationOf(files)
}

// GenerationBefore returns the Generation without the files of a load, "" if there are no others.
func (d *Day) GenerationBefore(load string) string {
	rest := d.OfLoads(func(other string) bool { return other != load })
	if rest == nil {
		return ""
	}
	return rest.Generation()
}

// generationOf returns the generation of a day with these files, sorted by name.
func generationOf(files []LoadFile) string {
	h := sha256.New()
	for _, f := range standing(files) {
		fmt.Fprintf(h, "%s\x00%d\n", f.Name, f.Bytes)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// DayInfo sums up one partition of the archive, by the records of its loads.
type DayInfo struct {
	Day     ping.Day     // "" for rejected submissions of no known day
	DocType ping.DocType // "" for rejected submissions
	Files   int
	Compact int // of Files
	Rows    int64
	Bytes   int64 // of the files
	Raw     int64 // of the bodies, uncompressed
	Damage  error // nil: none
}

// Days lists the days and document types of the archive, sorted by both. It includes damaged days as they were
// written.
func Days(ctx context.Context, b store.Bucket) ([]DayInfo, error) {
	return days(ctx, b, naming.Pings+"/")
}

// ErrorDays lists the days that have rejected submissions.
func ErrorDays(ctx context.Context, b store.Bucket) ([]DayInfo, error) {
	return days(ctx, b, naming.Errors+"/")
}

func days(ctx context.Context, b store.Bucket, prefix string) ([]DayInfo, error) {
	l, err := listFiles(ctx, b, prefix)
	if err != nil {
		return nil, fmt.Errorf("list archive days: %w", err)
	}
	sums := map[[2]string]*DayInfo{}
	add := func(f *LoadFile, damage error) {
		k := [2]string{f.Day, f.DocType}
		d := sums[k]
		if d == nil {
			d = &DayInfo{Day: ping.Day(f.Day), DocType: ping.DocType(f.DocType)}
			sums[k] = d
		}
		d.Files++
		if f.Compact {
			d.Compact++
		}
		d.Rows += f.Rows
		d.Bytes += f.Bytes
		d.Raw += f.Raw
		d.Damage = cmp.Or(d.Damage, damage)
	}
	for i := range l.files {
		add(&l.files[i], nil)
	}
	for _, e := range l.damage {
		if e.File != nil {
			add(e.File, e)
		}
	}
	for _, d := range sums { // a record may have named files of any type
		for _, e := range l.damage {
			if e.File == nil && (e.Day == "" || e.Day == d.Day) {
				d.Damage = cmp.Or[error](d.Damage, e)
			}
		}
	}
	all := make([]DayInfo, 0, len(sums))
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) }) {
		all = append(all, *sums[k])
	}
	return all, nil
}

// Loads names the loads that have files of the day, sorted.
func (d *Day) Loads() (names []string) {
	for _, f := range d.files {
		load, _ := naming.LoadOf(f.Name)
		names = append(names, load)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// OfLoads returns the part of the day from the loads for which has returns true, nil if it is empty.
func (d *Day) OfLoads(has func(load string) bool) *Day {
	part := &Day{bucket: d.bucket}
	for _, f := range d.files {
		if load, _ := naming.LoadOf(f.Name); has(load) {
			part.files = append(part.files, f)
		}
	}
	if part.files == nil {
		return nil
	}
	return part
}
