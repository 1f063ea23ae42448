package generate

import (
	"github.com/pingmill/pingmill/generate/jsontext"
	"github.com/pingmill/pingmill/generate/probe"
	"github.com/pingmill/pingmill/generate/random"
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
		t.Open("GMP")
		t.Open("gmp-gmpopenh264")
		t.Bool("userDisabled", false)
		t.Num("applyBackgroundUpdates", 1)
		t.Str("version", "1.7.1")
		t.Close()
		t.Close()
	}
	t.Close()
}

func writeDetails(t *jsontext.Text, r *random.Source, a *addon) {
	t.Name(a.id)
	t.Begin()
	if a.system {
		t.Str("location", "app-system-defaults")
	} else {
		t.Str("location", "app-profile")
	}
	t.Str("name", a.name)
	if a.creator != "" {
		t.Str("creator", a.creator)
	}
	if r.OneIn(2) {
		t.Num("scan_items", r.Between(1, 30))
		t.Num("scan_MS", r.Below(12))
	}
	t.Num("startup_MS", r.Span(0, 900))
	if r.OneIn(3) {
		t.Num("shutdown_MS", r.Below(40))
	}
	t.Close()
}

// writeInterface writes use of the interface as a few browsers record it.
func writeInterface(t *jsontext.Text, r *random.Source) {
	t.OpenList("UIMeasurements")
	if r.OneIn(30) {
		for n := r.Between(1, 9); n > 0; n-- {
			t.Begin()
			t.Str("type", random.Pick(r, []string{"session", "event"}))
			t.Str("name", random.Pick(r, []string{"awesomescreen.1", "example.panel", "reader.1"}))
			t.Num("start", r.Span(1000, 9_000_000))
			t.Close()
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
		t.Num("ver", 4)
		t.Open("simpleMeasurements")
		t.Num("totalTime", r.Span(10, 90_000))
		t.Num("uptime", r.Span(1, 1500))
		t.Num("start", 0)
		t.Num("maximalNumberOfConcurrentThreads", r.Between(20, 60))
		t.Close()
		t.List("log", nil)
		t.OpenList("threadHangStats")
		t.Begin()
		t.Str("name", "ImageBridgeChild")
		writeHangHistogram(t, r, "activity", 12)
		t.List("hangs", nil)
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
	t.Num("totalTime", a.SessionLength)
	t.Num("uptime", a.SessionLength/minute)
	t.Num("start", r.Between(0, 5))
	at := r.Span(20, 4000)
	t.Num("main", at)
	for _, step := range startupSteps {
		at += r.Span(1, 400)
		t.Num(step, at)
	}
	t.Num("firstPaint", a.FirstPaint)
	t.Num("sessionRestored", at+r.Span(20, 2000))
	t.Num("startupCrashDetectionEnd", at+30_000)
	t.Num("startupInterrupted", r.Below(10)/9)
	t.Open("addonManager")
	t.Num("XPIDB_syncRead_MS", r.Between(1, 30))
	t.Num("XPIDB_parseDB_MS", r.Between(1, 20))
	t.List("XPIDB_startup_load_reasons", []string{"directoryState"})
	t.Close()
	t.Open("js")
	t.Num("setProto", r.Below(40))
	t.Num("customIter", r.Span(0, 900))
	t.Close()
	t.Num("maximalNumberOfConcurrentThreads", r.Between(30, 110))
	t.Num("debuggerAttached", 0)
	t.Num("shutdownDuration", r.Span(100, 60_000))
	t.Num("failedProfileLockCount", r.Below(30)/29)
	t.Num("savedPings", r.Few(4))
	t.Num("activeTicks", a.Ticks)
	t.Num("pingsOverdue", 0)
	writeUse(t, r, a)
	t.Close()
}

var (
	buttons = []string{"back-button", "reload-button", "home-button", "downloads-button", "bookmarks-menu-button", "urlbar-container", "new-tab-button", "tabbrowser-tabs", "find-button"}
	clicks  = []string{"left", "middle", "right"}
)

// writeUse writes clicks by button.
func writeUse(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.Open("UITelemetry")
	t.Open("toolbars")
	t.Str("sizemode", random.Pick(r, []string{"maximized", "normal", "fullscreen"}))
	t.Bool("bookmarksBarEnabled", r.OneIn(2))
	t.Bool("menuBarEnabled", r.OneIn(5))
	t.Bool("titleBarEnabled", r.OneIn(7))
	t.List("defaultKept", buttons[:r.Between(4, len(buttons))])
	t.List("defaultRemoved", nil)
	t.OpenList("visibleTabs")
	t.Number(a.Tabs)
	t.CloseList()
	t.Open("countableEvents")
	t.Open("__DEFAULT__")
	t.Open("click-builtin-item")
	for n := r.Below(3); n < len(buttons); n += 1 + r.Below(3) {
		t.Open(buttons[n])
		t.Num(random.Pick(r, clicks), r.Span(1, 300))
		t.Close()
	}
	t.Close()
	t.Close()
	t.Close()
	t.Close()
	t.Open("contextmenu")
	t.Close()
	t.Close()
}
