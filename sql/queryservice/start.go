package queryservice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
)

// start runs a statement of a person in a worker. Every statement passes here, whichever protocol it came by: a test in
// tools/rules finds another call. A statement over tables of the lake must have a limit on what it reads, and one over
// made-up tables reads nothing else.
func start(ctx context.Context, r *worker.Runner, q worker.Request, out io.Writer, observe func(worker.Event)) (worker.Summary, error) {
	if q.Person == "" || q.Limits.Time < 0 || (q.Allow == nil) == (q.Setup == "") {
		return worker.Summary{}, errors.New("start a query: it has no person or no limit on what it reads")
	}
	return r.Run(ctx, q, out, observe)
}

// CatalogQuery is a statement in DuckDB's SQL over tables that a protocol makes up for a client's questions about the
// catalog.
type CatalogQuery struct {
	SQL    string
	Setup  string      // trusted statements that make the tables
	Grants gate.Grants // the tables and functions that Setup makes and SQL may use
}

// Limits of a catalog query. They are lower than those of other queries, and it has slots of its own, so that a client's
// \d does not wait for queries.
const (
	catalogTime    = 20 * time.Second
	catalogMemory  = 256 << 20
	catalogSpill   = 64 << 20
	catalogThreads = 1
	catalogSlots   = 2
	catalogWaiting = 100
	catalogRows    = 200_000
	// CatalogBytes is the maximum size of the result.
	CatalogBytes = 8 << 20
)

// ErrCatalogResult means that the result of a catalog query is too large for memory.
var ErrCatalogResult = fmt.Errorf("the answer about the catalog has more than %d rows or %d MiB", catalogRows, CatalogBytes>>20)

func catalogRunner(c Config) *worker.Runner {
	return &worker.Runner{
		Temp: c.Temp, Log: c.Log, Threads: catalogThreads, Memory: catalogMemory,
		Queue: queue.New(queue.Options{Slots: catalogSlots, PerPerson: 1, Waiting: catalogWaiting}),
	}
}

// Catalog runs a catalog query and writes its result to out as an Arrow stream. The result is not stored.
func (d *Service) Catalog(ctx context.Context, p *access.Person, q CatalogQuery, out io.Writer) error {
	s, err := start(ctx, d.catalog, worker.Request{
		SQL: q.SQL, Dialect: query.DuckDB, Person: p.ID, Setup: q.Setup, Grants: q.Grants, Format: query.FormatArrow,
		Limits: worker.Limits{
			Threads: catalogThreads, Memory: catalogMemory, CPU: catalogTime, Time: catalogTime, Rows: catalogRows, Bytes: CatalogBytes,
			Spill: catalogSpill,
		},
	}, out, nil)
	go d.catalog.Warm() // tools run several in a row
	if err == nil && s.Cut != "" {
		err = ErrCatalogResult
	}
	return err
}

// ReleaseCatalog ends the process that waits for the next catalog query.
func (d *Service) ReleaseCatalog() { d.catalog.Close() }
