package library

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/sql/saved"
)

// schedules adds the operations of schedules.
func (c Config) schedules(a huma.API) {
	api.Do(a, "GET /saved/targets", "Whom schedules can tell", api.Member, c.targets)
	api.Do(a, "GET /saved/{id}/schedule", "The schedule of a query", api.Member, c.schedule)
	api.Do(a, "PUT /saved/{id}/schedule", "Give a query of one's own a schedule, and start it", api.Member, c.setSchedule)
	api.Do(a, "DELETE /saved/{id}/schedule", "End the schedule of a query", api.Member, c.removeSchedule)
	api.Do(a, "GET /saved/{id}/runs", "The last runs of a schedule, the newest first", api.Member, c.runs)
}

type savedTargetsOut struct {
	Body struct {
		Kinds []string `json:"kinds" nullable:"false" doc:"webhook, mail, as far as the configuration has them"`
		Rows  bool     `json:"rows" doc:"mails may have the rows of a result"`
	}
}

func (c Config) targets(context.Context, *struct{}) (*savedTargetsOut, error) {
	o := &savedTargetsOut{}
	o.Body.Kinds, o.Body.Rows = c.Sender.Kinds(), c.Sender.Mail.Rows
	return o, nil
}

type scheduleOut struct {
	Cache string `header:"Cache-Control"`
	Body  saved.Scheduled
}

func scheduled(s *saved.Scheduled, err error) (*scheduleOut, error) {
	if err != nil {
		return nil, problem(err)
	}
	return &scheduleOut{"no-store", *s}, nil
}

func (c Config) schedule(ctx context.Context, in *idIn) (*scheduleOut, error) {
	return scheduled(c.Store.Schedule(ctx, access.From(ctx), in.ID))
}

type scheduleIn struct {
	ID   string `path:"id" maxLength:"100"`
	Body saved.Schedule
}

func (c Config) setSchedule(ctx context.Context, in *scheduleIn) (*scheduleOut, error) {
	return scheduled(c.Store.SetSchedule(ctx, access.From(ctx), in.ID, in.Body, c.Sender))
}

func (c Config) removeSchedule(ctx context.Context, in *idIn) (*struct{}, error) {
	if err := c.Store.RemoveSchedule(ctx, access.From(ctx), in.ID); err != nil {
		return nil, problem(err)
	}
	return nil, nil
}

type savedRunsOut struct {
	Body struct {
		Items []saved.ScheduleRun `json:"items" nullable:"false"`
	}
}

func (c Config) runs(ctx context.Context, in *idIn) (*savedRunsOut, error) {
	list, err := c.Store.Runs(ctx, access.From(ctx), in.ID)
	if err != nil {
		return nil, problem(err)
	}
	o := &savedRunsOut{}
	o.Body.Items = list
	return o, nil
}

// scheduleOf returns the schedule of a query if the person may see it, otherwise nil.
func (c Config) scheduleOf(ctx context.Context, id string) (*saved.Scheduled, error) {
	s, err := c.Store.Schedule(ctx, access.From(ctx), id)
	if errors.Is(err, saved.ErrNoSchedule) {
		return nil, nil
	}
	if s != nil {
		s.Secret = "" // the schedule's own operation returns it
	}
	return s, err
}
