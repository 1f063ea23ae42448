// Package live publishes rows of the day that is not over: rows of main_summary and crash_summary while their pings
// arrive, for queries only. When the day is complete the schedule makes it from the archive as if there had been none.
//
// A partition that grows has finished files with the rows of loads of the archive, which its manifest names, and open
// files with rows of pings that are in no load yet. What is missing is read from the archive, so a row is neither lost
// nor there twice, whatever is killed.
package live
