// Package spool stores acknowledged submissions on disk until they are decoded. One process appends to a Spool; the same
// process or another one, with a [Follower], reads and removes the segments. Records have checksums; one write and one
// sync commit all that wait.
//
// The states of a segment, with the names of its file:
//
//	          prepare                ready, begin            retire, sealActive
//	(nothing) ───────► prepared ───────────────► active ───────────────────────► unsealed
//	    ▲              NAME.open                 NAME.open: takes records         NAME.open: full, old or failed
//	    │                 ▲                         │                               │ seal
//	    │                 │ reuse                   │ crash, Open: recoverSegment   ▼
//	    │  release        │               Remove    └──────────────────────────► sealed
//	    └───────────── free file ◄────────────────────────────────────────────── NAME.seg
//	                   in the pool                                                  │ Keep
//	                                                                                ▼
//	                                                                             damaged
//	                                                                             NAME.damaged: for the operator
//
// Only the committer changes a segment before it is sealed, so that one goroutine knows all timestamps. A sealed segment
// never changes. seal raises the mark of the floor file first: after a crash no number or timestamp is used twice, even
// if the consumer has removed the segment.
package spool
