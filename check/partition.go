package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
)

// Partition is the subject of a check: the files of one day of a table.
type Partition struct {
	Data    *site.Data    // that checks read beside it
	Footers *lake.Footers // of the files that are read; nil: none are kept
	Table   *lake.Table
	Day     string // YYYYMMDD

	Files  []lake.File
	Parts  []job.Samples // ranges of samples that the files hold
	Inputs []lake.Input  // what they were made from
	// LeftOut counts, by column, the values that the rows lack because they exceeded a bound.
	LeftOut map[string]int64
	// Path returns the name of a file in the table's bucket.
	Path func(file string) string
	// Unchecked lists published files of the partition that are not checked: files of samples that are not made again,
	// or of pings that are not in the archive yet.
	Unchecked []lake.File
	// Staged means that the files are not published yet.
	Staged bool
	// Workers is the number of ranges that are checked concurrently; 0 means one for each core.
	Workers int
	// Share returns a day of the archive whose footers are read already, or else the given one; nil: none.
	Share func(*archive.Day) *archive.Day

	day       *archive.Day // nil: the archive has no pings of the type
	input     *fileSet     // the rows that the partition is made from; nil: it is made from pings
	unchecked *openFiles   // of a single range
}

// RunPublished runs the checks on the published partition of a day. If the day was not published, the error
// matches fs.ErrNotExist.
func RunPublished(ctx context.Context, d *site.Data, footers *lake.Footers, table, day string, checks []Check, skip []string) ([]Result,
	error) {
	p, err := published(ctx, d, footers, table, day)
	if err != nil {
		return nil, err
	}
	return Run(ctx, p, checks, skip)
}

func published(ctx context.Context, d *site.Data, footers *lake.Footers, table, day string) (*Partition, error) {
	t, err := d.Table(table)
	if err != nil {
		return nil, err
	}
	m, err := t.Partition(ctx, day)
	if err != nil {
		return nil, err
	}
	p := &Partition{Data: d, Footers: footers, Table: t, Day: day, Inputs: m.Inputs, LeftOut: m.LeftOut}
	p.Path = t.Paths(ctx, m)
	for _, f := range m.Files {
		if f.OpenFor == "" {
			p.Files = append(p.Files, f)
		} else {
			p.Unchecked = append(p.Unchecked, f)
		}
	}
	for _, part := range m.Parts {
		p.Parts = append(p.Parts, job.Samples{Lo: part.Lo, Hi: part.Hi})
	}
	if len(m.Parts) == 0 {
		p.Parts = []job.Samples{allSamples}
	}
	return p, nil
}

var allSamples = job.Samples{Lo: 0, Hi: job.NoClient}

// whole reports whether the partition has all samples and no unchecked files.
func (p *Partition) whole() bool {
	n := 0
	for _, r := range p.Parts {
		n += r.Hi - r.Lo + 1
	}
	return n == job.NoClient+1 && len(p.Unchecked) == 0
}

// Rows returns the number of rows in the files.
func (p *Partition) Rows() (n int64) {
	for _, f := range p.Files {
		n += f.Rows
	}
	return n
}

// files returns the partition's own files.
func (p *Partition) files() *fileSet {
	return &fileSet{table: p.Table.Schema, bucket: p.Table.Bucket(), files: p.Files, path: p.Path, footers: p.Footers, open: p.unchecked}
}

// open opens the inputs of the partition. changed, if not empty, describes how they differ from the present ones.
func (p *Partition) open(ctx context.Context) (changed string, err error) {
	t := p.Table.Schema
	if t.DocType != "" {
		found, err := origin.OpenPings(ctx, p.Data.Archive, t, p.Day)
		if err != nil {
			return "", err
		}
		if p.day = found.Day; p.day != nil && p.Share != nil {
			p.day = p.Share(p.day)
		}
		for _, in := range found.Inputs {
			if changed := p.sameInput(in.Name, in.Generation); changed != "" {
				return changed, nil
			}
		}
		return "", nil
	}
	if t.IsSnapshots() {
		return p.openSnapshot(ctx)
	}
	for i, need := range t.Needs {
		lt, err := p.Data.Table(need)
		if err != nil {
			return "", err
		}
		m, err := lt.Partition(ctx, p.Day)
		if errors.Is(err, fs.ErrNotExist) {
			return need + " of the day is not published", nil
		}
		if err != nil {
			return "", err
		}
		if i == 0 {
			p.input = &fileSet{table: lt.Schema, bucket: lt.Bucket(), files: m.Files, path: lt.Paths(ctx, m), footers: p.Footers}
		}
		in := origin.InputOf(t, lt.Schema, m)
		if changed := p.sameInput(in.Name, in.Generation); changed != "" {
			return changed, nil
		}
	}
	return "", nil
}

// sameInput reports whether an input has another generation than it had.
func (p *Partition) sameInput(name, generation string) string {
	same := func(i lake.Input) bool { return i.Name == name && i.Generation == generation }
	if slices.ContainsFunc(p.Inputs, same) {
		return ""
	}
	return fmt.Sprintf("%s has changed since the partition was made: run %s again", name, p.Table.Schema.Name)
}

// only returns the partition restricted to one range, for one goroutine. Its files remain open between checks
// until close.
func (p *Partition) only(r job.Samples) *Partition {
	one := *p
	one.Parts, one.unchecked = []job.Samples{r}, &openFiles{files: map[string]*lake.FileReader{}}
	if p.input != nil {
		input := *p.input
		input.open = one.unchecked
		one.input = &input
	}
	return &one
}

func (p *Partition) close() error { return p.unchecked.close() }

// parts calls do for each range of samples and merges the findings.
func (p *Partition) parts(ctx context.Context, do func(context.Context, job.Samples) (Finding, error)) (all Finding, err error) {
	for _, r := range p.Parts {
		f, err := do(ctx, r)
		if err != nil {
			return all, err
		}
		all.add(f)
	}
	return all, nil
}

// add merges the finding of another range.
func (f *Finding) add(o Finding) {
	f.Total += o.Total
	f.Rows = append(f.Rows, o.Rows[:min(len(o.Rows), MaxRows-len(f.Rows))]...)
}

// limit returns the number of ranges that are checked concurrently.
func (p *Partition) limit() int {
	if p.Workers > 0 {
		return p.Workers
	}
	return runtime.GOMAXPROCS(0)
}
