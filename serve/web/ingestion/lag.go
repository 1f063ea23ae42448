package ingestion

import (
	"context"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/store"
)

// watch records the lag of each edge and the backlog of the spool.
func (i *Ingestion) watch(ctx context.Context) error {
	edges, err := edgestate.ReadProgress(store.Polling(ctx), i.Archive)
	if err != nil {
		return err
	}
	now := i.Now()
	at := now.Unix() - now.Unix()%minute
	for _, e := range edges {
		if e.Damaged != nil {
			continue
		}
		if _, err := i.db.ExecContext(ctx, `INSERT OR REPLACE INTO lag VALUES (?, ?, ?)`, at, e.Edge, behind(now, e.Watermark)); err != nil {
			return err
		}
	}
	b, err := status.ReadBacklog(i.Spool)
	if err != nil || b == nil {
		return err
	}
	_, err = i.db.ExecContext(ctx, `INSERT OR REPLACE INTO backlog VALUES (?, ?, ?)`, at, b.Records, b.Bytes)
	return err
}

// behind returns the seconds by which a watermark is behind, at least 0 because clocks differ.
func behind(now time.Time, watermark int64) int64 {
	return max(0, int64(now.Sub(time.Unix(0, watermark)).Seconds()))
}

// IngestionEdge is the decoding state of an edge.
type IngestionEdge struct {
	Edge      string    `json:"edge"`
	Watermark time.Time `json:"watermark" doc:"everything up to then is in the archive"`
	Lag       int64     `json:"lag" doc:"seconds"`
	Values    []int64   `json:"values" doc:"largest lag in each step, -1 where it is not known"`
}

// IngestionBacklog describes the segments of the spool that are not decoded yet.
type IngestionBacklog struct {
	Segments int        `json:"segments"`
	Records  int        `json:"records"`
	Bytes    int64      `json:"bytes"`
	Oldest   *time.Time `json:"oldest,omitempty"`
	Damaged  int        `json:"damaged" doc:"segments of which something could not be read"`
	Values   []int64    `json:"values" doc:"most submissions that waited in each step, -1 where that is not known"`
}

type lagInput struct {
	From time.Time `query:"from"`
	To   time.Time `query:"to"`
}

type lagOutput struct {
	Body struct {
		From     time.Time         `json:"from"`
		Step     int64             `json:"step" doc:"seconds"`
		Edges    []IngestionEdge   `json:"edges"`
		Backlog  *IngestionBacklog `json:"backlog,omitempty"`
		Troubles []string          `json:"troubles" doc:"what decoding tries in vain, for those who operate"`
	}
}

func (i *Ingestion) lag(ctx context.Context, in *lagInput) (*lagOutput, error) {
	now := i.Now()
	to := in.To
	if to.IsZero() {
		to = now
	}
	from := in.From
	if from.IsZero() {
		from = to.Add(-24 * time.Hour)
	}
	var out lagOutput
	b := &out.Body
	b.Step = stepOf(from, to, time.Time{})
	b.From = time.Unix(from.Unix()-from.Unix()%b.Step, 0).UTC()
	n := (to.Unix()-b.From.Unix()-1)/b.Step + 1
	if n < 1 || n > maxSteps {
		return nil, huma.Error422UnprocessableEntity("from is not before to, or too long before")
	}
	b.Edges, b.Troubles = []IngestionEdge{}, []string{}
	edges, err := edgestate.ReadProgress(ctx, i.Archive)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		if e.Damaged != nil {
			continue // the status reports it
		}
		values, err := i.largest(ctx, `SELECT at, seconds FROM lag WHERE edge = ? AND at >= ? AND at < ?`, b.From, b.Step, int(n), e.Edge)
		if err != nil {
			return nil, err
		}
		b.Edges = append(b.Edges, IngestionEdge{e.Edge, time.Unix(0, e.Watermark).UTC(), behind(now, e.Watermark), values})
	}
	waiting, err := status.ReadBacklog(i.Spool)
	if err != nil {
		return nil, err
	}
	if waiting != nil {
		b.Backlog = &IngestionBacklog{Segments: waiting.Segments, Records: waiting.Records, Bytes: waiting.Bytes, Damaged: len(waiting.Damaged)}
		if !waiting.Oldest.IsZero() {
			b.Backlog.Oldest = &waiting.Oldest
		}
		b.Backlog.Values, err = i.largest(ctx, `SELECT at, records FROM backlog WHERE '' = ? AND at >= ? AND at < ?`, b.From, b.Step, int(n), "")
		if err != nil {
			return nil, err
		}
	}
	if access.From(ctx).May(access.Operate) {
		troubles, err := edgestate.ReadTroubles(ctx, i.Archive)
		if err != nil {
			return nil, err
		}
		for _, t := range troubles {
			b.Troubles = append(b.Troubles, t.Edge+", "+t.What+", since "+t.Since.UTC().Format(time.RFC3339)+": "+masked(t.Error))
		}
	}
	return &out, nil
}

// largest returns the largest value in each step, -1 if there is none.
func (i *Ingestion) largest(ctx context.Context, statement string, from time.Time, step int64, n int, key string) ([]int64, error) {
	values := make([]int64, n)
	for at := range values {
		values[at] = -1
	}
	rows, err := i.db.QueryContext(ctx, statement, key, from.Unix(), from.Unix()+step*int64(n))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var at, value int64
		if err := rows.Scan(&at, &value); err != nil {
			return nil, err
		}
		values[(at-from.Unix())/step] = max(values[(at-from.Unix())/step], value)
	}
	return values, rows.Err()
}

// LivePoint holds the edge's rates per second at a time.
type LivePoint struct {
	Time     time.Time `json:"time"`
	Accepted float64   `json:"accepted" doc:"submissions"`
	Refused  float64   `json:"refused" doc:"requests that are wrong"`
	Failed   float64   `json:"failed" doc:"requests that the edge could not take"`
	Bytes    float64   `json:"bytes" doc:"of bodies"`
}

// recent holds the recent points of the edge.
type recent struct {
	mu     sync.Mutex
	at     time.Time
	stats  edge.Stats
	points []LivePoint
}

// maxPoints covers a quarter of an hour.
const maxPoints = 180

func (l *recent) add(at time.Time, s edge.Stats) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if took := at.Sub(l.at).Seconds(); !l.at.IsZero() && took > 0 {
		p := LivePoint{Time: at.UTC(), Bytes: float64(s.Bytes-l.stats.Bytes) / took}
		for code, n := range s.Responses {
			rate := float64(n-l.stats.Responses[code]) / took
			switch {
			case code < 300:
				p.Accepted += rate
			case code < 500:
				p.Refused += rate
			default:
				p.Failed += rate
			}
		}
		if l.points = append(l.points, p); len(l.points) > maxPoints {
			l.points = l.points[len(l.points)-maxPoints:]
		}
	}
	l.at, l.stats = at, s
}

type liveOutput struct {
	Body struct {
		Here        bool        `json:"here" doc:"an edge runs in this process"`
		Every       int64       `json:"every" doc:"seconds between points"`
		Points      []LivePoint `json:"points"`
		Connections int         `json:"connections"`
		InFlight    int64       `json:"inFlight" doc:"bytes of bodies that are being received"`
	}
}

func (i *Ingestion) liveNow(context.Context, *struct{}) (*liveOutput, error) {
	var out liveOutput
	b := &out.Body
	b.Here, b.Every = i.Edge != nil, int64(sampleEach/time.Second)
	i.recent.mu.Lock()
	defer i.recent.mu.Unlock()
	b.Points = append([]LivePoint{}, i.recent.points...)
	b.Connections, b.InFlight = i.recent.stats.Connections, i.recent.stats.InFlight
	return &out, nil
}
