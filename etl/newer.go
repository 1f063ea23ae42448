package etl

import (
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
)

// forceNewer says how this version makes a partition of a newer one.
const forceNewer = "it is left as it is; upgrade, or make it with this version (--force)"

// leftToNewer returns the plan of a partition that a newer version of the program made. It stays, because that version would
// make it again. If its inputs changed since, this program cannot finish the day.
func (a *assessment) leftToNewer() job.Plan {
	why := a.base.Newer(a.table).Error()
	p := job.Plan{Inputs: a.source.inputs}
	switch changed := changedInputs(a.base, a.source.inputs); {
	case len(a.damage) > 0:
		p.Missing = a.damage[0].Finding() + "; " + why + ": " + forceNewer
	case len(changed) > 0:
		p.Missing = changed[0] + "; " + why + ": " + forceNewer
	default:
		p.Current, p.Generation, p.Note = true, a.base.Generation, why+": "+forceNewer
		p.Published = job.Result{RowsOut: a.base.Rows, Bytes: a.base.Bytes}
	}
	return p
}

// leftToNewer logs which partitions of a day stay because a newer version made them, once as long as they are the same.
func (sc *scheduler) leftToNewer(day ping.Day, r *job.Report) {
	var tables []string
	for _, u := range r.Units {
		if strings.Contains(u.Reason, lake.ErrNewer.Error()) {
			tables = append(tables, u.Table)
		}
	}
	text := strings.Join(tables, ", ")
	if text != "" && sc.newer[day] != text {
		sc.o.Log.Warn("partitions stay that a newer version of pingmill made: upgrade this server", "day", day, "tables", text)
	}
	sc.newer[day] = text
}
