package tasks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Format is the version of Description's format. A program runs only tasks of its own format.
const Format = 1

// Description contains everything that a process needs for a task except the probe definitions: the process
// has its own, and their hash shows whether they are the same.
type Description struct {
	Format      int         `json:"format"`
	Table       string      `json:"table"`
	Day         string      `json:"day"`        // YYYYMMDD
	Generation  string      `json:"generation"` // of the partition that the files become part of
	Lo          int         `json:"lo"`         // samples, both inclusive; 100: of no client
	Hi          int         `json:"hi"`
	Inputs      []job.Input `json:"inputs"`
	Bytes       int64       `json:"bytes"` // of input: JSON of pings, or files of main_summary
	Definitions string      `json:"definitions"`
	Probes      string      `json:"probes"` // their hash
	Apps        []string    `json:"apps,omitempty"`
	Samples     []int       `json:"samples,omitempty"` // of a table of snapshots
	Writer      Writer      `json:"writer"`
	Roots       Roots       `json:"roots"`
}

// Roots names the places of the data: URLs of buckets, or paths.
type Roots struct {
	Archive    string `json:"archive"`
	Lake       string `json:"lake"`
	Pipeline   string `json:"pipeline"`
	Restricted string `json:"restricted"`
}

// Writer contains the options of the files.
type Writer struct {
	RowGroupRows  int      `json:"row_group_rows"`
	RowGroupBytes int64    `json:"row_group_bytes"`
	PageRows      int      `json:"page_rows"`
	FileRows      int      `json:"file_rows"`
	Bloom         []string `json:"bloom"`
}

// Describe returns the description of a task of an installation.
func Describe(s *site.Site, t etl.Task) (Description, error) {
	places, err := s.Places()
	if err != nil {
		return Description{}, err
	}
	d := Description{
		Format: Format, Table: t.Table, Day: t.Day, Generation: t.Generation, Lo: t.Lo, Hi: t.Hi, Inputs: t.Inputs, Bytes: t.Bytes,
		Definitions: t.Definitions, Probes: s.Probes.Hash(), Writer: Writer(t.Options), Roots: Roots(places),
	}
	table, err := schema.Find(s.Tables, t.Table)
	if err == nil {
		d.Apps = table.Apps
		if table.Snapshots != nil {
			d.Samples = table.Snapshots.Samples
		}
	}
	return d, err
}

// task returns the task for a worker.
func (d *Description) task() etl.Task {
	return etl.Task{
		Task:       job.Task{Table: d.Table, Day: d.Day, Lo: d.Lo, Hi: d.Hi, Bytes: d.Bytes},
		Generation: d.Generation, Inputs: d.Inputs, Definitions: d.Definitions, Options: lake.WriterOptions(d.Writer),
	}
}

// Unit returns the partition of the task.
func (d *Description) Unit() job.Unit { return job.Unit{Table: d.Table, Day: d.Day} }

// maxDescription is the largest accepted description, in bytes; a real one has about a thousand.
const maxDescription = 1 << 20

// Parse reads a description. If it has another format, the error reports that, whatever else it contains.
func Parse(line []byte) (d Description, err error) {
	if len(line) > maxDescription {
		return d, fmt.Errorf("it is larger than %d bytes and so no description of a task", maxDescription)
	}
	var version struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(line, &version); err != nil {
		return d, fmt.Errorf("it is no description of a task: %w", err)
	}
	if version.Format == nil {
		return d, errors.New("it is no description of a task: it has no format")
	}
	if *version.Format != Format {
		return d, fmt.Errorf("its format is %d, this program reads %d: plan and do tasks with the same version of pingmill", *version.Format,
			Format)
	}
	r := json.NewDecoder(bytes.NewReader(line))
	r.DisallowUnknownFields()
	if err := r.Decode(&d); err != nil {
		return d, fmt.Errorf("it cannot be read: %w", err)
	}
	return d, d.check()
}

var hexName = lazy.Regexp(`^[0-9a-f]{16}$`)

// most is the limit of the options of files, in rows and bytes: beyond it a task would not fit into memory.
const most = 1 << 30

// check returns an error if a description is invalid in itself.
func (d *Description) check() error {
	if _, err := job.ParseDay(d.Day); err != nil {
		return err
	}
	w := d.Writer
	in := func(n int64) bool { return n > 0 && n <= most }
	switch {
	case d.Table == "":
		return errors.New("it names no table")
	case !hexName().MatchString(d.Generation):
		return fmt.Errorf("generation %q is not 16 hexadecimal digits", d.Generation)
	case d.Lo < 0 || d.Hi > job.NoClient || d.Lo > d.Hi:
		return fmt.Errorf("samples %d to %d: not a range within 0 to %d", d.Lo, d.Hi, job.NoClient)
	case d.Bytes < 0:
		return fmt.Errorf("bytes: %d", d.Bytes)
	case len(d.Inputs) == 0:
		return errors.New("it names no inputs")
	case !in(int64(w.RowGroupRows)) || !in(w.RowGroupBytes) || !in(int64(w.PageRows)) || !in(int64(w.FileRows)) ||
		w.FileRows%w.RowGroupRows != 0:
		return fmt.Errorf("the options of its files cannot be meant: %+v", w)
	}
	return site.Roots(d.Roots).CheckPlaces()
}
