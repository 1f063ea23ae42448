package generate

import (
	"strconv"

	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// writeBallast writes what main pings have besides and no column is made of.
func (w *writer) writeBallast(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	w.writeHangs(t, r, a)
	writeChromeHangs(t, r)
	t.OpenList("log")
	for n := r.Few(5) * a.Level; n > 0; n-- {
		t.Add(jsontext.List{
			"EXPERIMENT_ACTIVATION", r.Span(400, 80_000_000), "REJECTED",
			random.Pick(r, []string{"example-flash@experiments.example.org", "example-e10s-beta@experiments.example.org"}),
			random.Pick(r, []string{"endTime", "channel", "sample", "appVersion"}),
		})
	}
	t.CloseList()
	t.Open("webrtc")
	t.Open("IceCandidatesStats")
	t.Open("webrtc")
	if r.OneIn(40) {
		for n := r.Between(1, 6); n > 0; n-- {
			t.Object(strconv.Itoa(r.Below(1<<20)), "successCount", r.Below(9), "failureCount", r.Below(3))
		}
	}
	t.Close()
	t.Object("loop")
	t.Close()
	t.Close()
	w.writeSQL(t, r, a)
	writeFiles(t, r)
	t.Object("lateWrites", "memoryMap", jsontext.List{}, "stacks", jsontext.List{})
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
func (w *writer) writeHangs(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.OpenList("threadHangStats")
	for _, name := range threadNames[:min(2+a.Level, len(threadNames))] {
		t.Begin()
		t.Put("name", name)
		writeHangHistogram(t, r, "activity", 12)
		t.OpenList("hangs")
		if name == "Gecko" {
			for n := r.Few(4) + a.Level; n > 0; n-- {
				t.Begin()
				t.OpenList("stack")
				for f := r.Between(2, 9); f > 0; f-- {
					t.Add(random.Pick(r, frames))
				}
				t.CloseList()
				writeHangHistogram(t, r, "histogram", 3)
				t.Close()
			}
		}
		t.CloseList()
		t.Close()
	}
	t.CloseList()
}

// writeHangHistogram writes times in buckets of powers of two.
func writeHangHistogram(t *jsontext.Text, r *random.Source, name string, buckets int) {
	t.Open(name)
	t.Raw(`"range":[1,0],"bucket_count":33,"histogram_type":0,"values":{`)
	low := 1
	if buckets < 12 {
		low = 1 << r.Between(7, 10)
	}
	for n := 0; n < buckets; n++ {
		t.Key(strconv.Itoa(low<<n - 1))
		t.Number(r.Span(0, 1<<max(24-2*n, 1)) * min(n, 1))
	}
	t.Close()
	t.Put("sum", 0)
	t.Close()
}

func writeChromeHangs(t *jsontext.Text, r *random.Source) {
	n := 0
	if r.OneIn(25) {
		n = r.Between(1, 4)
	}
	t.Open("chromeHangs")
	t.OpenList("memoryMap")
	for i := range n {
		t.Add(jsontext.List{moduleNames[i], "44E4EC8C2F41492B9369D6B9A059577C2"})
	}
	t.CloseList()
	t.OpenList("stacks")
	for range n {
		t.BeginList()
		for f := r.Between(3, 30); f > 0; f-- {
			t.Add(jsontext.List{r.Below(n), r.Below(1 << 24)})
		}
		t.CloseList()
	}
	t.CloseList()
	for _, name := range []string{"durations", "systemUptime", "firefoxUptime"} {
		t.OpenList(name)
		for range n {
			t.Number(r.Span(5, 20_000))
		}
		t.CloseList()
	}
	t.Put("annotations", jsontext.List{})
	t.Close()
}

// statements are of invented stores, but of the length and with the line breaks of
// real ones.
var statements = []string{
	"COMMIT TRANSACTION /* example.sqlite */",
	"UPDATE example_pages SET score = SCORE(id) WHERE score < 0 /* pages.sqlite */",
	"DELETE FROM example_visits WHERE page_id NOT IN (\n  SELECT id FROM example_pages\n) /* pages.sqlite */",
	"INSERT OR REPLACE INTO example_store (origin, scope, name, value)\n  VALUES (:origin, :scope, :name, :value) /* store.sqlite */",
	"SELECT p.id, p.url, p.title, i.data,\n       (SELECT COUNT(*) FROM example_marks m WHERE m.page = p.id) AS marks\n  FROM " +
		"example_pages p\n  LEFT JOIN example_icons i ON i.id = p.icon\n WHERE p.title LIKE :private || \"%\"\n ORDER BY p.score DESC, " +
		"p.id\n LIMIT :most /* pages.sqlite */",
	"SELECT v.id, v.day, h.url, h.host, h.kind,\n       COALESCE(h.title, :untitled) AS title,\n       (SELECT GROUP_CONCAT(t.name, " +
		"\",\") FROM example_tags t WHERE t.page = h.id) AS tags\n  FROM example_visits v\n  JOIN example_pages h ON h.id = v.page_id\n " +
		"WHERE v.day BETWEEN :first AND :last\n   AND (SELECT COUNT(*) FROM example_pages) > :most\n ORDER BY v.day, v.id\n LIMIT :limit " +
		"OFFSET :offset /* pages.sqlite */",
	"UPDATE example_pages\n   SET visits = (SELECT COUNT(*) FROM example_visits WHERE page_id = example_pages.id AND kind NOT IN (0, 4, " +
		"8)),\n       last = (SELECT MAX(day) FROM example_visits WHERE page_id = example_pages.id)\n WHERE id IN (SELECT page_id FROM " +
		"example_visits WHERE day >= :since) /* pages.sqlite */",
	"UPDATE example_cookies SET used = :used WHERE name = :name AND host = :host AND path = :path /* cookies.sqlite */",
	"ANALYZE example_visits /* pages.sqlite */",
	"PRAGMA wal_checkpoint /* Untracked SQL for pages.sqlite */",
}

// writeSQL writes slow statements: how often, and how long altogether.
func (w *writer) writeSQL(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.Open("slowSQL")
	t.Open("mainThread")
	if r.OneIn(5) {
		writeStatement(t, r, statements[0])
	}
	t.Close()
	t.Open("otherThreads")
	most := min(2+2*a.Level, len(statements))
	for n := r.Below(most + 1); n < most; n += 1 + r.Below(2) {
		writeStatement(t, r, statements[n])
	}
	t.Close()
	t.Close()
}

func writeStatement(t *jsontext.Text, r *random.Source, s string) {
	t.Name(s)
	n := r.Span(1, 60)
	t.Add(jsontext.List{n, n * r.Span(100, 3000)})
}

func writeFiles(t *jsontext.Text, r *random.Source) {
	if r.OneIn(3) {
		t.Put("fileIOReports", nil)
		return
	}
	t.Open("fileIOReports")
	if r.OneIn(6) {
		for _, name := range []string{"{profile}\\example.sqlite", "{xre}\\omni.ja", "{profile}\\prefs.js"} {
			t.Name(name)
			t.BeginList()
			for range 2 {
				t.BeginList()
				t.Raw("13.42,")
				for range 5 {
					t.Number(r.Span(0, 90))
				}
				t.CloseList()
			}
			t.CloseList()
		}
	}
	t.Close()
}
