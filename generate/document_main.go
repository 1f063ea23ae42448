package generate

import "github.com/pingmill/pingmill/schema"

// activity is what happened in a subsession.
type activity struct {
	length, sessionLength int // seconds
	size                  int // bytes that the ping shall have
	level                 int // how much there is to count
	ticks                 int // five-second intervals of use
	pages, domains        int
	tabs, opened          int
	windows, newWindows   int
	firstPaint            int // ms
}

func (w *writer) activity() activity {
	e := w.entry
	r := newRandom(w.g.config.Seed, forSize, w.client.number, uint64(e.serial))
	end := e.made / second
	a := activity{
		length: int(end - e.subsessionStart), sessionLength: int(end - e.sessionStart),
		size: w.drawSize(&r), firstPaint: r.span(300, 60_000),
	}
	a.level = levelOf(a.size * 100 / w.g.config.MeanBytes)
	if r.oneIn(30) {
		a.sessionLength += r.between(-3*hour, 40*daySec) // the clock was set
	}
	a.ticks = a.length / 5 * r.below(90) / 100
	a.pages = a.ticks * r.below(60) / 100
	a.domains = min(a.pages/(1+r.below(9)), 100)
	a.opened = a.pages / (2 + r.below(20))
	a.tabs = 1 + min(r.span(0, 40), a.opened+8)
	a.newWindows = r.few(4)
	a.windows = 1 + a.newWindows/2
	return a
}

// sizes are quantiles of the size of main pings: so many in a thousand are
// below so many thousandths of the mean.
var sizes = []struct{ share, size int }{
	{0, 250}, {100, 395}, {250, 560}, {500, 790}, {750, 1130}, {900, 1880}, {990, 3100}, {1000, 4950},
}

// drawSize is the size of a main ping. Half of the time it is near that of the
// client's others.
func (w *writer) drawSize(r *random) int {
	share := r.below(1000)
	if r.oneIn(2) {
		share = min(max(w.client.size+r.between(-60, 60), 0), 999)
	}
	i := 0
	for sizes[i+1].share <= share {
		i++
	}
	a, b := sizes[i], sizes[i+1]
	size := a.size + (b.size-a.size)*(share-a.share)/(b.share-a.share)
	return size * w.g.config.MeanBytes / 1000
}

// levelOf is the level of a ping of so many hundredths of the mean size.
func levelOf(percent int) int {
	level := 0
	for _, bound := range [levels - 1]int{45, 75, 125, 200, 320} {
		if percent >= bound {
			level++
		}
	}
	return level
}

// writeMain writes the payload of a main ping but for its end, which is in the
// tail.
func (w *writer) writeMain(t *text, r *random, a *activity) {
	t.open("payload")
	t.num("ver", 4)
	w.writeSimple(t, r, a)
	w.writeProcesses(t, r, a)
	t.open("keyedHistograms")
	w.writeBrowserKeyed(t, r, a.level)
	w.g.catalogue.writeKeyed(t, r, schema.ProcessParent, a.level)
	t.close()
	t.open("histograms")
	w.writeBrowserHistograms(t, r, a.level)
	w.g.catalogue.writePlain(t, r, schema.ProcessParent, a.size-len(t.b)-len(w.tail.b), a.level)
	t.close()
}

// writeProcesses writes what each process measured. What is left of the wanted
// size is shared between the histograms of the content processes and, written
// later, those of the parent.
func (w *writer) writeProcesses(t *text, r *random, a *activity) {
	c := w.g.catalogue
	t.open("processes")
	t.open("parent")
	writeEvents(t, r, parentEvents, w.events(r, a, 2), a)
	c.scalars[schema.ProcessParent].write(t, r, a)
	if w.client.channel.train == nightlyTrain {
		t.raw(`"gc":{"random":[],"worst":[]},`)
	}
	t.close()
	if w.software.measures {
		t.open("dynamic")
		writeEvents(t, r, dynamicEvents, w.events(r, a, 1), a)
		c.dynamic.write(t, r, a)
		t.close()
	}
	room := a.size - len(t.b) - len(w.tail.b)
	if w.software.e10s {
		w.writeProcess(t, r, a, schema.ProcessContent, room*2/5)
	}
	if w.hardware.gpu {
		w.writeProcess(t, r, a, schema.ProcessGPU, room/30)
	}
	t.close()
}

func (w *writer) writeProcess(t *text, r *random, a *activity, p schema.Process, room int) {
	c := w.g.catalogue
	start := len(t.b)
	t.open(p.String())
	if r.oneIn(3) {
		writeEvents(t, r, contentEvents, w.events(r, a, 1), a)
	}
	c.scalars[p].write(t, r, a)
	t.open("keyedHistograms")
	c.writeKeyed(t, r, p, a.level/2)
	t.close()
	t.open("histograms")
	c.writePlain(t, r, p, room-(len(t.b)-start), a.level)
	t.close()
	t.close()
}

// events is the number of events: none in many pings, dozens in some.
func (w *writer) events(r *random, a *activity, share int) int {
	if r.below(3) >= share {
		return 0
	}
	return r.span(1, 4+6*a.level*a.level)
}

// writeInfo writes which subsession this is.
func (w *writer) writeInfo(t *text, a *activity) {
	e, seed, c := w.entry, w.g.config.Seed, w.client.number
	t.open("info")
	t.str("reason", reasonNames[e.reason])
	t.str("revision", "https://hg.example.org/releases/rev/"+w.build.id)
	t.num("timezoneOffset", w.client.offset())
	if e.previous >= 0 {
		t.str("previousBuildId", w.client.channel.build(int(e.previous)).id)
	} else {
		t.null("previousBuildId")
	}
	t.uuid("sessionId", seed, forSessionID, c, uint64(e.session))
	t.uuid("subsessionId", seed, forSubsessionID, c, uint64(e.total))
	if e.session > 1 {
		t.uuid("previousSessionId", seed, forSessionID, c, uint64(e.session-1))
	} else {
		t.null("previousSessionId")
	}
	if e.total > 1 {
		t.uuid("previousSubsessionId", seed, forSubsessionID, c, uint64(e.total-1))
	} else {
		t.null("previousSubsessionId")
	}
	t.num("subsessionCounter", int(e.number))
	t.num("profileSubsessionCounter", int(e.total))
	t.localHour("sessionStartDate", w.clock(e.sessionStart*second), w.client.zone())
	t.localHour("subsessionStartDate", w.clock(e.subsessionStart*second), w.client.zone())
	t.num("sessionLength", a.sessionLength)
	t.num("subsessionLength", a.length)
	w.writeInfoAddons(t)
	t.close()
}

// writeInfoAddons writes the add-ons as one text of names and versions.
func (w *writer) writeInfoAddons(t *text) {
	t.key("addons")
	t.b = append(t.b, '"')
	for i := range w.software.addons {
		a := &w.software.addons[i]
		if i > 0 {
			t.b = append(t.b, ',')
		}
		t.b = appendEscaped(t.b, a.id)
		t.b = append(t.b, ':')
		t.b = appendEscaped(t.b, a.version)
	}
	t.b = append(t.b, '"', ',')
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
