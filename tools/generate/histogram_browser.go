package generate

import (
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// Histograms that fixed columns are made of, besides the defined ones.
var (
	pagesCount     = probe.Exponential("PLACES_PAGES_COUNT", 1000, 150_000, 20)
	bookmarksCount = probe.Exponential("PLACES_BOOKMARKS_COUNT", 100, 8000, 15)
	syncConfigured = probe.Small("WEAVE_CONFIGURED", schema.HistogramBoolean)
	syncDesktops   = probe.Enumerated("WEAVE_DEVICE_COUNT_DESKTOP", 10)
	syncMobiles    = probe.Enumerated("WEAVE_DEVICE_COUNT_MOBILE", 10)
	pluginAction   = probe.Enumerated("PLUGINS_NOTIFICATION_USER_ACTION", 3)
	popupStats     = probe.Linear("POPUP_NOTIFICATION_STATS", 1, 40, 41)
	handshakes     = probe.Enumerated("SSL_HANDSHAKE_RESULT", 672)
)

// browserOwn are the parent's histograms that are written here, so not from
// their definition.
var browserOwn = func() map[string]bool {
	own := map[string]bool{"SEARCH_COUNTS": true, popupStats.Name: true}
	for _, h := range []*probe.Histogram{
		pagesCount, bookmarksCount, syncConfigured, syncDesktops, syncMobiles, pluginAction, handshakes,
	} {
		own[h.Name] = true
	}
	for _, c := range browserCounts {
		own[strings.Trim(c.value, `":`)] = true
	}
	for _, k := range browserKeyed {
		own[k.name] = true
	}
	return own
}()

// browserCounts lists counts that few pings have.
var browserCounts = []weighted[string]{
	{12, `"PUSH_API_NOTIFY":`}, {10, `"WEB_NOTIFICATION_SHOWN":`}, {25, `"DEVTOOLS_TOOLBOX_OPENED_COUNT":`},
	{12, `"PLUGINS_NOTIFICATION_SHOWN":`}, {40, `"PLUGINS_INFOBAR_SHOWN":`}, {60, `"PLUGINS_INFOBAR_ALLOW":`},
	{90, `"PLUGINS_INFOBAR_BLOCK":`}, {70, `"PLUGINS_INFOBAR_DISMISSED":`},
}

// writeBrowserHistograms writes the parent's histograms for fixed columns.
func (w *writer) writeBrowserHistograms(t *jsontext.Text, r *random.Source, level int) {
	if r.OneIn(2) {
		pagesCount.WriteOne(t, r.Span(10, 120_000))
		bookmarksCount.WriteOne(t, r.Span(5, 3000))
	}
	if s := w.software.sync; s > 0 {
		syncConfigured.WriteOne(t, 1)
		syncDesktops.WriteOne(t, s)
		syncMobiles.WriteOne(t, s/2)
	} else if r.OneIn(2) {
		syncConfigured.WriteOne(t, 0)
	}
	for _, c := range browserCounts {
		if r.OneIn(c.weight) {
			probe.WriteCount(t, c.value, r.Span(1, 60))
		}
	}
	if r.OneIn(20) {
		pluginAction.Write(t, r, level)
	}
	if !r.OneIn(4) {
		writeHandshakes(t, r)
	}
}

// writeHandshakes writes results of TLS handshakes, nearly all of them successful.
func writeHandshakes(t *jsontext.Text, r *random.Source) {
	good := r.Span(10, 5000)
	t.Raw(handshakes.Head)
	t.Raw(handshakes.Start)
	t.Raw(handshakes.Keys[0])
	t.Number(good)
	sum := 0
	for n := r.Span(1, 400); n < len(handshakes.Keys)-1; n += r.Span(1, 400) {
		bad := r.Span(1, 8)
		t.Raw(handshakes.Keys[n])
		t.Number(bad)
		sum += bad * n
	}
	probe.CloseValues(t, uint64(sum))
}

// browserKeyed are keyed counts of crashes: the key, and one in how
// many pings has it.
var browserKeyed = []struct {
	name string
	keys []weighted[string]
}{
	{"SUBPROCESS_CRASHES_WITH_DUMP", []weighted[string]{{60, `"plugin":`}, {40, `"content":`}, {300, `"gmplugin":`}, {200, `"pluginhang":`}}},
	{"SUBPROCESS_ABNORMAL_ABORT", []weighted[string]{{50, `"plugin":`}, {30, `"content":`}, {200, `"gmplugin":`}}},
	{"SUBPROCESS_KILL_HARD", []weighted[string]{{25, `"ShutDownKill":`}}},
	{"PROCESS_CRASH_SUBMIT_ATTEMPT", []weighted[string]{{60, `"main-crash":`}, {50, `"content-crash":`}, {150, `"plugin-crash":`}}},
	{"PROCESS_CRASH_SUBMIT_SUCCESS", []weighted[string]{{70, `"main-crash":`}, {60, `"content-crash":`}, {180, `"plugin-crash":`}}},
}

var popups = []string{`"(all)":`, `"addon-install-confirmation":`, `"web-notifications":`, `"password":`, `"geolocation":`,
	`"plugin-hidden":`}

// writeBrowserKeyed writes the parent's keyed histograms for fixed columns.
func (w *writer) writeBrowserKeyed(t *jsontext.Text, r *random.Source, level int) {
	for i := range browserKeyed {
		t.Open(browserKeyed[i].name)
		for _, k := range browserKeyed[i].keys {
			if r.OneIn(k.weight) {
				probe.WriteCount(t, k.value, r.Span(1, 9))
			}
		}
		t.Close()
	}
	if r.OneIn(6) {
		t.Open(popupStats.Name)
		for n := r.Below(len(popups)); n < len(popups); n += 1 + r.Below(3) {
			popupStats.WriteUnder(t, popups[n], r, level)
		}
		t.Close()
	}
	w.writeSearches(t, r)
}

// searchSources are the places in the browser where searches begin, as keys have
// them.
var searchSources = [...]weighted[string]{
	{50, "urlbar"}, {35, "searchbar"}, {15, "abouthome"}, {12, "newtab"}, {8, "contextmenu"}, {2, "system"},
	{14, "sap:urlbar:"}, {10, "sap:searchbar:"}, {10, "follow-on:urlbar:"}, {4, "follow-on:searchbar:"}, {1, "alias"},
}

// oddSearches are keys and counts that are not as they should be.
var oddSearches = []struct {
	key   string
	count int
}{
	{`"google":`, 3}, {`".urlbar":`, 2}, {`"google.":`, 1}, {`"":`, 1}, {`"other-search.example.com.urlbar":`, 4},
	{`"google-nocodes.urlbar":`, 0}, {`"bing-nocodes.searchbar":`, 10_000}, {`"yahoo-nocodes.urlbar":`, 1_234_567}, {`"Яндекс.newtab":`, 2},
}

// writeSearches writes the counts of searches. Half of the pings have some.
func (w *writer) writeSearches(t *jsontext.Text, r *random.Source) {
	if r.OneIn(2) {
		return
	}
	sources := &searchSources
	if w.build.current() {
		sources = &currentSources
	}
	t.Open("SEARCH_COUNTS")
	var seen [len(searchSources)]uint32 // engines by source: keys are there once
	for n := 1 + r.Few(5); n > 0; n-- {
		at := w.software.engine
		if r.OneIn(6) {
			at = r.Below(len(engines))
		}
		at = min(at, len(engines)-2) // the last is broken
		if source := drawIndex(r, sources[:]); seen[source]>>at&1 == 0 {
			seen[source] |= 1 << at
			writeSearch(t, r, &engines[at], sources[source].value)
		}
	}
	if r.OneIn(25) {
		odd := oddSearches[r.Below(len(oddSearches))]
		probe.WriteCount(t, odd.key, odd.count)
	}
	t.Close()
}

func writeSearch(t *jsontext.Text, r *random.Source, e *engine, source string) {
	t.B = append(t.B, '"')
	t.Raw(e.id)
	t.Raw(".")
	t.Raw(source)
	if source[len(source)-1] == ':' {
		t.Raw(e.code)
	}
	probe.WriteCount(t, `":`, r.Span(1, 40))
}
