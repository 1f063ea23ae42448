package queryservice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/database"
)

// Auditor writes the audit log of restricted tables.
type Auditor interface {
	Record(ctx context.Context, e access.Entry) error
}

// Options has the limits that apply to everybody.
type Options struct {
	Queue     queue.Options
	Limits    worker.Limits // of a query; Rows and Bytes limit a result for a page
	Guard     guard.Set     // limits on what a query reads
	Keep      time.Duration // how long results are stored
	Spill     int64         // bytes of temporary data on disk of all queries together
	KeepBytes int64         // bytes of all stored results together; the oldest are removed first
}

// Config configures a Service.
type Config struct {
	Options
	Site  *site.Site
	Place database.Place // of the history; results/ is in its folder
	Temp  string         // for the workers' temporary folders
	Audit Auditor
	// People, if not nil, returns a person's present rights. They are checked when a query runs and when its result is
	// read.
	People Accounts
	// SavedQuery, if not nil, returns a saved query that the person may see, else ErrNotFound.
	SavedQuery func(ctx context.Context, p *access.Person, id string) (*SavedQuery, error)

	Now func() time.Time
	Log *slog.Logger
}

// Service queues the queries of people, runs them in workers and stores their results. It is safe
// for concurrent use.
type Service struct {
	Config

	db      *sql.DB
	server  string // name of this one; "" unless several share the history
	results results
	queue   *queue.Queue
	plans   *queue.Queue
	runner  *worker.Runner
	catalog *worker.Runner // of catalog queries
	sharing sharing
	lacking sync.Map // worker.Lacking values that were logged

	mu           sync.Mutex
	active       map[string]*activeQuery
	personLimits map[string]int // concurrent queries by person; 0 means the default
	closed       bool
	work         sync.WaitGroup
	starting     context.Context
	stop         context.CancelCauseFunc
}

// Errors of a Service.
var (
	// ErrNotFound means the query does not exist or the caller may not see it.
	ErrNotFound = errors.New("there is no such query")
	// ErrFull means the queue is full.
	ErrFull = queue.ErrFull
	// ErrNoResult means the query has not ended, or ended without a result.
	ErrNoResult = errors.New("the query has no result")
	// ErrResultRemoved means the result was removed.
	ErrResultRemoved = errors.New("the result was removed: run the query again")
	// ErrDamaged means the file of the result is damaged.
	ErrDamaged = errors.New("the result is damaged: run the query again")

	errCancelled = errors.New("cancelled")
	errClosed    = errors.New("the server was stopped")
)

// Open opens history and results. It marks queries that an earlier process of this server did not finish as failed.
func Open(ctx context.Context, c Config) (*Service, error) {
	db, err := database.Open(ctx, c.Place, "queries", migrations...)
	if err != nil {
		return nil, err
	}
	server, err := nameOf(c.Place)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	d := &Service{
		Config: c, db: db, server: server, results: results{dir: filepath.Join(c.Place.Dir, "results")}, active: map[string]*activeQuery{},
		personLimits: map[string]int{},
		runner:       &worker.Runner{Temp: c.Temp, Log: c.Log, Threads: c.Limits.Threads, Memory: c.Limits.Memory, Spill: c.Spill},
		catalog:      catalogRunner(c),
		plans:        queue.New(queue.Options{Slots: max(1, c.Queue.Slots), PerPerson: 1, Waiting: c.Queue.Waiting}),
	}
	if server != "" {
		d.results.own = fmt.Sprintf(".%08x", crc32.ChecksumIEEE([]byte(server)))
	}
	o := c.Queue
	o.PersonLimit = d.personLimit
	d.queue = queue.New(o)
	d.starting, d.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := errors.Join(report(ctx, d), d.recover(ctx), d.forget(ctx), d.results.open()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	d.results.sweep(c.Now(), c.Keep, c.KeepBytes)
	d.runner.Tidy()
	if server != "" {
		d.work.Go(func() { beat(d.starting, d) })
	}
	return d, nil
}

// Close cancels all queries, waits for them, and closes the database. Running queries fail.
func (d *Service) Close() error {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.stop(errClosed)
	d.work.Wait()
	d.runner.Close()
	d.catalog.Close()
	return d.db.Close()
}

// personLimit returns how many queries of a person may run at once; 0 means the default.
func (d *Service) personLimit(person string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.personLimits[person]
}

// limits returns the limits of a person's request.
func (d *Service) limits(p *access.Person, q *Request) worker.Limits {
	l := d.Limits
	if p.Limits.Rows > 0 {
		l.Rows = int64(p.Limits.Rows)
	}
	if q.Whole {
		l.Rows, l.Bytes = int64(p.Limits.Rows), d.KeepBytes/2
	}
	if q.Rows > 0 && (l.Rows == 0 || q.Rows < l.Rows) {
		l.Rows = q.Rows
	}
	return l
}

// guard returns the limits on what a person's query may read.
func (d *Service) guard(p *access.Person) guard.Set {
	g := d.Guard
	for _, own := range []struct {
		to   *int
		from int
	}{{&g.Large.All, p.Limits.Days}, {&g.Large.Sampled, p.Limits.SampledDays}, {&g.Files, p.Limits.Files}} {
		if own.from > 0 {
			*own.to = own.from
		}
	}
	if p.Limits.Days > 0 || p.Limits.SampledDays > 0 {
		g.Small = 0 // they are meant for this person
	}
	if p.Limits.Bytes > 0 {
		g.Bytes = p.Limits.Bytes
	}
	return g
}
