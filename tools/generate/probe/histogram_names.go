package probe

import (
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// Names of invented histograms are made of one word of each list.
var (
	nameAreas = strings.Fields(`CACHE DISK DNS DOM EVENTLOOP FONT FORM FRAME GFX HISTORY IMAGE IPC JS LAYOUT MEDIA NET
		NOTIFY PAGE PAINT PLACES PLUGIN PRINT PROXY SESSION SOCKET STYLE SYNC TABS THREAD UPDATER WIDGET WORKER`)
	nameThings = strings.Fields(`BACKGROUND_ENTRY EVICTED_ENTRY FIRST_VISIBLE_REGION FOREGROUND_QUEUE HANDSHAKE_RETRY
		INDEXED_LOOKUP LARGEST_REQUEST LISTENER_DISPATCH LOCK_CONTENTION OFF_MAIN_THREAD PENDING_OPERATIONS POOLED_CONNECTION
		PREFETCHED_RESOURCE RESTORED_STATE SCHEDULED_FLUSH SHUTDOWN_BARRIER STARTUP_PHASE SURFACE_ALLOCATION
		TRANSACTION_COMMIT WRITE_BEHIND`)
	nameMeasures = []struct {
		suffix string
		kind   schema.HistogramKind
	}{
		{"TIME_MS", schema.HistogramExponential},
		{"DELAY_US", schema.HistogramExponential},
		{"SIZE_KB", schema.HistogramExponential},
		{"LENGTH", schema.HistogramExponential},
		{"PER_MINUTE", schema.HistogramExponential},
		{"SLOWEST_MS", schema.HistogramExponential},
		{"BYTES_SENT", schema.HistogramExponential},
		{"PERCENT", schema.HistogramLinear},
		{"DEPTH", schema.HistogramLinear},
		{"RESULT", schema.HistogramEnumerated},
		{"TYPE", schema.HistogramEnumerated},
		{"HIT", schema.HistogramBoolean},
		{"USED", schema.HistogramFlag},
		{"FAILED", schema.HistogramFlag},
		{"COUNT", schema.HistogramCount},
	}
)

// inventedHistograms has two of each area and thing.
func inventedHistograms(r *random.Source) []*Histogram {
	var all []*Histogram
	for _, area := range nameAreas {
		for _, thing := range nameThings {
			n := r.Below(len(nameMeasures))
			for range 2 {
				all = append(all, inventedHistogram(r, area+"_"+thing, n))
				n = (n + 1 + r.Below(len(nameMeasures)-1)) % len(nameMeasures)
			}
		}
	}
	for i := len(all) - 1; i > 0; i-- { // the browser has no order either
		k := r.Below(i + 1)
		all[i], all[k] = all[k], all[i]
	}
	return all
}

func inventedHistogram(r *random.Source, name string, measure int) *Histogram {
	m := nameMeasures[measure]
	name += "_" + m.suffix
	switch m.kind {
	case schema.HistogramExponential:
		high := random.Pick(r, []int{1000, 10_000, 10_000, 60_000, 100_000, 5_000_000})
		return Exponential(name, 1, high, random.Pick(r, []int{10, 20, 50, 50, 100}))
	case schema.HistogramLinear:
		return Linear(name, 1, 100, random.Pick(r, []int{10, 20, 51, 101}))
	case schema.HistogramEnumerated:
		return Enumerated(name, random.Pick(r, []int{3, 5, 10, 16, 50, 250}))
	}
	return Small(name, m.kind)
}

// inventedKeyed are keyed histograms without a column.
var inventedKeyed = strings.Fields(`ADDON_SHIM_TIME_MS BLOCKED_ON_PLUGIN_START_MS CODEC_FRAMES_PER_STREAM DEVICE_FAMILY_MS
	EXTENSION_HOOK_DELAY_US FILE_FLUSH_TIME_MS MODULE_LOAD_ERRORS PLUGIN_STALL_MS PROTOCOL_BYTES_KB REMOTE_SETTINGS_AGE_H
	STORE_MIGRATION_STEPS TOOLBOX_PANEL_SECONDS TRANSLATION_OFFERED_BY_LANGUAGE VIDEO_DROPPED_PERCENT`)

// keysFor returns keys of a keyed histogram.
func keysFor(name string) []string {
	var keys []string
	switch {
	case strings.Contains(name, "URLBAR_SELECTED_RESULT"):
		keys = []string{"autofill", "bookmark", "history", "keyword", "searchengine", "searchsuggestion", "switchtab", "visit"}
	case strings.Contains(name, "MEMORY_DISTRIBUTION"):
		keys = []string{"0 - 10 tabs", "11 - 500 tabs", "more tabs"}
	case strings.Contains(name, "UPTAKE_REMOTE"):
		keys = []string{"blocklists/addons", "blocklists/gfx", "pinning/pins", "shield-recipe-client/action/9", "main/example"}
	case strings.Contains(name, "LANGUAGE"):
		keys = []string{"de", "es", "fr", "ja", "pl", "pt", "ru", "zh-CN"}
	default:
		keys = []string{"app-profile", "browser-loader", "fx-devtools", "h264,mp4", "Shockwave Flash28.0.0.161", "sqlite & co", "worker",
			"{d10d0bf8}"}
	}
	return jsontext.MemberNames(keys)
}
