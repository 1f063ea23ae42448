package generate

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// The kinds of Glean pings.
const (
	gleanBaseline kind = numKinds + iota
	gleanEvents
	gleanMetrics
	gleanUsage
	gleanCrash
	gleanRequest
)

var gleanTypes = [...]ping.DocType{"baseline", "events", "metrics", "usage-reporting", "crash", "deletion-request"}

// isGlean reports whether pings of the kind are of Glean.
func (k kind) isGlean() bool { return k >= numKinds }

func (k kind) docType() ping.DocType {
	if k.isGlean() {
		return gleanTypes[k-numKinds]
	}
	return docTypes[k]
}

// The applications of the population. One client in ten uses the second one.
const (
	desktopApplication = "firefox-desktop"
	otherApplication   = "org-example-browser"
)

// application returns the application id of a client's Glean pings.
func (c *client) application() string {
	if c.number%10 == 7 {
		return otherApplication
	}
	return desktopApplication
}

// addGlean appends the Glean pings that clients send beside what all has between two places.
func (g *Generator) addGlean(all []entry, from, to int) []entry {
	for i := from; i < to; i++ {
		e := all[i]
		if e.again {
			continue
		}
		p := gleanPlan{g: g, ping: e, r: random.New(g.config.Seed, random.ForGlean, uint64(e.client), uint64(e.serial)), out: all}
		p.beside()
		all = p.out
	}
	return all
}

// gleanPlan plans the Glean pings beside a ping.
type gleanPlan struct {
	g    *Generator
	ping entry
	r    random.Source
	out  []entry
}

// beside plans what is sent with a ping: baseline pings at the begin and end of a session, events at its end, metrics and
// usage once a day, crashes.
func (p *gleanPlan) beside() {
	switch p.ping.kind {
	case mainPing:
		if p.ping.number == 1 {
			p.emit(gleanBaseline, p.ping.sessionStart*second)
		}
		switch p.ping.reason {
		case shutdown:
			p.emit(gleanBaseline, p.ping.made)
			p.emit(gleanEvents, p.ping.made)
			if p.r.OneIn(2) {
				p.emit(gleanUsage, p.ping.made)
			}
		case daily:
			p.emit(gleanMetrics, p.ping.made)
			p.emit(gleanUsage, p.ping.made)
		}
	case crashPing:
		p.emit(gleanCrash, p.ping.made)
	case newProfilePing:
		if p.r.OneIn(3) { // a profile in which somebody has turned data collection off from the start
			p.emit(gleanRequest, p.ping.made)
		}
	}
}

// emit plans a Glean ping that is made at a time in ns.
func (p *gleanPlan) emit(k kind, at int64) {
	e := p.ping
	e.kind, e.damage, e.sender = k, 0, false
	e.made = at
	e.serial |= uint32(k-numKinds+1) << 28
	if k == gleanBaseline && at != p.ping.made {
		e.serial |= 1 << 27 // the first of two
		e.reason = startup
	}
	delay := int64(p.r.Span(300, 20_000))
	if p.r.Percent(3) { // offline
		delay = int64(p.r.Span(minute, daySec)) * 1000
	}
	e.arrival = e.made + delay*second/1000 + int64(p.r.Below(1_000_000))
	p.out = append(p.out, e)
	if p.r.Share(p.g.config.Duplicates) && e.arrival >= p.g.from && e.arrival < p.g.to {
		e.again = true
		e.arrival += int64(p.r.Span(1, 10*hour)) * second
		p.out = append(p.out, e)
	}
}
