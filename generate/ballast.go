package generate

import "strconv"

// writeBallast writes what main pings have besides and no column is made of.
func (w *writer) writeBallast(t *text, r *random, a *activity) {
	w.writeHangs(t, r, a)
	writeChromeHangs(t, r)
	t.openList("log")
	for n := r.few(5) * a.level; n > 0; n-- {
		t.beginList()
		t.elem("EXPERIMENT_ACTIVATION")
		t.number(r.span(400, 80_000_000))
		t.elem("REJECTED")
		t.elem(pick(r, []string{"example-flash@experiments.example.org", "example-e10s-beta@experiments.example.org"}))
		t.elem(pick(r, []string{"endTime", "channel", "sample", "appVersion"}))
		t.closeList()
	}
	t.closeList()
	t.open("webrtc")
	t.open("IceCandidatesStats")
	t.open("webrtc")
	if r.oneIn(40) {
		for n := r.between(1, 6); n > 0; n-- {
			t.open(strconv.Itoa(r.below(1 << 20)))
			t.num("successCount", r.below(9))
			t.num("failureCount", r.below(3))
			t.close()
		}
	}
	t.close()
	t.open("loop")
	t.close()
	t.close()
	t.close()
	w.writeSQL(t, r, a)
	writeFiles(t, r)
	t.open("lateWrites")
	t.list("memoryMap", nil)
	t.list("stacks", nil)
	t.close()
	w.writeAddonDetails(t, r)
	writeInterface(t, r)
	writeChildren(t, r)
}

// Threads, modules and places in code, all invented.
var (
	threadNames = []string{"Gecko", "Compositor", "ImageBridgeChild", "ProcessHangMonitor", "StyleThread#0", "SoftwareVsyncThread"}
	moduleNames = []string{"xul.pdb", "ntdll.pdb", "user32.pdb", "nss3.pdb", "example.pdb"}
	frames      = []string{
		"Startup::Main", "Window::Dispatch", "browser/content/example.xul:1", "Timer::Fire", "modules/ExampleStore.jsm:412",
		"(content script)", "Painter::Flush", "IPC::Receive", "chrome script", "modules/Sessions.jsm:88", "Loader::Finish",
	}
)

// writeHangs writes how long the events of threads took, with stacks of the
// longest.
func (w *writer) writeHangs(t *text, r *random, a *activity) {
	t.openList("threadHangStats")
	for _, name := range threadNames[:min(2+a.level, len(threadNames))] {
		t.begin()
		t.str("name", name)
		writeHangHistogram(t, r, "activity", 12)
		t.openList("hangs")
		if name == "Gecko" {
			for n := r.few(4) + a.level; n > 0; n-- {
				t.begin()
				t.openList("stack")
				for f := r.between(2, 9); f > 0; f-- {
					t.elem(pick(r, frames))
				}
				t.closeList()
				writeHangHistogram(t, r, "histogram", 3)
				t.close()
			}
		}
		t.closeList()
		t.close()
	}
	t.closeList()
}

// writeHangHistogram writes times in buckets of powers of two.
func writeHangHistogram(t *text, r *random, name string, buckets int) {
	t.open(name)
	t.raw(`"range":[1,0],"bucket_count":33,"histogram_type":0,"values":{`)
	low := 1
	if buckets < 12 {
		low = 1 << r.between(7, 10)
	}
	for n := 0; n < buckets; n++ {
		t.key(strconv.Itoa(low<<n - 1))
		t.number(r.span(0, 1<<max(24-2*n, 1)) * min(n, 1))
	}
	t.close()
	t.num("sum", 0)
	t.close()
}

func writeChromeHangs(t *text, r *random) {
	n := 0
	if r.oneIn(25) {
		n = r.between(1, 4)
	}
	t.open("chromeHangs")
	t.openList("memoryMap")
	for i := range n {
		t.beginList()
		t.elem(moduleNames[i])
		t.elem("44E4EC8C2F41492B9369D6B9A059577C2")
		t.closeList()
	}
	t.closeList()
	t.openList("stacks")
	for range n {
		t.beginList()
		for f := r.between(3, 30); f > 0; f-- {
			t.beginList()
			t.number(r.below(n))
			t.number(r.below(1 << 24))
			t.closeList()
		}
		t.closeList()
	}
	t.closeList()
	for _, name := range []string{"durations", "systemUptime", "firefoxUptime"} {
		t.openList(name)
		for range n {
			t.number(r.span(5, 20_000))
		}
		t.closeList()
	}
	t.list("annotations", nil)
	t.close()
}

// statements are of invented stores, but of the length and with the line breaks of
// real ones.
var statements = []string{
	"COMMIT TRANSACTION /* example.sqlite */",
	"UPDATE example_pages SET score = SCORE(id) WHERE score < 0 /* pages.sqlite */",
	"DELETE FROM example_visits WHERE page_id NOT IN (\n  SELECT id FROM example_pages\n) /* pages.sqlite */",
	"INSERT OR REPLACE INTO example_store (origin, scope, name, value)\n  VALUES (:origin, :scope, :name, :value) /* store.sqlite */",
	"SELECT p.id, p.url, p.title, i.data,\n       (SELECT COUNT(*) FROM example_marks m WHERE m.page = p.id) AS marks\n  FROM example_pages p\n  LEFT JOIN example_icons i ON i.id = p.icon\n WHERE p.title LIKE :private || \"%\"\n ORDER BY p.score DESC, p.id\n LIMIT :most /* pages.sqlite */",
	"SELECT v.id, v.day, h.url, h.host, h.kind,\n       COALESCE(h.title, :untitled) AS title,\n       (SELECT GROUP_CONCAT(t.name, \",\") FROM example_tags t WHERE t.page = h.id) AS tags\n  FROM example_visits v\n  JOIN example_pages h ON h.id = v.page_id\n WHERE v.day BETWEEN :first AND :last\n   AND (SELECT COUNT(*) FROM example_pages) > :most\n ORDER BY v.day, v.id\n LIMIT :limit OFFSET :offset /* pages.sqlite */",
	"UPDATE example_pages\n   SET visits = (SELECT COUNT(*) FROM example_visits WHERE page_id = example_pages.id AND kind NOT IN (0, 4, 8)),\n       last = (SELECT MAX(day) FROM example_visits WHERE page_id = example_pages.id)\n WHERE id IN (SELECT page_id FROM example_visits WHERE day >= :since) /* pages.sqlite */",
	"UPDATE example_cookies SET used = :used WHERE name = :name AND host = :host AND path = :path /* cookies.sqlite */",
	"ANALYZE example_visits /* pages.sqlite */",
	"PRAGMA wal_checkpoint /* Untracked SQL for pages.sqlite */",
}

// writeSQL writes slow statements: how often, and how long altogether.
func (w *writer) writeSQL(t *text, r *random, a *activity) {
	t.open("slowSQL")
	t.open("mainThread")
	if r.oneIn(5) {
		writeStatement(t, r, statements[0])
	}
	t.close()
	t.open("otherThreads")
	most := min(2+2*a.level, len(statements))
	for n := r.below(most + 1); n < most; n += 1 + r.below(2) {
		writeStatement(t, r, statements[n])
	}
	t.close()
	t.close()
}

func writeStatement(t *text, r *random, s string) {
	t.name(s)
	n := r.span(1, 60)
	t.beginList()
	t.number(n)
	t.number(n * r.span(100, 3000))
	t.closeList()
}

func writeFiles(t *text, r *random) {
	if r.oneIn(3) {
		t.null("fileIOReports")
		return
	}
	t.open("fileIOReports")
	if r.oneIn(6) {
		for _, name := range []string{"{profile}\\example.sqlite", "{xre}\\omni.ja", "{profile}\\prefs.js"} {
			t.name(name)
			t.beginList()
			for range 2 {
				t.beginList()
				t.raw("13.42,")
				for range 5 {
					t.number(r.span(0, 90))
				}
				t.closeList()
			}
			t.closeList()
		}
	}
	t.close()
}
