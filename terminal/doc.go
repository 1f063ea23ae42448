// Package terminal groups the user interface in a terminal: prompt edits and runs statements, report prints the
// results of commands, and cli holds the behaviour common to all commands.
//
// Commands, tools/demo and the log of package service use it.
package terminal
