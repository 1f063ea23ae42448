package forget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Cycle is one removal of the rows of forgotten clients from all files: its
// progress while it runs, and the record of it afterwards.
type Cycle struct {
	// Format is 2 of a removal under way that servers can share. The record of one that has ended and a removal under way that
	// earlier versions began have 1: they do not know pieces and refuse to go on with 2.
	Format int       `json:"format"`
	Began  time.Time `json:"began"`
	Ended  time.Time `json:"ended,omitzero"`

	// Requests lists the requests whose rows this cycle removes. After the cycle only their number and sources remain.
	Requests []string       `json:"requests,omitempty"`
	Made     int            `json:"requestsMade"` // requests there ever were when it began
	Clients  int            `json:"clients"`
	Sources  map[string]int `json:"sources,omitempty"` // requests
	Oldest   time.Time      `json:"oldest,omitzero"`   // request

	// Days lists the days to process, and Done how many of them are finished. "" stands for rejected submissions
	// without a known day. What is stored of a removal under way has those days that were finished when it got Format 2, which
	// are the first ones, and all others are in its pieces; see Cycle.With.
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
	// Marked says of the record of a removal that what it found counts for later reports only if it is marked so.
	Marked bool `json:"marked,omitempty"`
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
	cycleFormat  = 1 // of records of removals, reports and what was found
	sharedFormat = 2 // of a removal under way
	pieceFormat  = 1
	runningDir   = "running/v1/"
	runningName  = runningDir + "cycle.json"
	loadsDir     = runningDir + "loads" // .json of format 1, else -OCCASION.json: a Checked in the making
	cyclesDir    = "cycles/v1/"
	checkedName  = "checked/v1/loads.json"
)

// loadsName names the object with the loads of a removal under way.
func (c *Cycle) loadsName() string {
	if c.Format < sharedFormat {
		return loadsDir + ".json"
	}
	return loadsDir + "-" + c.Occasion() + ".json"
}

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
	loads, err := r.checked(ctx, c.loadsName())
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

// Begin makes a cycle the one under way and returns it, or else the one that another server has begun meanwhile. It also takes over
// a cycle of an earlier version of the program, which cannot go on with it from then on.
func (r *Registry) Begin(ctx context.Context, c *Cycle) (*Cycle, error) {
	before, err := store.ReadFile(ctx, r.bucket, runningName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if other, err := parseCycle(before); err == nil && other.Format == sharedFormat {
		return r.Running(ctx)
	}
	c.Format = sharedFormat
	if err := r.saveChecked(ctx, c.loadsName(), c); err != nil { // they may be many, and stay the same
		return nil, err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", runningName, err)
	}
	err = r.bucket.CompareAndSwap(ctx, runningName, before, append(data, '\n'))
	if errors.Is(err, store.ErrChanged) {
		if other, err := r.Running(ctx); err != nil || other != nil {
			return other, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("begin a removal: %w", err)
	}
	return c, nil
}

func (r *Registry) saveChecked(ctx context.Context, name string, c *Cycle) error {
	data, err := json.Marshal(Checked{Format: cycleFormat, Requests: c.Made, Loads: c.Loads})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, r.bucket, name, data)
}

// timeName names the objects of a cycle that began at a time.
func timeName(t time.Time) string { return t.UTC().Format("20060102T150405.000000000Z") + ".json" }

// End keeps the record of a cycle that has ended, and which loads it has looked
// at that did not know all requests. Of what was found only the clients of waiting requests stay: the others are in reports.
func (r *Registry) End(ctx context.Context, c *Cycle, waiting []*Request) error {
	if err := r.Reports().dropFound(ctx, c, waiting); err != nil {
		return err
	}
	if err := r.saveChecked(ctx, checkedName, c); err != nil {
		return err
	}
	record := *c
	record.Format, record.Requests, record.Marked = cycleFormat, nil, true
	data, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("write the record of a removal: %w", err)
	}
	if err := store.WriteFile(ctx, r.bucket, cyclesDir+timeName(c.Began), append(data, '\n')); err != nil {
		return err
	}
	if err := r.Drop(ctx, c); err != nil {
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

// Recheck forgets which loads were looked at, and drops the cycle that is under way or was cut short, if there is one: the next one
// begins with everything.
func (r *Registry) Recheck(ctx context.Context, running *Cycle) error {
	if err := r.bucket.Delete(ctx, checkedName); err != nil || running == nil {
		return err
	}
	return r.Drop(ctx, running)
}

// Drop ends a cycle. If it has not looked at everything, no record of it is kept, and the next one begins with all days. A later
// cycle stays.
func (r *Registry) Drop(ctx context.Context, c *Cycle) error {
	data, err := store.ReadFile(ctx, r.bucket, runningName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if now, err := parseCycle(data); err == nil && now.Occasion() == c.Occasion() {
		if err := r.bucket.CompareAndSwap(ctx, runningName, data, nil); err != nil && !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
	var names []string
	for e, err := range r.bucket.List(ctx, runningDir) {
		if err != nil {
			return fmt.Errorf("list %s: %w", runningDir, err)
		}
		if e.Name != runningName && !laterThan(e.Name, c) {
			names = append(names, e.Name)
		}
	}
	for _, name := range names {
		if err := r.bucket.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// laterThan reports whether an object is of a cycle that began after another. The names of earlier versions have no occasion.
func laterThan(name string, c *Cycle) bool {
	for _, dir := range []string{loadsDir + "-", piecesDir, foundDir} {
		if rest, ok := strings.CutPrefix(name, dir); ok {
			began, _, _ := strings.Cut(rest, "-")
			ns, err := strconv.ParseInt(began, 10, 64)
			return err == nil && ns > c.Began.UnixNano()
		}
	}
	return false
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
