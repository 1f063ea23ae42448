package etl

import (
	"errors"
	"log/slog"

	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// PingRows makes rows of pings. One that the transform panics over has no row, and
// the log says so: it stops neither its day nor decoding.
type PingRows struct {
	table     *schema.Table
	probes    *schema.Probes
	log       *slog.Logger
	transform *table.Pings
}

// NewPingRows begins with rows of a table. log may be nil.
func NewPingRows(t *schema.Table, p *schema.Probes, log *slog.Logger) *PingRows {
	r := &PingRows{table: t, probes: p, log: log, transform: table.NewPings(t, p)}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r
}

// Append adds the row of a ping, and says false if it has none.
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
		r.transform = table.NewPings(r.table, r.probes) // it may be amid anything
	}
	return ok && err == nil
}
