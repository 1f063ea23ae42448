// Package loader loads submissions and pings into the archive: from files, and from the spool, whose decode
// loop also publishes the rows of the direct tables. It lists rejected submissions, decodes them again, repairs
// the archive, and accounts for acknowledged submissions.
//
// The states of the decode loop (decodeLoop.step):
//
//	starting ──► decoding ──► deciding ──┬─► committing ─┐
//	                ▲                    ├─► publishing ─┤
//	                │                    ├─► leaving ────┤
//	                │                    └───────────────┤
//	                │    segments, Stop or the time      ▼
//	                └─────────────────────────────── waiting ──► ended
//
// decoding reads the sealed segments into the open load. committing makes that load part of the archive, in its turn if
// several servers commit, removes its segments and moves the watermark. leaving commits only what was decoded. After Stop
// one more round reads what was appended before, and waiting ends the loop. An error ends the run from any state: the
// open load is aborted, and decodeUntil starts again with what the archive has after a pause that grows.
package loader
