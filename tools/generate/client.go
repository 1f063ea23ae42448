package generate

import (
	"net/netip"
	"time"

	"github.com/pingmill/pingmill/tools/generate/random"
)

// client is the constant part of a client, which decides when it sends what.
// It follows from the seed and the client's number alone and is made again
// whenever it is needed.
type client struct {
	number uint64
	id     [36]byte
	null   bool // its pings name no client

	place   int
	host    uint16
	six     bool // IPv6
	locale  string
	channel channel
	app     string

	born    int // first day of use, since 1970
	created int // day on which the profile says it was made
	reset   int // day it was reset, or 0

	active   int // chance in 1000 to be used on a day
	restless int // how many sessions a day has, 0 few
	morning  int // hour of local time from which it is used
	size     int // how large its main pings are: per mille of all that are smaller
	lag      int // days until an update is taken
	sender   bool
	skew     int64 // of its clock, ns
	dnt      bool
	proxied  bool // its address is in X-Forwarded-For, not that of the peer
}

// client makes the n-th client.
func (g *Generator) client(n int) client {
	r := random.New(g.config.Seed, random.ForProfile, uint64(n), 0)
	c := client{number: uint64(n)}
	r.AppendUUID(c.id[:0])
	c.null = r.Share(g.config.NullClients)
	c.place = drawIndex(&r, places)
	c.host, c.six = uint16(r.Below(1<<16)), r.Percent(15)
	c.drawLocale(&r)
	c.channel = draw(&r, channels)
	c.app = "Firefox"
	c.drawAge(&r, g)
	c.drawUse(&r)
	if g.config.Visitors {
		c.born = r.Between(g.first, g.first+g.config.Days-1)
		c.created, c.reset = c.born, 0
		c.active, c.restless = r.Between(0, 60), 0
	}
	c.lag = drawLag(&r)
	c.sender = r.Percent(75)
	c.skew = drawSkew(&r)
	c.dnt, c.proxied = r.Percent(11), r.Percent(92)
	return c
}

func (c *client) drawLocale(r *random.Source) {
	p := &places[c.place].value
	switch n := r.Below(20); {
	case n < 15:
		c.locale = p.locale
	case n < 19:
		c.locale = p.second
	default:
		c.locale = p.third
	}
}

// drawAge decides when the profile was made: of one client in 20 during the time
// that is generated, of the others up to seven years before.
func (c *client) drawAge(r *random.Source, g *Generator) {
	if r.OneIn(20) {
		c.born = r.Between(g.first-warmUp, g.first+g.config.Days-1)
		c.created = c.born
		return
	}
	c.born = g.first - warmUp - r.Span(1, 2500)
	c.created = c.born
	if r.Percent(4) {
		c.reset = r.Between(c.born, g.first-warmUp)
	}
	if r.OneIn(500) {
		c.created += r.Span(30, 4000) // the clock was wrong that day
	}
}

// drawUse decides how much a client is used: a quarter of them nearly daily,
// many now and then, few all day long.
func (c *client) drawUse(r *random.Source) {
	c.size = r.Below(1000)
	c.morning = draw(r, []weighted[int]{{2, 0}, {3, 6}, {8, 7}, {10, 8}, {8, 9}, {5, 11}, {4, 14}, {4, 17}})
	switch n := r.Below(100); {
	case n < 25:
		c.active = r.Between(750, 1000)
	case n < 60:
		c.active = r.Between(300, 750)
	default:
		c.active = r.Between(20, 300)
	}
	switch n := r.Below(100); {
	case n < 2:
		c.restless = 4
	case n < 15:
		c.restless = 2
	case n < 50:
		c.restless = 1
	}
}

// drawLag returns the number of days that pass before an update is taken.
func drawLag(r *random.Source) int {
	switch n := r.Below(100); {
	case n < 60:
		return r.Between(0, 2)
	case n < 92:
		return r.Span(1, 30)
	}
	return r.Span(30, 150)
}

// drawSkew returns the offset of a client's clock in ns: mostly near 0, sometimes hours or years.
func drawSkew(r *random.Source) int64 {
	var ms int
	switch n := r.Below(1000); {
	case n < 750:
		ms = r.Between(-3000, 3000)
	case n < 935:
		ms = r.Between(-10*minute*1000, 10*minute*1000)
	case n < 975:
		ms = r.Between(-12, 12) * hour * 1000
	case n < 993:
		ms = r.Between(-30, 30)*daySec*1000 + r.Below(hour)*1000
	default:
		ms = r.Between(-5000, 9000) * daySec * 1000
	}
	return int64(ms) * int64(time.Millisecond)
}

// zone returns the client's local time.
func (c *client) zone() *time.Location { return zones[c.place] }

// offset returns the offset of local time from UTC in minutes.
func (c *client) offset() int { return places[c.place].value.offset }

func (c *client) address() netip.Addr { return address(c.place, c.host, c.six) }

// wanted returns the number of the build that a client has or gets on a day.
func (c *client) wanted(day int) int { return c.channel.latest(day - c.lag) }
