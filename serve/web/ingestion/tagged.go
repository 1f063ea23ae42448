package ingestion

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// Bounds of the stored submissions with a debug tag, because clients choose the tags.
const (
	keepTagged = 7 * 24 * time.Hour
	maxTagged  = 1000 // of one file
)

// taggedPing is a submission with a debug tag.
type taggedPing struct {
	tag                        string
	at                         int64 // arrival in seconds
	document, namespace        string
	docType, class, maskedText string
}

// tag adds a submission that has a debug tag, up to maxTagged.
func (c *counting) tag(r *archive.Rejected, at int64) {
	tag := debugTag(r)
	if tag == "" || len(c.tagged) == maxTagged {
		return
	}
	c.tagged = append(c.tagged, taggedPing{
		tag, at, string(r.Meta.Text(ping.DocumentID)), masked(r.Meta.Namespace()), masked(string(r.Meta.Text(ping.DocTypeField))), r.Class,
		masked(r.Message),
	})
}

// debugTag returns the header X-Debug-ID of a submission.
func debugTag(r *archive.Rejected) string {
	if tag := r.Meta.Text(ping.XDebugID); tag != nil {
		return string(tag)
	}
	for name, value := range r.Headers {
		if strings.EqualFold(name, "X-Debug-ID") {
			return value
		}
	}
	return ""
}

func insertTagged(ctx context.Context, tx *sql.Tx, file int64, all []taggedPing) error {
	for _, p := range all {
		if _, err := tx.ExecContext(ctx, `INSERT INTO tagged VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			file, p.tag, p.at, p.document, p.namespace, p.docType, p.class, p.maskedText); err != nil {
			return err
		}
	}
	return nil
}

type taggedInput struct {
	Tag   string `query:"tag" required:"true" minLength:"1" maxLength:"100" doc:"as in the header X-Debug-ID"`
	Limit int    `query:"limit" default:"100" minimum:"1" maximum:"500"`
}

type taggedOutput struct {
	Body struct {
		Items []TaggedPing `json:"items" nullable:"false" doc:"newest first"`
		Left  int64        `json:"left" doc:"loads of the archive that were not looked at yet"`
	}
}

// TaggedPing is a submission with a debug tag.
type TaggedPing struct {
	Arrived   time.Time `json:"arrived"`
	Document  string    `json:"document"`
	Namespace string    `json:"namespace"`
	Type      string    `json:"type"`
	Outcome   string    `json:"outcome" enum:"waiting,accepted,rejected" doc:"waiting: acknowledged by the edge of this process, and not in the archive yet"`
	Class     string    `json:"class,omitempty"`
	Message   string    `json:"message,omitempty" doc:"why it was rejected, without what may identify a client"`
}

// tagged lists submissions with a tag: rejected ones, and those of tables that the person may read.
func (i *Ingestion) tagged(ctx context.Context, in *taggedInput) (*taggedOutput, error) {
	out := &taggedOutput{}
	out.Body.Items, out.Body.Left = []TaggedPing{}, i.left.loads.Load()
	rows, err := i.db.QueryContext(ctx,
		`SELECT at, document, namespace, type, class, message FROM tagged WHERE tag = ? ORDER BY at DESC, document LIMIT ?`, in.Tag, in.Limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	person, archived := access.From(ctx), map[[2]string]bool{} // by document and second
	for rows.Next() {
		var p TaggedPing
		var at int64
		if err := rows.Scan(&at, &p.Document, &p.Namespace, &p.Type, &p.Class, &p.Message); err != nil {
			return nil, err
		}
		if p.Arrived, p.Outcome = time.Unix(at, 0).UTC(), "rejected"; p.Class == "" {
			p.Outcome = "accepted"
		}
		archived[[2]string{p.Document, fmt.Sprint(at)}] = true
		if p.Class != "" || i.reads(person, ping.KindOf(p.Namespace, p.Type)) {
			out.Body.Items = append(out.Body.Items, p)
		}
	}
	waiting := i.waiting(in.Tag, func(p *TaggedPing) bool {
		return !archived[[2]string{p.Document, fmt.Sprint(p.Arrived.Unix())}] && i.reads(person, ping.KindOf(p.Namespace, p.Type))
	})
	out.Body.Items = append(append([]TaggedPing{}, waiting...), out.Body.Items...)
	out.Body.Items = out.Body.Items[:min(in.Limit, len(out.Body.Items))]
	return out, rows.Err()
}

// maxWait is the time after which a submission of the edge is no longer listed as waiting: it was decoded, or the decode
// loop is far behind, which the page shows.
const maxWait = time.Hour

// waiting returns the submissions with a tag that the edge of this process has acknowledged, newest first, and that keep
// returns true for.
func (i *Ingestion) waiting(tag string, keep func(*TaggedPing) bool) (all []TaggedPing) {
	if i.Tagged == nil {
		return nil
	}
	for _, t := range slices.Backward(i.Tagged(tag)) {
		p := TaggedPing{Arrived: time.Unix(0, t.Timestamp).UTC().Truncate(time.Second), Outcome: "waiting"}
		if uri, err := ingest.ParseURI([]byte(t.URI)); err == nil {
			p.Document, p.Namespace, p.Type = string(uri.DocumentID), string(uri.Namespace), string(uri.DocType)
		}
		if i.Now().Sub(p.Arrived) < maxWait && keep(&p) {
			all = append(all, p)
		}
	}
	return all
}
