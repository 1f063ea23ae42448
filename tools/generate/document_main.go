package generate

import (
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

func (w *writer) activity() probe.Activity {
	e := w.entry
	r := random.New(w.g.config.Seed, random.ForSize, w.client.number, uint64(e.serial))
	end := e.made / second
	a := probe.Activity{
		Length: int(end - e.subsessionStart), SessionLength: int(end - e.sessionStart),
		Size: w.drawSize(&r), FirstPaint: r.Span(300, 60_000),
	}
	a.Level = levelOf(a.Size * 100 / w.g.config.MeanBytes)
	if r.OneIn(30) {
		a.SessionLength += r.Between(-3*hour, 40*daySec) // the clock was set
	}
	a.Ticks = a.Length / 5 * r.Below(90) / 100
	a.Pages = a.Ticks * r.Below(60) / 100
	a.Domains = min(a.Pages/(1+r.Below(9)), 100)
	a.Opened = a.Pages / (2 + r.Below(20))
	a.Tabs = 1 + min(r.Span(0, 40), a.Opened+8)
	a.NewWindows = r.Few(4)
	a.Windows = 1 + a.NewWindows/2
	return a
}

// sizes lists quantiles of the size of main pings: a share of pings, in thousandths, is below a size in thousandths of
// the mean.
var sizes = []struct{ share, size int }{
	{0, 250}, {100, 395}, {250, 560}, {500, 790}, {750, 1130}, {900, 1880}, {990, 3100}, {1000, 4950},
}

// drawSize draws the size of a main ping. Half of the time it is near the size of the client's other pings.
func (w *writer) drawSize(r *random.Source) int {
	share := r.Below(1000)
	if r.OneIn(2) {
		share = min(max(w.client.size+r.Between(-60, 60), 0), 999)
	}
	i := 0
	for sizes[i+1].share <= share {
		i++
	}
	a, b := sizes[i], sizes[i+1]
	size := a.size + (b.size-a.size)*(share-a.share)/(b.share-a.share)
	return size * w.g.config.MeanBytes / 1000
}

// levelOf returns the level of a ping whose size is a percentage of the mean.
func levelOf(percent int) int {
	level := 0
	for _, bound := range [probe.Levels - 1]int{45, 75, 125, 200, 320} {
		if percent >= bound {
			level++
		}
	}
	return level
}

// writeMain writes the payload of a main ping but for its end, which is in the
// tail.
func (w *writer) writeMain(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	t.Open("payload")
	t.Put("ver", 4)
	if w.build.current() {
		writeCurrentSimple(t, r, a)
		currentWriter{w}.writeProcesses(t, r, a)
	} else {
		w.writeSimple(t, r, a)
		w.writeProcesses(t, r, a)
	}
	t.Open("keyedHistograms")
	w.writeBrowserKeyed(t, r, a.Level)
	w.g.catalogue.WriteKeyed(t, r, schema.ProcessParent, a.Level)
	t.Close()
	t.Open("histograms")
	w.writeBrowserHistograms(t, r, a.Level)
	w.g.catalogue.WritePlain(t, r, schema.ProcessParent, a.Size-len(t.B)-len(w.tail.B), a.Level)
	t.Close()
}

// writeProcesses writes the measurements of each process. The rest of the wanted size is divided between the
// histograms of the content processes and those of the parent, which are written later.
func (w *writer) writeProcesses(t *jsontext.Text, r *random.Source, a *probe.Activity) {
	c := w.g.catalogue
	t.Open("processes")
	t.Open("parent")
	writeEvents(t, r, "events", parentEvents, w.events(r, a, 2), a)
	c.Scalars[schema.ProcessParent].Write(t, r, a)
	if w.client.channel.train == nightlyTrain {
		t.Raw(`"gc":{"random":[],"worst":[]},`)
	}
	t.Close()
	if w.software.measures {
		t.Open("dynamic")
		writeEvents(t, r, "events", dynamicEvents, w.events(r, a, 1), a)
		c.Dynamic.Write(t, r, a)
		t.Close()
	}
	room := a.Size - len(t.B) - len(w.tail.B)
	if w.software.e10s {
		w.writeProcess(t, r, a, schema.ProcessContent, room*2/5)
	}
	if w.hardware.gpu {
		w.writeProcess(t, r, a, schema.ProcessGPU, room/30)
	}
	t.Close()
}

func (w *writer) writeProcess(t *jsontext.Text, r *random.Source, a *probe.Activity, p schema.Process, room int) {
	start := len(t.B)
	t.Open(p.String())
	if r.OneIn(3) {
		writeEvents(t, r, "events", contentEvents, w.events(r, a, 1), a)
	}
	writeMeasured(w.g.catalogue, t, r, a, p, room-(len(t.B)-start))
	t.Close()
}

// writeMeasured writes the scalars and histograms of a process.
func writeMeasured(c *probe.Catalogue, t *jsontext.Text, r *random.Source, a *probe.Activity, p schema.Process, room int) {
	start := len(t.B)
	c.Scalars[p].Write(t, r, a)
	t.Open("keyedHistograms")
	c.WriteKeyed(t, r, p, a.Level/2)
	t.Close()
	t.Open("histograms")
	c.WritePlain(t, r, p, room-(len(t.B)-start), a.Level)
	t.Close()
}

// events returns the number of events: none in many pings, dozens in some.
func (w *writer) events(r *random.Source, a *probe.Activity, share int) int {
	if r.Below(3) >= share {
		return 0
	}
	return r.Span(1, 4+6*a.Level*a.Level)
}

// writeInfo writes which subsession this is.
func (w *writer) writeInfo(t *jsontext.Text, a *probe.Activity) {
	e, seed, c := w.entry, w.g.config.Seed, w.client.number
	t.Open("info")
	t.Put(
		"reason", reasonNames[e.reason], "revision", "https://hg.example.org/releases/rev/"+w.build.id,
		"timezoneOffset", w.client.offset(),
	)
	if e.previous >= 0 {
		t.Put("previousBuildId", w.client.channel.build(int(e.previous)).id)
	} else {
		t.Put("previousBuildId", nil)
	}
	id := func(name string, purpose random.Purpose, n uint32) {
		if n == 0 {
			t.Put(name, nil)
		} else {
			t.UUID(name, seed, purpose, c, uint64(n))
		}
	}
	id("sessionId", random.ForSessionID, e.session)
	id("subsessionId", random.ForSubsessionID, e.total)
	id("previousSessionId", random.ForSessionID, e.session-1)
	id("previousSubsessionId", random.ForSubsessionID, e.total-1)
	t.Put("subsessionCounter", int(e.number), "profileSubsessionCounter", int(e.total))
	t.LocalHour("sessionStartDate", w.clock(e.sessionStart*second), w.client.zone())
	t.LocalHour("subsessionStartDate", w.clock(e.subsessionStart*second), w.client.zone())
	t.Put("sessionLength", a.SessionLength, "subsessionLength", a.Length)
	w.writeInfoAddons(t)
	t.Close()
}

// writeInfoAddons writes the add-ons as one text of names and versions.
func (w *writer) writeInfoAddons(t *jsontext.Text) {
	t.Key("addons")
	t.B = append(t.B, '"')
	for i := range w.software.addons {
		a := &w.software.addons[i]
		if i > 0 {
			t.B = append(t.B, ',')
		}
		t.B = appendEscaped(t.B, a.id)
		t.B = append(t.B, ':')
		t.B = appendEscaped(t.B, a.version)
	}
	t.B = append(t.B, '"', ',')
}

// appendEscaped appends a text with what is no letter, digit, point, dash or
// underscore as percent escapes.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '-', c == '_':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}
