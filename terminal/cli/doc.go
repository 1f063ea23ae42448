// Package cli holds the behaviour of all commands on a command line: wrong usage
// and exit statuses, help, completion, manual pages, signals, output files, the
// log, and the width of the terminal.
package cli

// Name is that of the program.
const Name = "pingmill"
