package queryservice

import (
	"context"
	"errors"
	"io"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// Plan describes what a request would read and the columns of its result.
type Plan struct {
	Reads   Reads            `json:"reads"`
	Columns []ResultColumn   `json:"columns" nullable:"false"`
	Notes   []string         `json:"notes" nullable:"false" doc:"what its author should know"`
	Rounded []presto.Rounded `json:"rounded" nullable:"false" doc:"literals that make a quotient a decimal of few digits"`
}

var errPlanned = errors.New("planned")

// Plan returns what a request would read and its columns, without running it. The error is a *Failure if the request
// would be refused.
func (d *Service) Plan(ctx context.Context, p *access.Person, request Request) (plan Plan, err error) {
	text, err := d.expand(ctx, p, &request)
	if err != nil {
		return plan, err
	}
	release, err := d.plans.Acquire(ctx, p.ID, nil)
	if err != nil {
		return plan, err
	}
	defer release()
	r, err := catalog.Granted(ctx, d.Site, p, request.Dialect, text.SQL)
	if err != nil {
		return plan, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.Person, r.Format, r.Limits, r.Verify = p.ID, query.FormatArrow, d.limits(p, &request), nil
	r.Allow = func(_ context.Context, found worker.Plan) error {
		scans := found.Reads(r.Views)
		plan.Reads, plan.Notes = *readsOf(found, r.Views), append([]string{}, guard.Notes(scans)...)
		plan.Notes = append(plan.Notes, limitRows(d.Site.Tables, p, uses(nil, r.Views, found))...)
		return refusal(d.guard(p).Check(scans))
	}
	_, err = start(ctx, d.runner, r, io.Discard, func(e worker.Event) {
		if c, ok := e.(worker.Columns); ok {
			plan.Columns, plan.Rounded = columnsOf(c.List), append([]presto.Rounded{}, c.Rounded...)
			cancel(errPlanned) // the worker has only begun to run it
		}
	})
	d.runner.Warm()
	if err == nil || errors.Is(err, errPlanned) {
		return plan, nil
	}
	if e := ctx.Err(); e != nil {
		return plan, e
	}
	return plan, d.failure(err, &activeQuery{person: p, text: text})
}
