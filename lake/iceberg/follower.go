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

// Config configures the Iceberg tables.
type Config struct {
	Catalog    catalog.Config
	Namespace  string        // of tables
	Restricted string        // namespace of tables that are readable with an extra permission only
	Keep       time.Duration // for which snapshots stay that are not current
}

// On reports whether Iceberg tables are configured.
func (c *Config) On() bool { return c.Catalog.Kind != "" && c.Catalog.Kind != catalog.None }

// Check returns an error if the configuration is invalid.
func (c *Config) Check() error {
	if !c.On() {
		return nil
	}
	if c.Namespace == "" || c.Restricted == "" || c.Namespace == c.Restricted {
		return errors.New("iceberg.namespace and iceberg.restricted-namespace have to be two different namespaces")
	}
	return c.Catalog.Check()
}

// Follower updates Iceberg tables to match the tables of an installation.
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
	awake chan struct{}              // notified of publications
}

// seen is the state of a table at the follower's last comparison.
type seen struct {
	snapshot int64 // that was current
	days     map[string]store.Identity
}

// Open returns a follower of an installation, or nil if no catalog is configured. From now on the installation
// notifies it of publications and asks it before replaced files are removed. Open sends no request to the catalog.
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

// published records a day that was published or removed. It returns at once.
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

// noted returns and clears the published days of a table.
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

// name returns the name of a table in the catalog.
func (f *Follower) name(t *schema.Table, p place) *catalog.Name {
	namespace := f.config.Namespace
	if t.Restricted {
		namespace = f.config.Restricted
	}
	return &catalog.Name{Namespace: namespace, Table: t.Name, Files: p}
}

// Holds returns the files of a day that snapshots may name. It implements lake.Retainer.
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

// Release commits what was published of some tables, which also ends the snapshots that name files with rows of forgotten
// clients. It implements lake.Retainer.
func (f *Follower) Release(ctx context.Context, tables []string) {
	ctx, stop := context.WithTimeout(ctx, attendTime)
	defer stop()
	f.flush(ctx, tables)
}

// Options select the tables and days to compare.
type Options struct {
	Tables []string // nil: all
	Whole  bool     // all days, not only those that may have changed
}

// Result describes the work for a table.
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

// Committed reports whether there is a new snapshot.
func (r *Result) Committed() bool { return len(r.Days) > 0 }

// Sync updates the tables to match the published partitions. A failure of one table does not affect the
// others: the error joins all.
func (f *Follower) Sync(ctx context.Context, o Options) (all []Result, err error) {
	for _, t := range f.site.Tables {
		if len(o.Tables) > 0 && !slices.Contains(o.Tables, t.Name) || t.Internal() {
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
