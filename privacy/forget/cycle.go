package forget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Cycle is one removal of the rows of forgotten clients from all files: its
// progress while it runs, and the record of it afterwards.
type Cycle struct {
	Format int       `json:"format"` // 1
	Began  time.Time `json:"began"`
	Ended  time.Time `json:"ended,omitzero"`

	// Requests lists the requests whose rows this cycle removes. After the cycle only their number and sources remain.
	Requests []string       `json:"requests,omitempty"`
	Made     int            `json:"requestsMade"` // requests there ever were when it began
	Clients  int            `json:"clients"`
	Sources  map[string]int `json:"sources,omitempty"` // requests
	Oldest   time.Time      `json:"oldest,omitzero"`   // request

	// Days lists the days to process; the first Done of them are finished. "" stands for rejected submissions
	// without a known day.
	Days []string `json:"days"`
	Done int      `json:"done"`

	Changes []Change `json:"changes,omitempty"`
	// Damaged lists the days of the archive that could not be read, with the reasons.
	Damaged []string `json:"damaged,omitempty"`
	// Unknown holds the folders of tables that were not known when the cycle began: their rows stay.
	Unknown []string `json:"unknown,omitempty"`
	// Newer lists the partitions that a newer version of the program made and this one cannot free of the clients.
	Newer []string `json:"newer,omitempty"`
	// Held says which tables have replaced files with rows of the clients that snapshots of Iceberg may name: all days are done,
	// and the cycle waits for them.
	Held []string `json:"held,omitempty"`
	// Loads of the archive did not know all requests when they began. They may be
	// many, and have an object of their own.
	Loads []string `json:"-"`
}

// Change sums up the removal from one partition.
type Change struct {
	Table   string `json:"table"` // or archive/TYPE, or errors
	Version string `json:"version,omitempty"`
	Day     string `json:"day"`
	Rows    int64  `json:"rows"`
	Files   int    `json:"files"` // written again or removed
	// Replaced are files of generations that were replaced before, which went before
	// the time that they are kept for queries was over.
	Replaced int `json:"replaced,omitempty"`
}

// Replaced returns the number of files of replaced generations that were removed before the end of their grace period.
func (c *Cycle) Replaced() (n int) {
	for _, ch := range c.Changes {
		n += ch.Replaced
	}
	return n
}

// Rows returns the number of removed rows.
func (c *Cycle) Rows() (n int64) {
	for _, ch := range c.Changes {
		n += ch.Rows
	}
	return n
}

const (
	cycleFormat = 1
	runningName = "running/v1/cycle.json"
	loadsName   = "running/v1/loads.json" // a Checked in the making
	cyclesDir   = "cycles/v1/"
	checkedName = "checked/v1/loads.json"
)

// Running returns the cycle that is under way or was cut short; nil if there is none. A damaged one counts as none: its
// requests are pending, and the next cycle begins with all days.
func (r *Registry) Running(ctx context.Context) (*Cycle, error) {
	c, err := r.cycle(ctx, runningName)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errState) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	loads, err := r.checked(ctx, loadsName)
	c.Loads = loads.Loads
	return c, err
}

func (r *Registry) cycle(ctx context.Context, name string) (*Cycle, error) {
	data, err := store.ReadFile(ctx, r.bucket, name)
	if err != nil {
		return nil, err
	}
	c, err := parseCycle(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", store.Place(r.bucket, name), err)
	}
	return c, nil
}

// SaveRunning keeps the progress of a cycle; its loads, which stay the same, at
// the beginning.
func (r *Registry) SaveRunning(ctx context.Context, c *Cycle) error {
	if c.Done == 0 {
		if err := r.saveChecked(ctx, loadsName, c); err != nil {
			return err
		}
	}
	return r.save(ctx, runningName, c)
}

func (r *Registry) saveChecked(ctx context.Context, name string, c *Cycle) error {
	data, err := json.Marshal(Checked{Format: cycleFormat, Requests: c.Made, Loads: c.Loads})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, r.bucket, name, data)
}

func (r *Registry) save(ctx context.Context, name string, c *Cycle) error {
	c.Format = cycleFormat
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, r.bucket, name, append(data, '\n'))
}

// timeName names the objects of a cycle that began at a time.
func timeName(t time.Time) string { return t.UTC().Format("20060102T150405.000000000Z") + ".json" }

// End keeps the record of a cycle that has ended, and which loads it has looked
// at that did not know all requests. Of what was found only the clients of waiting requests stay: the others are in reports.
func (r *Registry) End(ctx context.Context, c *Cycle, waiting []*Request) error {
	if err := r.Reports().dropFound(ctx, waiting); err != nil {
		return err
	}
	if err := r.saveChecked(ctx, checkedName, c); err != nil {
		return err
	}
	record := *c
	record.Requests = nil
	if err := r.save(ctx, cyclesDir+timeName(c.Began), &record); err != nil {
		return err
	}
	if err := r.stop(ctx); err != nil {
		return err
	}
	// What killed processes began to write has ids.
	return store.Tidy(ctx, r.bucket, "", c.Ended.Add(-time.Minute))
}

// Cycles returns the records of the cycles that have ended, oldest first, without damaged ones.
func (r *Registry) Cycles(ctx context.Context) (all []*Cycle, err error) {
	for e, err := range r.bucket.List(ctx, cyclesDir) {
		if err != nil {
			return nil, fmt.Errorf("list deletion cycles: %w", err)
		}
		c, err := r.cycle(ctx, e.Name)
		if errors.Is(err, errState) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Checked defines which loads of the archive a cycle has looked at although they did not know all requests when they
// began, and up to which number of requests.
type Checked struct {
	Format   int      `json:"format"` // 1
	Requests int      `json:"requests"`
	Loads    []string `json:"loads"`
}

// Recheck forgets which loads were looked at, and drops a cycle that was cut
// short: the next one begins with everything.
func (r *Registry) Recheck(ctx context.Context) error {
	if err := r.bucket.Delete(ctx, checkedName); err != nil {
		return err
	}
	return r.stop(ctx)
}

// Drop ends a cycle that has not looked at everything: no record of it is kept, and
// the next one begins with all days.
func (r *Registry) Drop(ctx context.Context) error { return r.stop(ctx) }

// stop forgets the cycle that is under way.
func (r *Registry) stop(ctx context.Context) error {
	if err := r.bucket.Delete(ctx, runningName); err != nil {
		return err
	}
	return r.bucket.Delete(ctx, loadsName)
}

// Checked returns the loads that the last cycle has looked at. Where the object is damaged there are none: the next cycle
// looks at all.
func (r *Registry) Checked(ctx context.Context) (Checked, error) { return r.checked(ctx, checkedName) }

func (r *Registry) checked(ctx context.Context, name string) (c Checked, err error) {
	data, err := store.ReadFile(ctx, r.bucket, name)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read %s: %w", name, err)
	}
	c, _ = parseChecked(data)
	return c, nil
}
