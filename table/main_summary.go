package table

import (
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Pings turns pings into rows of one table. It is not safe for concurrent use;
// every worker makes its own.
type Pings struct {
	Table    *schema.Table
	program  *ping.Program
	ops      []pingOp
	required bool // rows need document id, submission date and timestamp
	row      pingRow
}

// NewPings makes the transform of a table that is made from pings:
// main_summary, crash_summary, telemetry_new_profile_parquet or
// telemetry_update_parquet.
func NewPings(t *schema.Table, p *schema.Probes) *Pings {
	c := &compiler{funcs: pingFuncs(t, p), dashed: t.DashedDays}
	for i := range t.Columns {
		c.column(i, &t.Columns[i])
	}
	return &Pings{Table: t, program: c.paths.Compile(), ops: c.ops, required: t.Name == "main_summary"}
}

// Append adds the row of one ping to out, which has the table's columns. It
// says false, with nothing added, for a ping that has no row: one without
// document id, submission date or timestamp in main_summary, or with a client id
// over MaxText, by which its rows could not be found again. An error is a body
// that is not a JSON object. Other values over a bound are counted in out.
func (p *Pings) Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error) {
	if p.required && !complete(meta) || len(meta.Text(ping.ClientID)) > MaxText {
		return false, nil
	}
	out.MaxText = MaxText
	r := &p.row
	if err := r.doc.Scan(p.program, body); err != nil {
		return false, err
	}
	r.meta, r.out, r.addons.done = meta, out, false
	for i := range p.ops {
		p.ops[i].run(r, &p.ops[i])
	}
	out.EndRow()
	return true, nil
}

// complete says that the metadata has what a row of main_summary must have.
func complete(m *ping.Meta) bool {
	_, ok := m.Int(ping.Timestamp)
	id, day := m.Text(ping.DocumentID), m.Text(ping.SubmissionDate)
	return ok && id != nil && len(id) <= MaxText && day != nil && len(day) <= MaxText
}

// pingFuncs are the functions of a table's computed columns, by column name.
func pingFuncs(t *schema.Table, p *schema.Probes) map[string]func(*compiler, *pingOp, []string) {
	switch t.Name {
	case "crash_summary":
		return crashFuncs
	case "main_summary":
		return mainFuncs(p)
	}
	return directFuncs(t)
}

// at makes a computed column of the value at the column's path.
func at(run func(r *pingRow, op *pingOp)) func(*compiler, *pingOp, []string) {
	return func(c *compiler, op *pingOp, path []string) {
		op.slot, op.run = c.paths.Add(path...), run
	}
}

// values makes a computed column of the values of the histogram at the path.
func values(run func(r *pingRow, op *pingOp)) func(*compiler, *pingOp, []string) {
	return func(c *compiler, op *pingOp, path []string) {
		op.slot, op.run = c.paths.Add(append(path, "values")...), run
	}
}

func mainFuncs(p *schema.Probes) map[string]func(*compiler, *pingOp, []string) {
	return map[string]func(*compiler, *pingOp, []string){
		"antivirus":                        at(setTexts),
		"antispyware":                      at(setTexts),
		"firewall":                         at(setTexts),
		"sync_configured":                  values(setSyncConfigured),
		"sync_count_desktop":               values(setSyncCount),
		"sync_count_mobile":                values(setSyncCount),
		"attribution":                      at(setAttribution),
		"active_addons_count":              at(setAddonsCount),
		"flash_version":                    at(setFlashVersion),
		"client_clock_skew":                clockSkew,
		"client_submission_latency":        submissionLatency,
		"places_bookmarks_count":           histogramMean,
		"places_pages_count":               histogramMean,
		"popup_notification_stats":         at(setPopupStats),
		"search_counts":                    at(setSearchCounts),
		"active_addons":                    at(setActiveAddons),
		"disabled_addons_ids":              disabledAddons,
		"active_theme":                     at(setTheme),
		"user_prefs":                       userPrefs,
		"events":                           events,
		"ssl_handshake_result_success":     values(setHandshakeSuccess),
		"ssl_handshake_result_failure":     values(setHandshakeFailure),
		"ssl_handshake_result":             values(setHandshakes),
		"active_ticks":                     migrated(p, "browser.engagement.active_ticks", "activeTicks"),
		"first_paint":                      migrated(p, "timestamps.first_paint", "firstPaint"),
		"plugins_notification_user_action": values(setUserAction),
		"experiments":                      at(setExperiments),
		"quantum_ready":                    quantumReady,
		"boolean_addon_scalars":            addonScalars(p.AddonScalars, schema.ScalarBoolean, false),
		"keyed_boolean_addon_scalars":      addonScalars(p.AddonScalars, schema.ScalarBoolean, true),
		"string_addon_scalars":             addonScalars(p.AddonScalars, schema.ScalarString, false),
		"keyed_string_addon_scalars":       addonScalars(p.AddonScalars, schema.ScalarString, true),
		"uint_addon_scalars":               addonScalars(p.AddonScalars, schema.ScalarUint, false),
		"keyed_uint_addon_scalars":         addonScalars(p.AddonScalars, schema.ScalarUint, true),
	}
}

// migrated prefers a scalar of the parent process, if it is defined and usable,
// to the simple measurement that it replaced. Keyed scalars do not count here.
func migrated(p *schema.Probes, scalar, simple string) func(*compiler, *pingOp, []string) {
	defined := false
	for _, s := range p.Scalars {
		if s.Name == scalar && !s.Keyed && s.Kind == schema.ScalarUint {
			for _, proc := range s.Processes {
				defined = defined || proc == schema.ProcessParent
			}
		}
	}
	return func(c *compiler, op *pingOp, _ []string) {
		if defined {
			op.slot = c.paths.Add("payload", "processes", "parent", "scalars", scalar)
		}
		old := &pingOp{col: op.col, slot: c.paths.Add("payload", "simpleMeasurements", simple)}
		op.run = func(r *pingRow, op *pingOp) {
			if defined {
				if n, ok := r.doc.Value(op.slot).Integer32(); ok {
					r.out.SetInt(op.col, n)
					return
				}
			}
			setInt32(r, old)
		}
	}
}
