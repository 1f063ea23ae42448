// Package report turns what the commands found out into text for people and JSON
// for programs: the state of an installation, plans and runs, checks, what was
// loaded, rejected, removed or sent. It asks nothing itself: all that it writes is
// in its arguments.
package report
