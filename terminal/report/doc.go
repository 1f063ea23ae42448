// Package report turns the results of commands into text for people and JSON
// for programs: the state of an installation, plans and runs, checks, loads,
// rejected submissions, removals. It reads nothing itself: all that it writes is
// in its arguments.
package report
