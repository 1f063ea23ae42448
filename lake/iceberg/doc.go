// Package iceberg has Iceberg tables follow the lake, for engines that read pingmill's tables beside it: a follower compares
// what a table's current snapshot names with what is published, and commits the difference as one snapshot.
// No data is copied: the snapshot names the files of the lake.
//
// The lake never waits for it. What a catalog could not take is caught up later. Until a snapshot is expired, the files that
// it names stay, also when the lake has replaced them: see Follower.Holds.
package iceberg
