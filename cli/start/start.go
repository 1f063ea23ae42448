// Package start keeps the garbage collector still while the packages of the program are initialized: nearly nothing of what they
// make is garbage, and collecting takes as long as half of a small query. A package is initialized as early as its name and what
// it imports allow, so this one is before most.
package start

import "runtime/debug"

var percent = debug.SetGCPercent(-1)

// Done has the collector work as it is set by GOGC. The program calls it first of all.
func Done() { debug.SetGCPercent(percent) }
