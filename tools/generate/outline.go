package generate

import (
	"time"

	"github.com/pingmill/pingmill/ping"
)

// outline describes a submission before its document is written.
type outline struct {
	entry   *entry
	client  client
	build   build
	damage  damage
	docType ping.DocType
	app     string
	version string // of the document's format
	fate    Fate
	class   string // of the error
	odd     string
}

func (o *outline) set(g *Generator, e *entry) {
	*o = outline{
		entry: e, client: g.client(int(e.client)), damage: damages[e.damage],
		docType: e.kind.docType(), version: "4",
	}
	o.build = o.client.channel.build(int(e.build))
	if e.kind.isGlean() {
		o.setGlean()
		return
	}
	o.app, o.odd, o.class = o.client.app, o.damage.name, o.damage.class
	orDefault(&o.damage.app, o.app)
	orDefault(&o.damage.docType, o.docType)
	orDefault(&o.damage.version, o.version)
	o.app, o.docType, o.version = o.damage.app, o.damage.docType, o.damage.version
	switch {
	case e.again:
		o.fate = Duplicate
	case o.class != "":
		o.fate = Rejected
	}
}

func (o *outline) setGlean() {
	application := o.client.application()
	o.docType, o.version = ping.KindOf(application, string(o.docType)), "1"
	if application == desktopApplication {
		o.app = o.client.app
	}
	switch {
	case o.entry.again:
		o.fate = Duplicate
	case o.entry.kind == gleanRequest:
		o.fate = Request
	}
}

// day returns the UTC day of arrival.
func (o *outline) day() ping.Day { return ping.DayOf(o.entry.arrival) }

// clock returns a time as the client's clock shows it, both in ns.
func (o *outline) clock(ns int64) int64 { return ns + o.client.skew }

// httpDate returns a time in ns as HTTP headers have it.
func httpDate(ns int64) string {
	return time.Unix(0, ns).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
}
