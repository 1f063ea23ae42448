package generate

// writeAddonDetails writes how long add-ons took: active ones but for some, and
// those that are disabled.
func (w *writer) writeAddonDetails(t *text, r *random) {
	s := &w.software
	t.open("addonDetails")
	t.open("XPI")
	for _, list := range [][]addon{s.addons, s.disabled} {
		for i := range list {
			if a := &list[i]; !r.oneIn(7) {
				writeDetails(t, r, a)
			}
		}
	}
	if !r.oneIn(3) {
		theme := defaultTheme
		writeDetails(t, r, &theme)
	}
	t.close()
	if r.oneIn(4) {
		t.open("GMP")
		t.open("gmp-gmpopenh264")
		t.bool("userDisabled", false)
		t.num("applyBackgroundUpdates", 1)
		t.str("version", "1.7.1")
		t.close()
		t.close()
	}
	t.close()
}

func writeDetails(t *text, r *random, a *addon) {
	t.name(a.id)
	t.begin()
	if a.system {
		t.str("location", "app-system-defaults")
	} else {
		t.str("location", "app-profile")
	}
	t.str("name", a.name)
	if a.creator != "" {
		t.str("creator", a.creator)
	}
	if r.oneIn(2) {
		t.num("scan_items", r.between(1, 30))
		t.num("scan_MS", r.below(12))
	}
	t.num("startup_MS", r.span(0, 900))
	if r.oneIn(3) {
		t.num("shutdown_MS", r.below(40))
	}
	t.close()
}

// writeInterface writes use of the interface as a few browsers record it.
func writeInterface(t *text, r *random) {
	t.openList("UIMeasurements")
	if r.oneIn(30) {
		for n := r.between(1, 9); n > 0; n-- {
			t.begin()
			t.str("type", pick(r, []string{"session", "event"}))
			t.str("name", pick(r, []string{"awesomescreen.1", "example.panel", "reader.1"}))
			t.num("start", r.span(1000, 9_000_000))
			t.close()
		}
	}
	t.closeList()
}

// writeChildren writes the payloads of child processes as older browsers have
// them.
func writeChildren(t *text, r *random) {
	t.openList("childPayloads")
	if r.oneIn(10) {
		t.begin()
		t.num("ver", 4)
		t.open("simpleMeasurements")
		t.num("totalTime", r.span(10, 90_000))
		t.num("uptime", r.span(1, 1500))
		t.num("start", 0)
		t.num("maximalNumberOfConcurrentThreads", r.between(20, 60))
		t.close()
		t.list("log", nil)
		t.openList("threadHangStats")
		t.begin()
		t.str("name", "ImageBridgeChild")
		writeHangHistogram(t, r, "activity", 12)
		t.list("hangs", nil)
		t.close()
		t.closeList()
		t.close()
	}
	t.closeList()
}

var startupSteps = []string{
	"selectProfile", "startupCrashDetectionBegin", "AMI_startup_begin", "XPI_startup_begin", "XPI_bootstrap_addons_begin",
	"XPI_bootstrap_addons_end", "XPI_startup_end", "AMI_startup_end", "XPI_finalUIStartup", "sessionRestoreInit",
	"sessionRestoreInitialized", "createTopLevelWindow", "delayedStartupStarted", "delayedStartupFinished",
	"sessionRestoreRestoring",
}

// writeSimple writes the simple measurements: times of the start and use of the
// interface.
func (w *writer) writeSimple(t *text, r *random, a *activity) {
	t.open("simpleMeasurements")
	t.num("totalTime", a.sessionLength)
	t.num("uptime", a.sessionLength/minute)
	t.num("start", r.between(0, 5))
	at := r.span(20, 4000)
	t.num("main", at)
	for _, step := range startupSteps {
		at += r.span(1, 400)
		t.num(step, at)
	}
	t.num("firstPaint", a.firstPaint)
	t.num("sessionRestored", at+r.span(20, 2000))
	t.num("startupCrashDetectionEnd", at+30_000)
	t.num("startupInterrupted", r.below(10)/9)
	t.open("addonManager")
	t.num("XPIDB_syncRead_MS", r.between(1, 30))
	t.num("XPIDB_parseDB_MS", r.between(1, 20))
	t.list("XPIDB_startup_load_reasons", []string{"directoryState"})
	t.close()
	t.open("js")
	t.num("setProto", r.below(40))
	t.num("customIter", r.span(0, 900))
	t.close()
	t.num("maximalNumberOfConcurrentThreads", r.between(30, 110))
	t.num("debuggerAttached", 0)
	t.num("shutdownDuration", r.span(100, 60_000))
	t.num("failedProfileLockCount", r.below(30)/29)
	t.num("savedPings", r.few(4))
	t.num("activeTicks", a.ticks)
	t.num("pingsOverdue", 0)
	writeUse(t, r, a)
	t.close()
}

var (
	buttons = []string{"back-button", "reload-button", "home-button", "downloads-button", "bookmarks-menu-button", "urlbar-container", "new-tab-button", "tabbrowser-tabs", "find-button"}
	clicks  = []string{"left", "middle", "right"}
)

// writeUse writes clicks by button.
func writeUse(t *text, r *random, a *activity) {
	t.open("UITelemetry")
	t.open("toolbars")
	t.str("sizemode", pick(r, []string{"maximized", "normal", "fullscreen"}))
	t.bool("bookmarksBarEnabled", r.oneIn(2))
	t.bool("menuBarEnabled", r.oneIn(5))
	t.bool("titleBarEnabled", r.oneIn(7))
	t.list("defaultKept", buttons[:r.between(4, len(buttons))])
	t.list("defaultRemoved", nil)
	t.openList("visibleTabs")
	t.number(a.tabs)
	t.closeList()
	t.open("countableEvents")
	t.open("__DEFAULT__")
	t.open("click-builtin-item")
	for n := r.below(3); n < len(buttons); n += 1 + r.below(3) {
		t.open(buttons[n])
		t.num(pick(r, clicks), r.span(1, 300))
		t.close()
	}
	t.close()
	t.close()
	t.close()
	t.close()
	t.open("contextmenu")
	t.close()
	t.close()
}
