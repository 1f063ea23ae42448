package generate

import (
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Histograms that fixed columns are made of, besides the defined ones.
var (
	pagesCount     = exponential("PLACES_PAGES_COUNT", 1000, 150_000, 20)
	bookmarksCount = exponential("PLACES_BOOKMARKS_COUNT", 100, 8000, 15)
	syncConfigured = small("WEAVE_CONFIGURED", schema.HistogramBoolean)
	syncDesktops   = enumerated("WEAVE_DEVICE_COUNT_DESKTOP", 10)
	syncMobiles    = enumerated("WEAVE_DEVICE_COUNT_MOBILE", 10)
	pluginAction   = enumerated("PLUGINS_NOTIFICATION_USER_ACTION", 3)
	popupStats     = linear("POPUP_NOTIFICATION_STATS", 1, 40, 41)
	handshakes     = enumerated("SSL_HANDSHAKE_RESULT", 672)
)

// browserOwn are the parent's histograms that are written here, so not from
// their definition.
var browserOwn = func() map[string]bool {
	own := map[string]bool{"SEARCH_COUNTS": true, popupStats.name: true}
	for _, h := range []*histogram{
		pagesCount, bookmarksCount, syncConfigured, syncDesktops, syncMobiles, pluginAction, handshakes,
	} {
		own[h.name] = true
	}
	for _, c := range browserCounts {
		own[strings.Trim(c.value, `":`)] = true
	}
	for _, k := range browserKeyed {
		own[k.name] = true
	}
	return own
}()

// browserCounts are counts of which few pings have one.
var browserCounts = []weighted[string]{
	{12, `"PUSH_API_NOTIFY":`}, {10, `"WEB_NOTIFICATION_SHOWN":`}, {25, `"DEVTOOLS_TOOLBOX_OPENED_COUNT":`},
	{12, `"PLUGINS_NOTIFICATION_SHOWN":`}, {40, `"PLUGINS_INFOBAR_SHOWN":`}, {60, `"PLUGINS_INFOBAR_ALLOW":`},
	{90, `"PLUGINS_INFOBAR_BLOCK":`}, {70, `"PLUGINS_INFOBAR_DISMISSED":`},
}

// writeBrowserHistograms writes the parent's histograms for fixed columns.
func (w *writer) writeBrowserHistograms(t *text, r *random, level int) {
	if r.oneIn(2) {
		pagesCount.writeOne(t, r.span(10, 120_000))
		bookmarksCount.writeOne(t, r.span(5, 3000))
	}
	if s := w.software.sync; s > 0 {
		syncConfigured.writeOne(t, 1)
		syncDesktops.writeOne(t, s)
		syncMobiles.writeOne(t, s/2)
	} else if r.oneIn(2) {
		syncConfigured.writeOne(t, 0)
	}
	for _, c := range browserCounts {
		if r.oneIn(c.weight) {
			writeCount(t, c.value, r.span(1, 60))
		}
	}
	if r.oneIn(20) {
		pluginAction.write(t, r, level)
	}
	if !r.oneIn(4) {
		writeHandshakes(t, r)
	}
}

// writeHandshakes writes results of TLS handshakes, nearly all of which are good.
func writeHandshakes(t *text, r *random) {
	good := r.span(10, 5000)
	t.raw(handshakes.head)
	t.raw(handshakes.start)
	t.raw(handshakes.keys[0])
	t.number(good)
	sum := 0
	for n := r.span(1, 400); n < len(handshakes.keys)-1; n += r.span(1, 400) {
		bad := r.span(1, 8)
		t.raw(handshakes.keys[n])
		t.number(bad)
		sum += bad * n
	}
	t.closeValues(uint64(sum))
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

var popups = []string{`"(all)":`, `"addon-install-confirmation":`, `"web-notifications":`, `"password":`, `"geolocation":`, `"plugin-hidden":`}

// writeBrowserKeyed writes the parent's keyed histograms for fixed columns.
func (w *writer) writeBrowserKeyed(t *text, r *random, level int) {
	for i := range browserKeyed {
		t.open(browserKeyed[i].name)
		for _, k := range browserKeyed[i].keys {
			if r.oneIn(k.weight) {
				writeCount(t, k.value, r.span(1, 9))
			}
		}
		t.close()
	}
	if r.oneIn(6) {
		t.open(popupStats.name)
		for n := r.below(len(popups)); n < len(popups); n += 1 + r.below(3) {
			popupStats.writeUnder(t, popups[n], r, level)
		}
		t.close()
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

// writeSearches writes the counts of searches, of which half of the pings have
// some.
func (w *writer) writeSearches(t *text, r *random) {
	if r.oneIn(2) {
		return
	}
	t.open("SEARCH_COUNTS")
	var seen [len(searchSources)]uint32 // engines by source: keys are there once
	for n := 1 + r.few(5); n > 0; n-- {
		at := w.software.engine
		if r.oneIn(6) {
			at = r.below(len(engines))
		}
		at = min(at, len(engines)-2) // the last is broken
		if source := drawIndex(r, searchSources[:]); seen[source]>>at&1 == 0 {
			seen[source] |= 1 << at
			writeSearch(t, r, &engines[at], searchSources[source].value)
		}
	}
	if r.oneIn(25) {
		odd := oddSearches[r.below(len(oddSearches))]
		writeCount(t, odd.key, odd.count)
	}
	t.close()
}

func writeSearch(t *text, r *random, e *engine, source string) {
	t.b = append(t.b, '"')
	t.raw(e.id)
	t.raw(".")
	t.raw(source)
	if source[len(source)-1] == ':' {
		t.raw(e.code)
	}
	writeCount(t, `":`, r.span(1, 40))
}
