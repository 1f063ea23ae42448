// Package jobs shows a calendar of partitions and the runs of the ledger. People with the right Operate can start and
// end runs. A person without a table's grant sees nothing of it, neither in counts nor in texts.
package jobs

import (
	"context"
	"log/slog"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/site"
)

// Options configures the operations and the runs that they start.
type Options struct {
	Site     *site.Site
	Spool    string // the folder of the spool
	Workers  int    // 0: one for each core
	Checks   check.Options
	Code     string          // version of the program, for the ledger
	Progress func(job.Event) // called with events of runs started here; nil: none
	clock.Clock
	Log *slog.Logger
}

// Jobs serves the operations and holds the requests for runs.
type Jobs struct {
	Options
	calendars calendars
	queue     queue
}

// New returns Jobs without requests. Run executes them.
func New(o Options) *Jobs { return &Jobs{Options: o, queue: newQueue()} }

// Register adds the operations.
func (j *Jobs) Register(a huma.API) {
	api.Do(a, "GET /jobs/calendar", "The state of each table on each day", api.Member, j.calendar)
	api.Do(a, "GET /jobs/runs", "Runs, newest first, those that wait or are under way on top", api.Member, j.list)
	api.Do(a, "POST /jobs/runs", "Make tables of days (again), behind the runs that wait already", access.Operate, j.begin,
		func(o *huma.Operation) { o.DefaultStatus = 202 })
	api.Do(a, "GET /jobs/runs/{id}", "One run with its partitions", api.Member, j.get)
	api.Do(a, "DELETE /jobs/runs/{id}", "End a run that was begun here", access.Operate, j.end)
	api.Do(a, "GET /jobs/runs/{id}/tasks", "The tasks of one partition of a run", api.Member, j.tasks)
	api.Do(a, "GET /jobs/runs/{id}/log", "What a run had to say", api.Member, j.log)
}

func noRun() error { return huma.Error404NotFound("there is no such run") }

// ID is the input of operations on one run.
type ID struct {
	ID string `path:"id" maxLength:"20" doc:"its number, or q and eight digits of one that has none yet"`
}

// sightOf returns what the person of a request may see.
func (j *Jobs) sightOf(ctx context.Context) sight { return sight{access.From(ctx), j.Site.Tables} }
