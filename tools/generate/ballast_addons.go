package generate

import (
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// writeAddonDetails writes how long add-ons took: active ones but for some, and
// those that are disabled.
func (w *writer) writeAddonDetails(t *jsontext.Text, r *random.Source) {
	s := &w.software
	t.Open("addonDetails")
	t.Open("XPI")
	for _, list := range [][]addon{s.addons, s.disabled} {
		for i := range list {
			if a := &list[i]; !r.OneIn(7) {
				writeDetails(t, r, a)
			}
		}
	}
	if !r.OneIn(3) {
		theme := defaultTheme
		writeDetails(t, r, &theme)
	}
	t.Close()
	if r.OneIn(4) {
		t.Object("GMP", "gmp-gmpopenh264", jsontext.Members{"userDisabled", false, "applyBackgroundUpdates", 1, "version", "1.7.1"})
	}
	t.Close()
}

func writeDetails(t *jsontext.Text, r *random.Source, a *addon) {
	t.Name(a.id)
	t.Begin()
	location := "app-profile"
	if a.system {
		location = "app-system-defaults"
	}
	t.Put("location", location, "name", a.name)
	t.PutIf(a.creator != "", "creator", a.creator)
	if r.OneIn(2) {
		t.Put("scan_items", r.Between(1, 30), "scan_MS", r.Below(12))
	}
	t.Put("startup_MS", r.Span(0, 900))
	if r.OneIn(3) {
		t.Put("shutdown_MS", r.Below(40))
	}
	t.Close()
}

// writeInterface writes use of the interface as a few browsers record it.
func writeInterface(t *jsontext.Text, r *random.Source) {
	t.OpenList("UIMeasurements")
	if r.OneIn(30) {
		for n := r.Between(1, 9); n > 0; n-- {
			t.Add(jsontext.Members{
				"type", random.Pick(r, []string{"session", "event"}),
				"name", random.Pick(r, []string{"awesomescreen.1", "example.panel", "reader.1"}),
				"start", r.Span(1000, 9_000_000),
			})
		}
	}
	t.CloseList()
}

// writeChildren writes the payloads of child processes as older browsers have
// them.
func writeChildren(t *jsontext.Text, r *random.Source) {
	t.OpenList("childPayloads")
	if r.OneIn(10) {
		t.Begin()
		t.Put("ver", 4, "simpleMeasurements", jsontext.Members{
			"totalTime", r.Span(10, 90_000), "uptime", r.Span(1, 1500), "start", 0,
			"maximalNumberOfConcurrentThreads", r.Between(20, 60),
		}, "log", jsontext.List{})
		t.OpenList("threadHangStats")
		t.Begin()
		t.Put("name", "ImageBridgeChild")
		writeHangHistogram(t, r, "activity", 12)
		t.Put("hangs", jsontext.List{})
		t.Close()
		t.CloseList()
		t.Close()
	}
	t.CloseList()
}

var startupSteps = []string{
	"selectProfile", "startupCrashDetectionBegin", "AMI_startup_begin", "XPI_startup_begin", "XPI_bootstrap_addons_begin",
	"XPI_bootstrap_addons_end", "XPI_startup_end", "AMI_startup_end", "XPI_finalUIStartup", "sessionRestoreInit",
	"sessionRestoreInitialized", "createTopLevelWindow", "delayedStartupStarted", "delayedStartupFinished",
	"sessionRestoreRestoring",
}

// writeSimple writes the simple measurements: times of the start and use of the
// interface.
func (w *writer) writeSimple(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.Open("simpleMeasurements")
	t.Put("totalTime", a.SessionLength, "uptime", a.SessionLength/minute, "start", r.Between(0, 5))
	at := r.Span(20, 4000)
	t.Put("main", at)
	for _, step := range startupSteps {
		at += r.Span(1, 400)
		t.Put(step, at)
	}
	t.Put(
		"firstPaint", a.FirstPaint, "sessionRestored", at+r.Span(20, 2000), "startupCrashDetectionEnd", at+30_000,
		"startupInterrupted", r.Below(10)/9,
		"addonManager", jsontext.Members{
			"XPIDB_syncRead_MS", r.Between(1, 30), "XPIDB_parseDB_MS", r.Between(1, 20),
			"XPIDB_startup_load_reasons", jsontext.List{"directoryState"},
		},
		"js", jsontext.Members{"setProto", r.Below(40), "customIter", r.Span(0, 900)},
		"maximalNumberOfConcurrentThreads", r.Between(30, 110), "debuggerAttached", 0,
		"shutdownDuration", r.Span(100, 60_000), "failedProfileLockCount", r.Below(30)/29, "savedPings", r.Few(4),
		"activeTicks", a.Ticks, "pingsOverdue", 0,
	)
	writeUse(t, r, a)
	t.Close()
}

var (
	buttons = []string{"back-button", "reload-button", "home-button", "downloads-button", "bookmarks-menu-button", "urlbar-container",
		"new-tab-button", "tabbrowser-tabs", "find-button"}
	clicks = []string{"left", "middle", "right"}
)

// writeUse writes clicks by button.
func writeUse(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.Open("UITelemetry")
	t.Open("toolbars")
	t.Put(
		"sizemode", random.Pick(r, []string{"maximized", "normal", "fullscreen"}), "bookmarksBarEnabled", r.OneIn(2),
		"menuBarEnabled", r.OneIn(5), "titleBarEnabled", r.OneIn(7),
		"defaultKept", buttons[:r.Between(4, len(buttons))], "defaultRemoved", jsontext.List{},
		"visibleTabs", jsontext.List{a.Tabs},
	)
	t.Open("countableEvents")
	t.Open("__DEFAULT__")
	t.Open("click-builtin-item")
	for n := r.Below(3); n < len(buttons); n += 1 + r.Below(3) {
		t.Object(buttons[n], random.Pick(r, clicks), r.Span(1, 300))
	}
	t.Close()
	t.Close()
	t.Close()
	t.Close()
	t.Object("contextmenu")
	t.Close()
}
