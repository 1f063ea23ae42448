package table

import "github.com/pingmill/pingmill/schema"

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

func mainFuncs(p *schema.Probes) columnFuncs {
	return columnFuncs{
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
