// Package tasks runs the tasks of partitions on other machines. It describes tasks as lines of JSON and runs
// them; the runner needs only the roots that they name. docs/tasks.md explains how to distribute them.
package tasks
