// Package tasks lets other machines do the tasks of partitions: descriptions of tasks as lines of JSON, and a runner of them
// that needs the roots they name and nothing else. docs/tasks.md is for who places them.
package tasks
