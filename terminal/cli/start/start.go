// Package start keeps the garbage collector still while the packages of the program are initialized, and while little
// memory is in use: nearly nothing of what they make is garbage, and collecting takes as long as half of a small query. A
// package is initialized as early as its name and what it imports allow, so this one is before most.
package start

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// least is the size of the heap, in bytes, up to which nothing is collected. A day of 1,000 pings needs more
// for other reasons.
const least = 64 << 20

var percent = debug.SetGCPercent(-1)

// Done has the collector work as it is set by GOGC; where that is not set, with least. The program calls it first of all.
func Done() {
	if percent != 100 || os.Getenv("GOGC") != "" {
		debug.SetGCPercent(percent)
		return
	}
	p := &pacer{percent: most, found: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}}
	debug.SetGCPercent(p.percent)
	runtime.SetFinalizer(p, (*pacer).collected)
}

// pacer is garbage at the end of every collection, and then sets when the next one begins.
//
// It is a large object: the runtime sweeps these first. A small one was found to be garbage after half a second where
// one core was busy, and until then the heap grew to three times least.
type pacer struct {
	percent int
	found   []metrics.Sample // what is live, and the roots
	_       [largeObject]byte
}

// largeObject is above the runtime's classes of sizes.
const largeObject = 33 << 10

func (p *pacer) collected() {
	metrics.Read(p.found)
	if next := percentAt(p.found[0].Value.Uint64(), p.found[1].Value.Uint64()+p.found[2].Value.Uint64()); next != p.percent {
		p.percent = next
		debug.SetGCPercent(next)
	}
	runtime.SetFinalizer(p, (*pacer).collected)
}

// most is the percentage at which the runtime's own least size of a heap, 4 MiB at 100, is least.
const most = 100 * least / (4 << 20)

// percentAt is what the heap may grow by until the next collection, in percent of what is live and of the roots, as
// the runtime counts: it doubles, or gets to least.
func percentAt(live, roots uint64) int {
	if live >= least/2 {
		return 100
	}
	return max(100, min(most, int(100*(least-live)/(live+roots+1))))
}
