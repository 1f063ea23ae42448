package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// roundInterval is the interval of checks for due schedules.
const roundInterval = 20 * time.Second

// openSchedules creates the part that runs saved queries on schedule.
func (s *Server) openSchedules() *alert.Sender {
	s.Alerts.Now, s.Alerts.Wait = s.Now, s.Wait
	sender := alert.New(s.Alerts)
	s.Schedules = &saved.Scheduler{
		Store: s.Saved, People: s.Access, Executor: executor{s.QueryService, s.Log}, Sender: sender, URL: s.URL, Holder: uuid.NewString(),
		Log: s.Log, Count: s.Count,
	}
	s.parts = append(s.parts, func(ctx context.Context) error { return s.Schedules.Run(ctx, roundInterval) })
	return sender
}

// executor submits the queries of schedules to the query service.
type executor struct {
	service *queryservice.Service
	log     *slog.Logger
}

var errNotAsked = errors.New("the query could not be run: the log of the service says why")

// RunQuery runs a query as a person and waits for its end. It cancels the query if ctx ends.
func (a executor) RunQuery(ctx context.Context, p *access.Person, q saved.Question) (answer saved.Answer, err error) {
	submitted, err := a.service.Submit(ctx, p, queryservice.Request{
		SQL: q.SQL, Dialect: query.Dialect(q.Dialect), Declared: q.Declared, Parameters: q.Parameters, Saved: q.Saved, Scheduled: true})
	for err == nil && !submitted.State.Ended() {
		if submitted, err = a.service.Wait(ctx, p, submitted.ID, time.Minute); err == nil {
			err = ctx.Err()
		}
	}
	answer.Query, answer.Rows = submitted.ID, submitted.Rows
	switch failure := (*queryservice.Failure)(nil); {
	case ctx.Err() != nil:
		return answer, errors.Join(ctx.Err(), a.service.Cancel(context.WithoutCancel(ctx), p, submitted.ID))
	case errors.As(err, &failure), errors.Is(err, queryservice.ErrFull):
		return answer, err
	case err != nil:
		return answer, a.unexpected(q, err)
	case submitted.State != queryservice.Done && submitted.Error != nil:
		return answer, submitted.Error
	case submitted.State != queryservice.Done:
		return answer, fmt.Errorf("the query was %s", submitted.State)
	}
	for _, c := range submitted.Columns {
		answer.Columns = append(answer.Columns, c.Name)
	}
	if err := a.read(ctx, p, q, &answer); err != nil {
		return answer, a.unexpected(q, err)
	}
	return answer, nil
}

// read reads the first row of the result, and the rows for mails.
func (a executor) read(ctx context.Context, p *access.Person, q saved.Question, answer *saved.Answer) error {
	r, err := a.service.Result(ctx, p, answer.Query)
	if err != nil {
		return err
	}
	err = r.Each(0, 1, func(row []any) error {
		answer.First = append([]any{}, row...)
		return nil
	})
	if err == nil && q.Rows {
		answer.Attachment, err = attachment(r)
	}
	return errors.Join(err, r.Close())
}

// mostAttached is the number of bytes of CSV in a mail.
const mostAttached = 1 << 20

// noneAttached is the text of a mail whose result must not leave the access control.
const noneAttached = "no rows: the query reads a restricted table, or one of which its owner may read only a part"

// attachment returns the rows of a result for mails: whole rows of at most mostAttached bytes, as for spreadsheets.
func attachment(r *queryservice.Result) (*alert.Attachment, error) {
	if !r.Free() {
		return &alert.Attachment{Text: noneAttached}, nil
	}
	csv, rows, err := r.Spreadsheet(mostAttached)
	text := fmt.Sprintf("rows: %d", rows)
	switch {
	case err != nil:
		return nil, err
	case rows < r.Rows():
		text = fmt.Sprintf("the first %d of %d rows", rows, r.Rows())
	case r.Query.Cut != "":
		text = fmt.Sprintf("the first %d rows, where a limit ended the result", rows)
	}
	return &alert.Attachment{Text: text, CSV: csv}, nil
}

// unexpected logs an internal error and returns one without details for people.
func (a executor) unexpected(q saved.Question, err error) error {
	a.log.Error("run a schedule", "query", q.Saved, "err", err)
	return errNotAsked
}
