package generate

import (
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// A browser of 2026 sends main pings with less beside its probes, and its events in event pings.

// firstCurrent is the first major version whose pings have this shape here.
const firstCurrent = 100

// current reports whether the build is of a browser of today.
func (b *build) current() bool { return b.major >= firstCurrent }

// currentProcesses has how many of 10 pings have the measurements of a process.
var currentProcesses = map[string]int{"content": 10, "gpu": 10, "socket": 10, "utility": 7, "extension": 4, "rdd": 3}

// currentSources are the places in the browser where searches begin.
var currentSources = [len(searchSources)]weighted[string]{
	{50, "urlbar"}, {35, "searchbar"}, {15, "abouthome"}, {12, "newtab"}, {8, "contextmenu"}, {2, "system"},
	{14, "urlbar-handoff"}, {10, "urlbar-persisted"}, {6, "urlbar-searchmode"}, {4, "webextension"}, {1, "smartbar"},
}

// currentWriter writes what is other than in 2018.
type currentWriter struct{ *writer }

// addEvents appends the event pings beside what all has from a place on: of the part of a session that a main ping
// ends, and in long ones another before it.
func (g *Generator) addEvents(c *client, all []entry, from int) []entry {
	to := len(all)
	for i := from; i < to; i++ {
		e := all[i]
		b := c.channel.build(int(e.build))
		if e.again || e.kind != mainPing || !b.current() {
			continue
		}
		r := random.New(g.config.Seed, random.ForEvents, uint64(e.client), uint64(e.serial))
		if r.OneIn(4) {
			continue // nothing happened
		}
		e.kind, e.damage = eventPing, 0
		e.serial |= 1 << 31
		if e.reason != shutdown {
			e.reason, e.sender = periodic, false
		}
		e.arrival = e.made + int64(r.Span(300, 90_000))*second/1000 + int64(r.Below(1_000_000))
		all = append(all, e)
	}
	return all
}

// writeEventPing writes the payload of an event ping.
func (w currentWriter) writeEventPing(t *jsontext.Text, r *random.Source) {
	seed, c, e := w.g.config.Seed, w.client.number, w.entry
	t.Open("payload")
	t.Put("reason", reasonNames[e.reason], "processStartTimestamp", int(w.clock(e.sessionStart*second)/second/minute*minute*1000))
	t.UUID("sessionId", seed, random.ForSessionID, c, uint64(e.session))
	t.UUID("subsessionId", seed, random.ForSubsessionID, c, uint64(e.total))
	t.Put("lostEventsCount", 0)
	t.Open("events")
	a := probe.Activity{Length: int(e.made/second - e.sessionStart)}
	for _, p := range []struct {
		name string
		list []event
	}{{"parent", parentEvents}, {"content", contentEvents}, {"dynamic", dynamicEvents}} {
		if p.name == "parent" || r.OneIn(4) {
			writeEvents(t, r, p.name, p.list, r.Span(1, 40), &a)
		}
	}
	t.Close()
	t.Close()
}

// writeProcesses writes the measurements of each process.
func (w currentWriter) writeProcesses(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	c := w.g.catalogue
	t.Open("processes")
	t.Open("parent")
	c.Scalars[schema.ProcessParent].Write(t, r, a)
	t.Close()
	t.Open("dynamic")
	if w.software.measures {
		c.Dynamic.Write(t, r, a)
	}
	t.Close()
	room := a.Size - len(t.B) - len(w.tail.B)
	for p := schema.ProcessContent; p < schema.NumProcesses; p++ {
		if r.Below(10) >= currentProcesses[p.String()] {
			continue
		}
		share := 2
		if p == schema.ProcessContent {
			share = 40
		}
		t.Open(p.String())
		writeMeasured(c, t, r, a, p, room*share/100)
		t.Close()
	}
	t.Close()
}

// writeCurrentSimple writes the simple measurements that are left.
func writeCurrentSimple(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	main := r.Span(20, 4000)
	t.Object("simpleMeasurements", "totalTime", a.SessionLength, "main", main, "sessionRestored", main+r.Span(500, 20_000), "activeTicks",
		a.Ticks)
}

// writeBallast writes what some main pings have besides.
func (w currentWriter) writeBallast(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	if r.OneIn(6) {
		t.Put("log", jsontext.List{})
		w.writeSQL(t, r, a)
		t.Put("fileIOReports", nil)
		w.writeAddonDetails(t, r)
	}
}

// writeLocales writes the locales of the browser and the system.
func writeLocales(t *jsontext.Text, locale string) {
	one := jsontext.List{locale}
	language, _, _ := strings.Cut(locale, "-")
	t.Put("intl", jsontext.Members{
		"requestedLocales", one, "availableLocales", one, "appLocales", one, "systemLocales", one, "regionalPrefsLocales", one,
		"acceptLanguages", jsontext.List{locale, language},
	})
}
