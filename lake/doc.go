// Package lake stores tables as Hive-partitioned parquet files in a store.Bucket. FileWriter and FileReader
// write and read one file. Table represents all partitions of a table. Generation is the next version of a
// partition; Publish switches readers to it atomically.
//
// The states of a generation:
//
//	 Begin, Join              Publish              another Publish             Sweep
//	─────────────► unfinished ───────► published ─────────────────► replaced ───────► deleted
//	                  │   ▲                │                                             ▲
//	                  │   └─ crash: Begin  │ Expire                                      │
//	                  │      goes on       ▼                                             │
//	                  │                 expiring ────────────────────────────────────────┤
//	                  └─ trash: another generation begins ───────────────────────────────┘
//
//	state       in a bucket that renames folders           in a bucket without folders
//	unfinished  _staging/PARTITION/NAME                    the same
//	published   PARTITION, linked to _generations/         PARTITION, named by its manifest
//	replaced    files in _generations/PARTITION            files in PARTITION that the manifest does not name
//	expiring    _staging/PARTITION/gone                    no manifest; a mark in _staging/PARTITION/gone
//
// Folders are exchanged in one step. A crash between the manifest of an unfinished generation and the exchange is finished
// by Recover; if folders cannot be exchanged, _staging/PARTITION/old holds the published generation for that moment, and
// Recover moves it back if its place is empty. Without folders the manifest is replaced by compare-and-swap. A file that no
// manifest ever named is a stray: Sweep changes the manifest's fence before it removes one, so that a server that was paused
// cannot publish it. Replaced files stay for the grace period, and longer if a Retainer holds them.
package lake
