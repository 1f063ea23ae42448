// Package terminal groups what people see in a terminal: prompt edits and runs
// statements, report prints the results of commands, cli has the behaviour of all commands.
//
// Commands, tools/demo and the log of package service use it.
package terminal
