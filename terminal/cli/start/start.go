// Package start disables the garbage collector while packages are initialized and while the heap is small.
// Initialization produces hardly any garbage, and collecting takes as long as half of a small query. Go initializes
// packages by import order and name, so this one is initialized before most.
package start

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// least is the heap size in bytes below which nothing is collected. A day of 1,000 pings needs more for other reasons.
const least = 64 << 20

var percent = debug.SetGCPercent(-1)

// Done enables the collector: with GOGC if it is set, otherwise with least. The program must call it first.
func Done() {
	if percent != 100 || os.Getenv("GOGC") != "" {
		debug.SetGCPercent(percent)
		return
	}
	p := &pacer{percent: most, found: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
		{Name: "/gc/scan/globals:bytes"}}}
	debug.SetGCPercent(p.percent)
	runtime.SetFinalizer(p, (*pacer).collected)
}

// pacer becomes garbage in every collection; its finalizer then sets when the next one begins.
//
// It is a large object, because the runtime sweeps these first. With one busy core, a small one was finalized only
// after half a second, and the heap grew to three times least.
type pacer struct {
	percent int
	found   []metrics.Sample // live heap and roots
	_       [largeObject]byte
}

// largeObject is above the size classes of the runtime.
const largeObject = 33 << 10

func (p *pacer) collected() {
	metrics.Read(p.found)
	if next := percentAt(p.found[0].Value.Uint64(), p.found[1].Value.Uint64()+p.found[2].Value.Uint64()); next != p.percent {
		p.percent = next
		debug.SetGCPercent(next)
	}
	runtime.SetFinalizer(p, (*pacer).collected)
}

// most is the GC percentage at which the runtime's minimum heap (4 MiB at 100) equals least.
const most = 100 * least / (4 << 20)

// percentAt returns the GC percentage for the next collection, relative to live heap and roots as the runtime counts:
// the heap doubles, or grows to least.
func percentAt(live, roots uint64) int {
	if live >= least/2 {
		return 100
	}
	return max(100, min(most, int(100*(least-live)/(live+roots+1))))
}
