// Package iceberg maintains Iceberg tables that follow the lake, for other engines. A follower compares the
// files of a table's current snapshot with the published files and commits the difference as one snapshot. It
// copies no data: the snapshot names the files of the lake.
//
// The lake never waits for it. If a catalog refuses a commit, a later commit catches up. The files of a snapshot are
// not deleted before the snapshot is expired, even if the lake has replaced them: see Follower.Holds.
package iceberg
