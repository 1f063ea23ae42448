// Package cli holds the behaviour common to all commands: usage errors and exit statuses, help, completion, manual
// pages, signals, output files, the log, and the width of the terminal.
package cli

// Name is the name of the program.
const Name = "pingmill"
