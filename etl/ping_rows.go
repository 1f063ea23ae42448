package etl

import (
	"errors"
	"log/slog"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// PingRows converts pings to rows. If the transform panics on a ping, that ping gets no row and an error is
// logged; the day and decoding continue.
type PingRows struct {
	table     *schema.Table
	probes    *schema.Probes
	log       *slog.Logger
	transform *table.Pings
}

// NewPingRows returns a PingRows for a table. log may be nil.
func NewPingRows(t *schema.Table, p *schema.Probes, log *slog.Logger) *PingRows {
	r := &PingRows{table: t, probes: p, log: log, transform: table.NewPings(t, p)}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r
}

// Append appends the row of a ping. It returns false if the ping has none.
func (r *PingRows) Append(out *column.Batch, m *ping.Meta, body []byte) (ok bool) {
	err := panics.Try(func() (err error) {
		ok, err = r.transform.Append(out, m, body)
		return err
	})
	var p *panics.Error
	if errors.As(err, &p) {
		r.log.Error("a ping has no row: the transform panics", "table", r.table.Name, "day", m.Day(),
			"document", string(m.Text(ping.DocumentID)), "error", panics.Report(err))
		out.DropRow()
		r.transform = table.NewPings(r.table, r.probes) // its state is undefined after the panic
	}
	return ok && err == nil
}

// Add adds the rows of a ping, which may come with prepared ones. It returns false if the ping has none. An error means that
// prepared rows are damaged: then out must be reset.
func (r *PingRows) Add(out *column.Batch, p *archive.Ping) (bool, error) {
	if p.Prepared == nil {
		return r.Append(out, &p.Meta, p.Body), nil
	}
	ok, err := addPrepared(out, p)
	if err != nil {
		err = &rowfile.PreparedError{Name: "of table " + r.table.Name, Err: err}
	}
	return ok, err
}
