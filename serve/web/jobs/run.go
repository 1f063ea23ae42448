package jobs

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl/job"
)

// RunDetail describes one run with its partitions.
type RunDetail struct {
	Run
	Units []RunUnit `json:"units"`
	More  int       `json:"more,omitempty" doc:"partitions beyond those listed"`
}

type detailOutput struct{ Body RunDetail }

// maxUnits is the maximum number of partitions listed for a run.
const maxUnits = 2000

func (j *Jobs) get(ctx context.Context, in *ID) (*detailOutput, error) {
	s := j.sightOf(ctx)
	q, r, err := j.find(ctx, s, in.ID)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return &detailOutput{RunDetail{Run: q.run(s), Units: []RunUnit{}}}, nil
	}
	run, ok, err := j.describe(ctx, s, r)
	if err != nil || !ok {
		return nil, err
	}
	out := &detailOutput{RunDetail{Run: run, Units: []RunUnit{}, More: max(0, len(r.Units)-maxUnits)}}
	for i := range r.Units[:min(len(r.Units), maxUnits)] {
		out.Body.Units = append(out.Body.Units, s.unit(&r.Units[i], run.State == stateRunning))
	}
	return out, nil
}

// find returns a run that the person may see: its request, its record in the ledger without hidden parts, or both.
func (j *Jobs) find(ctx context.Context, s sight, id string) (*request, *job.RunRecord, error) {
	var q *request
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		if q = j.queue.byID(id); q == nil || len(q.run(s).Tables) == 0 {
			return nil, nil, noRun()
		}
		if number = q.number(); number == 0 {
			return q, nil, nil
		}
	}
	r, ok, err := j.Site.Ledger.OneRun(ctx, number)
	if err != nil {
		return nil, nil, err
	}
	if ok && s.see(&r) {
		return j.queue.byNumber(number), &r, nil
	}
	return nil, nil, noRun()
}

type tasksInput struct {
	ID
	Table string `query:"table" required:"true"`
	Day   string `query:"day" required:"true" pattern:"^[0-9]{8}$"`
}

// RunTask describes one attempt at a task.
type RunTask struct {
	Samples  string     `json:"samples"`
	State    string     `json:"state" enum:"running,done,failed,cancelled,interrupted"`
	Started  time.Time  `json:"started"`
	Ended    *time.Time `json:"ended,omitempty"`
	RowsIn   int64      `json:"rowsIn"`
	RowsOut  int64      `json:"rowsOut"`
	Rejected int64      `json:"rejected"`
	Bytes    int64      `json:"bytes"`
	Error    string     `json:"error,omitempty"`
}

type tasksOutput struct {
	Body struct {
		Items []RunTask `json:"items"`
	}
}

func (j *Jobs) tasks(ctx context.Context, in *tasksInput) (*tasksOutput, error) {
	s := j.sightOf(ctx)
	_, r, err := j.find(ctx, s, in.ID.ID)
	if err != nil {
		return nil, err
	}
	if !s.knows(in.Table) || r == nil {
		return nil, noRun()
	}
	running, err := j.writing(ctx, r)
	if err != nil {
		return nil, err
	}
	attempts, err := j.Site.Ledger.AttemptsOf(ctx, r.ID, job.Unit{Table: in.Table, Day: in.Day})
	if err != nil {
		return nil, err
	}
	var out tasksOutput
	out.Body.Items = []RunTask{}
	for i := range attempts {
		a := &attempts[i]
		made := s.result(in.Table, a.Result)
		t := RunTask{
			Samples: a.Samples().String(), State: stateOf(a.Outcome, running), Started: a.Started, RowsIn: made.RowsIn, RowsOut: made.RowsOut,
			Rejected: made.Rejected, Bytes: made.Bytes, Error: s.text(in.Table, a.Error),
		}
		if !a.Ended.IsZero() {
			t.Ended = &a.Ended
		}
		out.Body.Items = append(out.Body.Items, t)
	}
	return &out, nil
}

type logInput struct {
	ID
	After int `query:"after" minimum:"0" doc:"the number of the last line that is known"`
	Limit int `query:"limit" default:"1000" minimum:"1" maximum:"5000"`
}

// RunLine is a line of a run's log.
type RunLine struct {
	Number int               `json:"number"`
	Time   time.Time         `json:"time"`
	Level  string            `json:"level"`
	Table  string            `json:"table,omitempty"`
	Day    string            `json:"day,omitempty"`
	Text   string            `json:"text"`
	Attrs  map[string]string `json:"attrs,omitempty"`
}

type logOutput struct {
	Body struct {
		Items []RunLine `json:"items"`
		Next  int       `json:"next,omitempty" doc:"after, of the next page"`
	}
}

func (j *Jobs) log(ctx context.Context, in *logInput) (*logOutput, error) {
	s := j.sightOf(ctx)
	_, r, err := j.find(ctx, s, in.ID.ID)
	if err != nil {
		return nil, err
	}
	var out logOutput
	out.Body.Items = []RunLine{}
	if r == nil {
		return &out, nil
	}
	lines, err := j.Site.Ledger.Lines(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(l job.Line) bool { return !s.sees(&l) })
	for i := in.After; i < len(lines); i++ {
		if len(out.Body.Items) == in.Limit {
			out.Body.Next = i
			break
		}
		out.Body.Items = append(out.Body.Items, s.line(i+1, &lines[i]))
	}
	return &out, nil
}

// sees reports whether a person may see a log line. A line about the whole run has no table.
func (s sight) sees(l *job.Line) bool {
	return l.Table == "" && !s.mentionsHidden(l.Text) || l.Table != "" && s.knows(l.Table)
}

// plain lists attributes that never name rows. counted lists the ones for people with the right to count the rows of
// the table.
var (
	plain   = []string{"by", "check", "rule", "reason", "times", "again"}
	counted = []string{"rows", "bytes", "input bytes", "left out"}
)

func (s sight) line(number int, l *job.Line) RunLine {
	out := RunLine{Number: number, Time: l.Time, Level: l.Level, Table: l.Table, Day: l.Day, Text: l.Text, Attrs: map[string]string{}}
	for name, value := range l.Attrs {
		shown := slices.Contains(plain, name) || slices.Contains(counted, name) && (l.Table == "" || s.counts(l.Table))
		if !shown || s.mentionsHidden(value) {
			value = s.text(l.Table, value)
		}
		out.Attrs[name] = strings.TrimSpace(value)
	}
	return out
}
