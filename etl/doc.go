// Package etl runs the tables on one machine: pings from the archive, or rows
// of other tables, through the transforms into the lake, as tasks over ranges
// of samples. It implements the steps that package job schedules, and loads
// files of pings into the archive.
package etl
