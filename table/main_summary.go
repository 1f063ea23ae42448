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
// document id, submission date or timestamp in main_summary. An error is a body
// that is not a JSON object.
func (p *Pings) Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error) {
	if p.required {
		_, ok := meta.Int(ping.Timestamp)
		if !ok || meta.Text(ping.DocumentID) == nil || meta.Text(ping.SubmissionDate) == nil {
			return false, nil
		}
	}
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
// to the simple measurement that it replaced.
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
			op.alt = c.paths.Add("payload", "processes", "parent", "keyedScalars", scalar)
		}
		old := &pingOp{col: op.col, slot: c.paths.Add("payload", "simpleMeasurements", simple)}
		op.run = func(r *pingRow, op *pingOp) {
			if defined {
				if n, ok := r.section(op).Integer32(); ok {
					r.out.SetInt(op.col, n)
					return
				}
			}
			setInt32(r, old)
		}
	}
}
