package iceberg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// Config says which Iceberg tables there are.
type Config struct {
	Catalog    catalog.Config
	Namespace  string        // of tables
	Restricted string        // namespace of tables that are readable with an extra permission only
	Keep       time.Duration // for which snapshots stay that are not current
}

// On says whether there are Iceberg tables.
func (c *Config) On() bool { return c.Catalog.Kind != "" && c.Catalog.Kind != catalog.None }

// Check says what is wrong with the configuration.
func (c *Config) Check() error {
	if !c.On() {
		return nil
	}
	if c.Namespace == "" || c.Restricted == "" || c.Namespace == c.Restricted {
		return errors.New("iceberg.namespace and iceberg.restricted-namespace have to be two different namespaces")
	}
	return c.Catalog.Check()
}

// Follower has Iceberg tables follow the tables of an installation.
type Follower struct {
	config  Config
	site    *site.Site
	catalog catalog.Catalog
	now     func() time.Time
	log     *slog.Logger
	counts  counts

	mu    sync.Mutex
	due   map[string]map[string]bool // days that were published here, by table
	seen  map[string]seen            // what was compared, by table
	awake chan struct{}              // is told of publications
}

// seen is what a follower knows of a table from its last comparison.
type seen struct {
	snapshot int64 // that was current
	days     map[string]store.Identity
}

// Open makes a follower of an installation, which tells it from now on what is published, and asks it
// before replaced files are removed. Nothing is asked of the catalog yet. It is nil if there is no catalog.
func Open(ctx context.Context, s *site.Site, c Config, now func() time.Time, log *slog.Logger) (*Follower, error) {
	if err := c.Check(); err != nil || !c.On() {
		return nil, err
	}
	cat, err := catalog.Open(ctx, c.Catalog)
	if err != nil {
		return nil, err
	}
	f := &Follower{
		config: c, site: s, catalog: cat, now: now, log: log,
		due: map[string]map[string]bool{}, seen: map[string]seen{}, awake: make(chan struct{}, 1),
	}
	s.OnPublish, s.Holder = f.published, f
	return f, nil
}

// Close closes the connections to the catalog.
func (f *Follower) Close() error { return f.catalog.Close() }

// published notes a day that was published, or removed. It takes no time.
func (f *Follower) published(t *schema.Table, day string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.due[t.Name] == nil {
		f.due[t.Name] = map[string]bool{}
	}
	f.due[t.Name][day] = true
	select {
	case f.awake <- struct{}{}:
	default:
	}
}

// noted takes the days of a table that were published.
func (f *Follower) noted(table string) (days []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for day := range f.due[table] {
		days = append(days, day)
	}
	delete(f.due, table)
	slices.Sort(days)
	return days
}

// name is that of a table in the catalog.
func (f *Follower) name(t *schema.Table, p place) *catalog.Name {
	namespace := f.config.Namespace
	if t.Restricted {
		namespace = f.config.Restricted
	}
	return &catalog.Name{Namespace: namespace, Table: t.Name, Files: p}
}

// Holds says which of the files of a day snapshots may name. It implements lake.Holder.
func (f *Follower) Holds(ctx context.Context, t *schema.Table, day string, files []string) ([]string, error) {
	r, err := readRecord(ctx, f.site.Roots[t.Root], t, day)
	if err != nil {
		return nil, fmt.Errorf("look which files of %s %s Iceberg snapshots name: %w", t.Name, day, err)
	}
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		_, named := r.Files[name]
		return !named
	}), nil
}

// Options say what of the tables is compared.
type Options struct {
	Tables []string // nil: all
	Whole  bool     // all days, not only those that may have changed
}

// Result is what was done for a table.
type Result struct {
	Table    string   `json:"table"`
	Name     string   `json:"name"`     // in the catalog
	Snapshot int64    `json:"snapshot"` // that is current
	Days     []string `json:"days,omitempty"`
	Added    int      `json:"added"` // files
	Removed  int      `json:"removed"`
	Expired  int      `json:"expired"` // snapshots
	Bytes    int64    `json:"bytes"`   // of metadata that was written
	Err      error    `json:"-"`
}

// Committed says whether there is a new snapshot.
func (r *Result) Committed() bool { return len(r.Days) > 0 }

// Sync makes the tables what is published. What fails for one table does not keep it from the others: the error joins all.
func (f *Follower) Sync(ctx context.Context, o Options) (all []Result, err error) {
	for _, t := range f.site.Tables {
		if len(o.Tables) > 0 && !slices.Contains(o.Tables, t.Name) {
			continue
		}
		r := f.follow(ctx, t, o.Whole)
		if r.Err != nil {
			r.Err = fmt.Errorf("iceberg table %s: %w", r.Name, r.Err)
		}
		all, err = append(all, r), errors.Join(err, r.Err)
	}
	return all, err
}

// follow makes one table what is published, and remembers what could not be.
func (f *Follower) follow(ctx context.Context, t *schema.Table, whole bool) Result {
	r := Result{Table: t.Name}
	lt := f.site.TableOf(t)
	p, err := placeOf(lt.Bucket())
	if err != nil {
		r.Err = err
		return r
	}
	n := f.name(t, p)
	r.Name = n.String()
	days := f.noted(t.Name)
	lock, err := f.site.LockFollowing(ctx, lt)
	if err != nil {
		f.note(t, days)
		r.Err = err
		return r
	}
	defer lock.Release()
	ctx, explain, stop := lock.While(ctx)
	defer stop()
	began := f.now()
	s := &syncing{Follower: f, table: lt, place: p, name: n, whole: whole, result: &r}
	if r.Err = explain(s.run(ctx, days)); r.Err != nil {
		f.note(t, days)
		r.Err = errors.Join(r.Err, s.failed(context.WithoutCancel(ctx), days))
	}
	f.counts.count(t.Name, &r, f.now().Sub(began))
	return r
}

// note gives back days that could not be compared.
func (f *Follower) note(t *schema.Table, days []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, day := range days {
		if f.due[t.Name] == nil {
			f.due[t.Name] = map[string]bool{}
		}
		f.due[t.Name][day] = true
	}
}
