package ingestion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/ping"
)

type errorsInput struct {
	Class string    `query:"class" maxLength:"20" doc:"default: all but duplicates"`
	Type  string    `query:"type" maxLength:"100" doc:"document type"`
	To    time.Time `query:"to" doc:"files with later arrivals are left out"`
	Limit int       `query:"limit" default:"50" minimum:"1" maximum:"200"`
}

// IngestionError is a rejected submission without identifying data.
type IngestionError struct {
	Time      *time.Time `json:"time,omitempty"`
	Class     string     `json:"class"`
	Message   string     `json:"message"`
	Namespace string     `json:"namespace,omitempty"`
	Type      string     `json:"type,omitempty"`
	Size      int        `json:"size" doc:"bytes of the body as it was sent"`
}

// IngestionReason counts the examined submissions that were rejected for one reason.
type IngestionReason struct {
	Class   string     `json:"class"`
	Message string     `json:"message"`
	N       int        `json:"n"`
	Types   []string   `json:"types"`
	Last    *time.Time `json:"last,omitempty"`
}

type errorsOutput struct {
	Body struct {
		Items   []IngestionError  `json:"items"`
		Reasons []IngestionReason `json:"reasons" doc:"most first"`
		Looked  int               `json:"looked" doc:"how many rejected submissions were looked at"`
		More    bool              `json:"more" doc:"there are others, which were not"`
	}
}

const (
	maxLooked  = 5000
	maxReasons = 100
)

func (i *Ingestion) errors(ctx context.Context, in *errorsInput) (*errorsOutput, error) {
	files, err := i.errorFiles(ctx, in.To)
	if err != nil {
		return nil, err
	}
	l := &looking{in: in, reasons: map[[2]string]*IngestionReason{}}
	for _, f := range files {
		if l.n >= maxLooked {
			l.more = true
			break
		}
		if err := l.look(ctx, i, f); err != nil {
			return nil, err
		}
	}
	var out errorsOutput
	out.Body.Items, out.Body.Reasons, out.Body.Looked, out.Body.More = l.newest(), l.most(), l.n, l.more
	return &out, nil
}

// errorFiles returns files with rejected submissions, newest first.
func (i *Ingestion) errorFiles(ctx context.Context, to time.Time) (all []archive.LoadFile, err error) {
	if to.IsZero() {
		to = i.Now().Add(time.Hour)
	}
	rows, err := i.db.QueryContext(ctx, `SELECT error FROM files WHERE error <> '' AND last <= ? ORDER BY last DESC LIMIT 200`, to.Unix())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		var f archive.LoadFile
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, rows.Err()
}

// looking collects samples of rejected submissions.
type looking struct {
	in      *errorsInput
	n       int
	more    bool
	items   []IngestionError
	reasons map[[2]string]*IngestionReason
}

// look examines the rejected submissions of a file. It skips a removed or damaged file.
func (l *looking) look(ctx context.Context, i *Ingestion, f archive.LoadFile) error {
	for r, err := range archive.LoadRows(ctx, i.Archive, f, true) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			i.Log.Warn("samples of rejected submissions: a file cannot be read", "file", f.Name, "error", err)
			return nil
		}
		if l.n >= maxLooked {
			l.more = true
			return nil
		}
		if l.takes(r) {
			l.add(r)
		}
	}
	return nil
}

func (l *looking) takes(r *archive.Rejected) bool {
	class := r.Class == l.in.Class || l.in.Class == "" && r.Class != duplicate
	return class && (l.in.Type == "" || string(r.Meta.Text(ping.DocTypeField)) == l.in.Type)
}

func (l *looking) add(r *archive.Rejected) {
	l.n++
	e := IngestionError{
		Class: r.Class, Message: masked(r.Message), Namespace: masked(r.Meta.Namespace()), Type: masked(string(r.Meta.Text(ping.DocTypeField))),
		Size: len(r.Body),
	}
	if ns, ok := r.Arrival(); ok {
		at := time.Unix(0, ns).UTC().Truncate(time.Second)
		e.Time = &at
	}
	if l.items = append(l.items, e); len(l.items) >= 4*l.in.Limit { // because the rows of a file are not ordered by time
		l.items = l.newest()
	}
	key := [2]string{e.Class, digits().ReplaceAllString(e.Message, "#")}
	reason := l.reasons[key]
	if reason == nil {
		if len(l.reasons) >= maxReasons {
			return
		}
		reason = &IngestionReason{Class: e.Class, Message: e.Message, Types: []string{}}
		l.reasons[key] = reason
	}
	reason.N++
	if !slices.Contains(reason.Types, e.Type) && len(reason.Types) < 5 && e.Type != "" {
		reason.Types = append(reason.Types, e.Type)
	}
	if e.Time != nil && (reason.Last == nil || e.Time.After(*reason.Last)) {
		reason.Last = e.Time
	}
}

// newest returns the newest samples.
func (l *looking) newest() []IngestionError {
	at := func(e IngestionError) int64 {
		if e.Time == nil {
			return 0
		}
		return e.Time.Unix()
	}
	slices.SortStableFunc(l.items, func(x, y IngestionError) int { return cmp.Compare(at(y), at(x)) })
	return append([]IngestionError{}, l.items[:min(len(l.items), l.in.Limit)]...)
}

func (l *looking) most() []IngestionReason {
	all := []IngestionReason{}
	for _, r := range slices.SortedFunc(maps.Values(l.reasons), func(x, y *IngestionReason) int {
		return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.Class, y.Class), cmp.Compare(x.Message, y.Message))
	}) {
		all = append(all, *r)
	}
	return all
}

var (
	digits = lazy.Regexp(`[0-9]+`)
	// identifying matches texts that may identify a client: ids, addresses, mail addresses, URLs, long numbers and
	// words.
	identifying = lazy.Regexp(`(?i)[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|[^\s"']+@[^\s"']+|([0-9]{1,3}\.){3}[0-9]{1,3}|([0-9a-f]{1,` +
		`4}:){3,7}[0-9a-f]{0,4}|[0-9a-f]{16,}|[0-9]{8,}|https?://[^\s"']+|[^\s"':/]{60,}`)
)

const longestMessage = 300

// masked returns a text on one line, truncated, and without identifying parts.
func masked(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > 10*longestMessage {
		text = strings.ToValidUTF8(text[:10*longestMessage], "")
	}
	text = identifying().ReplaceAllString(text, "…")
	if len(text) <= longestMessage {
		return text
	}
	end := longestMessage
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
