// Package live publishes rows of main_summary and crash_summary of the current day while their pings arrive,
// for queries only. When the day is complete, the schedule makes it from the archive and ignores these rows.
//
// A growing partition has finished files with the rows of archive loads, which its manifest names, and open
// files with the rows of pings that are in no load yet. Missing rows are read from the archive, so a crash
// neither loses nor duplicates a row.
package live
