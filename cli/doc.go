// Package cli is how the program behaves on a command line, whatever the
// command: wrong usage and exit statuses, help, completion, manual pages,
// signals, output files, the log, and the width of the terminal.
package cli

// Name is that of the program.
const Name = "pingmill"
