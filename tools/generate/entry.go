package generate

import "github.com/pingmill/pingmill/ping"

// kind is a type of document.
type kind uint8

const (
	mainPing kind = iota
	crashPing
	newProfilePing
	updatePing
	eventPing // of browsers of today
	numKinds
)

var docTypes = [numKinds]ping.DocType{"main", "crash", "new-profile", "update", "event"}

// reason names the event for which a document was sent.
type reason uint8

const (
	shutdown reason = iota
	daily
	environmentChange
	abortedSession
	startup // of new-profile pings, which also have shutdown
	ready   // of update pings
	success
	periodic // of event pings, which also have shutdown
	numReasons
)

var reasonNames = [numReasons]string{
	"shutdown", "daily", "environment-change", "aborted-session", "startup", "ready", "success", "periodic",
}

// process is the process type in which a crash happened.
type process uint8

var processNames = [...]string{"main", "content", "plugin"}

const (
	mainProcess process = iota
	contentProcess
	pluginProcess
)

// entry is a planned submission: with the seed and the client, it determines the submission. Its times are true,
// whatever the client's clock shows.
type entry struct {
	arrival int64 // at the server, ns since epoch
	made    int64 // when the document was made, ns since epoch

	sessionStart, subsessionStart int64 // seconds since epoch

	client  uint32
	serial  uint32 // number of the document among the client's
	session uint32 // number among the client's, from 1
	total   uint32 // number of the subsession among the client's, from 1

	build, previous int32 // numbers of builds; previous is none when negative

	number  uint16 // of the subsession in its session, from 1
	changes uint16 // of the environment until now
	kind    kind
	reason  reason
	process process
	damage  uint8 // index in damages, 0 none
	sender  bool  // sent by another program after the browser has ended
	again   bool  // sent before
}
