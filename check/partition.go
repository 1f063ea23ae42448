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
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
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
	// Path is the name of a file in the table's bucket.
	Path func(file string) string
	// Kept are published files of the partition that are not checked: of
	// samples that are not made again, or of pings that are not in the archive yet.
	Kept []lake.File
	// Staged says that the files are not published yet.
	Staged bool
	// Workers is how many ranges are looked at at a time; 0: one for each core.
	Workers int

	day   *archive.Day // nil: the archive has no pings of the type
	input *fileSet     // the rows that the partition is made from; nil: it is made from pings
	kept  *openFiles   // of a single range
}

// RunPublished is Run of the published partition of a day. A day that was not
// published matches fs.ErrNotExist.
func RunPublished(ctx context.Context, d *site.Data, footers *lake.Footers, table, day string, checks []Check, skip []string) ([]Result, error) {
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
	p := &Partition{Data: d, Footers: footers, Table: t, Day: day, Inputs: m.Inputs}
	p.Path = t.Paths(ctx, m)
	for _, f := range m.Files {
		if f.OpenFor == "" {
			p.Files = append(p.Files, f)
		} else {
			p.Kept = append(p.Kept, f)
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

// whole says that the partition has all samples, finished.
func (p *Partition) whole() bool {
	n := 0
	for _, r := range p.Parts {
		n += r.Hi - r.Lo + 1
	}
	return n == job.NoClient+1 && len(p.Kept) == 0
}

// Rows is how many rows the files have.
func (p *Partition) Rows() (n int64) {
	for _, f := range p.Files {
		n += f.Rows
	}
	return n
}

// files is the partition's own files.
func (p *Partition) files() *fileSet {
	return &fileSet{table: p.Table.Schema, bucket: p.Table.Bucket(), files: p.Files, path: p.Path, footers: p.Footers, open: p.kept}
}

// open opens the inputs of the partition. changed, if not empty, says how they
// differ from the present ones.
func (p *Partition) open(ctx context.Context) (changed string, err error) {
	t := p.Table.Schema
	if t.DocType != "" {
		state := "none"
		p.day, err = archive.OpenDay(ctx, p.Data.Archive, ping.Day(p.Day), t.Kind())
		switch {
		case err == nil:
			state = p.day.Generation()
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		return p.sameInput(t.Source(), state), nil
	}
	for _, need := range t.Needs {
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
		p.input = &fileSet{table: lt.Schema, bucket: lt.Bucket(), files: m.Files, path: lt.Paths(ctx, m), footers: p.Footers}
		if changed := p.sameInput(need, m.Generation); changed != "" {
			return changed, nil
		}
	}
	return "", nil
}

// sameInput says if an input has another generation than it had.
func (p *Partition) sameInput(name, generation string) string {
	same := func(i lake.Input) bool { return i.Name == name && i.Generation == generation }
	if slices.ContainsFunc(p.Inputs, same) {
		return ""
	}
	return fmt.Sprintf("%s has changed since the partition was made: run %s again", name, p.Table.Schema.Name)
}

// only is the partition with a single one of its ranges, for one goroutine. Its
// files stay open from check to check, until close.
func (p *Partition) only(r job.Samples) *Partition {
	one := *p
	one.Parts, one.kept = []job.Samples{r}, &openFiles{files: map[string]*lake.FileReader{}}
	if p.input != nil {
		input := *p.input
		input.open = one.kept
		one.input = &input
	}
	return &one
}

func (p *Partition) close() error { return p.kept.close() }

// parts calls do for each range of samples and puts the findings together.
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

// add adds the finding of another range.
func (f *Finding) add(o Finding) {
	f.Total += o.Total
	f.Rows = append(f.Rows, o.Rows[:min(len(o.Rows), MaxRows-len(f.Rows))]...)
}

// limit is how many ranges are looked at at a time.
func (p *Partition) limit() int {
	if p.Workers > 0 {
		return p.Workers
	}
	return runtime.GOMAXPROCS(0)
}
