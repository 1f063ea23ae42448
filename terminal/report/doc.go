// Package report formats the results of commands as text for people and JSON for programs: the state of an
// installation, plans and runs, checks, loads, rejected submissions, removals. It reads no data; all input is in the
// arguments.
package report
