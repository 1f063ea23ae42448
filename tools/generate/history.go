package generate

import "github.com/pingmill/pingmill/tools/generate/random"

// state is the state of a client that changes from day to day.
type state struct {
	sessionStart, subsessionStart, end int64 // seconds; end of the open session

	serial, sessions, total uint32
	build, previous, ready  int32 // previous and ready are negative when there is none
	number, changes         uint16
	open                    bool // a session goes on past midnight
	aborts                  bool // the open session ends with a crash
	announced               bool // the new-profile ping is sent, or never was needed
}

// newState returns the state of a client before the first planned day.
func newState(seed uint64, c *client, day int) state {
	r := random.New(seed, random.ForHistory, c.number, 0)
	s := state{previous: -1, ready: -1, build: int32(c.wanted(day - 1))}
	if c.born >= day {
		return s
	}
	s.announced = true
	used := uint32((day-c.born)*c.active/1000 + 1)
	s.sessions = used + uint32(r.Below(int(used)*(1+c.restless)))
	s.total = s.sessions + uint32(r.Below(int(used)))
	s.serial = s.total + s.total/8
	s.changes = uint16(s.sessions / 50)
	return s
}

// walk plays a client through one day of its local time and collects what it
// sends.
type walk struct {
	seed     uint64
	visitors bool
	c        *client
	s        *state
	r        random.Source
	day      int
	next     int64 // midnight after the day, seconds
	out      []entry
}

// visitorPings is the number of pings of which visitors send one, beside new-profile pings.
const visitorPings = 16

// play plays a day and appends what is sent to w.out.
func (w *walk) play(day int) {
	if day < w.c.born {
		return
	}
	w.r = random.New(w.seed, random.ForDay, w.c.number, uint64(day))
	w.day = day
	at := int64(day)*daySec - int64(w.c.offset())*minute
	w.next = at + daySec
	if w.s.open {
		w.goOn(at)
		if w.s.open {
			return
		}
		at = w.s.end
	}
	if day != w.c.born && w.r.Below(1000) >= w.c.active {
		return
	}
	at = max(at, w.next-daySec+int64(w.c.morning)*hour)
	for n := w.sessions(); n > 0 && !w.s.open; n-- {
		at += int64(w.r.Span(20, 6*hour))
		if at > w.next-10*minute {
			if w.s.sessions > 0 {
				return
			}
			at = w.next - 10*minute // a new profile is used on its first day
		}
		w.begin(at)
		w.goOn(at)
		at = w.s.end
	}
}

// sessions returns the number of sessions of a day of use.
func (w *walk) sessions() int {
	n := 1 + w.r.Few(6)
	if w.c.restless > 0 {
		n += w.r.Below(2 * w.c.restless)
	}
	if w.r.OneIn(200) {
		n += w.r.Span(5, 40)
	}
	return n
}

// begin starts a session.
func (w *walk) begin(at int64) {
	s := w.s
	s.previous = -1
	if wanted := int32(w.c.wanted(w.day)); wanted > s.build && (s.ready == wanted || w.r.OneIn(3)) {
		s.previous, s.build, s.ready = s.build, wanted, -1
	}
	s.sessions++
	s.total++
	s.number = 1
	s.sessionStart, s.subsessionStart = at, at
	length := int64(w.r.Span(40, 9*hour))
	if w.r.Percent(4) {
		length = int64(w.r.Between(8, 100)) * hour // left open for days
	}
	s.end = at + length
	s.open = true
	s.aborts = w.r.OneIn(40)
	if s.previous >= 0 {
		w.emit(updatePing, success, at+int64(w.r.Between(5, 60)))
	}
}

// goOn plays the open session from a time to its end or the end of the day.
func (w *walk) goOn(from int64) {
	s := w.s
	to := min(s.end, w.next)
	w.announce(from, to)
	w.offer(from, to)
	w.change(from, to)
	w.interrupt(from, to)
	if s.end > w.next {
		w.emit(mainPing, daily, w.next)
		w.split(w.next)
		return
	}
	s.open = false
	if s.aborts {
		w.crash(mainProcess, s.end)
		w.emit(mainPing, abortedSession, max(s.subsessionStart, s.end-int64(w.r.Below(5*minute))))
		return
	}
	w.emit(mainPing, shutdown, s.end)
	if !s.announced {
		s.announced = true
		w.emit(newProfilePing, shutdown, s.end)
	}
}

// split starts the next subsession.
func (w *walk) split(at int64) {
	w.s.number++
	w.s.total++
	w.s.subsessionStart = at
}

// announce sends the new-profile ping half an hour after the first start.
func (w *walk) announce(from, to int64) {
	if at := w.s.sessionStart + 30*minute; !w.s.announced && at >= from && at < to {
		w.s.announced = true
		w.emit(newProfilePing, startup, at)
	}
}

// offer downloads an update, if there is one.
func (w *walk) offer(from, to int64) {
	wanted := int32(w.c.wanted(w.day))
	if wanted <= w.s.build || wanted == w.s.ready || to-from < 2*minute {
		return
	}
	w.s.ready = wanted
	w.emit(updatePing, ready, from+int64(w.r.Between(60, int(to-from))))
}

// change changes the environment in one of eight longer sessions.
func (w *walk) change(from, to int64) {
	if from = max(from, w.s.subsessionStart+5*minute); to-from < minute || !w.r.OneIn(8) {
		return
	}
	at := from + int64(w.r.Below(int(to-from)))
	w.emit(mainPing, environmentChange, at)
	w.s.changes++
	w.split(at)
}

// interrupt crashes a content process or a plugin, after which the session goes on.
func (w *walk) interrupt(from, to int64) {
	if !w.r.OneIn(30) {
		return
	}
	where := contentProcess
	if w.r.OneIn(5) {
		where = pluginProcess
	}
	w.crash(where, from+int64(w.r.Below(int(to-from)+1)))
}

func (w *walk) crash(where process, at int64) {
	n := len(w.out)
	if w.emit(crashPing, 0, at); len(w.out) > n {
		w.out[n].process = where
	}
}

// emit plans a document that is made at a time in seconds.
func (w *walk) emit(k kind, why reason, at int64) {
	s := w.s
	if w.c.null && (k == newProfilePing || k == updatePing) {
		return // they would be refused without a client
	}
	if w.visitors && k != newProfilePing && !w.r.OneIn(visitorPings) {
		return
	}
	e := entry{
		client: uint32(w.c.number), serial: s.serial, kind: k, reason: why,
		session: s.sessions, total: s.total, number: s.number, changes: s.changes,
		build: s.build, previous: s.previous,
		sessionStart: s.sessionStart, subsessionStart: s.subsessionStart,
		made: at*second + int64(w.r.Below(1000))*second/1000,
	}
	if k == updatePing && why == ready {
		e.previous = s.ready
	}
	switch k {
	case crashPing:
		e.sender = w.c.sender && w.r.OneIn(2)
	case mainPing, newProfilePing:
		e.sender = w.c.sender && why == shutdown
	}
	e.arrival = e.made + w.delay(&e)
	s.serial++
	w.out = append(w.out, e)
}

// delay returns the time from the making of a document to its arrival, in ns.
func (w *walk) delay(e *entry) int64 {
	var ms int
	switch {
	case w.r.Percent(3): // offline
		ms = w.r.Span(minute, warmUp*daySec) * 1000
	case e.sender:
		ms = w.r.Span(400, 20_000)
	case e.kind == mainPing && e.reason == daily: // spread over an hour
		ms = w.r.Below(hour * 1000)
	case e.kind == mainPing && e.reason == shutdown, e.reason == abortedSession:
		ms = w.r.Span(2*minute, 2*daySec) * 1000 // with the next start
	default:
		ms = w.r.Span(500, 90_000)
	}
	return int64(ms)*second/1000 + int64(w.r.Below(1_000_000))
}
