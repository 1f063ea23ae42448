package job

import "time"

// EventKind is the kind of an [Event].
type EventKind string

const (
	UnitPlanned EventKind = "unit planned" // its tasks are known; reused ones are already counted as ended
	TaskStarted EventKind = "task started"
	TaskEnded   EventKind = "task ended" // Result, or Err
	UnitEnded   EventKind = "unit ended" // Outcome; Result, Reason or Err
)

// Event is one step of a run's progress, with the counts as they are after it.
type Event struct {
	Kind    EventKind
	Run     int64 // the run's number in the ledger
	Time    time.Time
	Unit    Unit
	Task    Task    // of the task events
	Outcome Outcome // of the two ended events
	Result  Result
	Reason  string // why a unit was skipped
	Err     error

	Units, UnitsEnded int
	// Tasks grows during a run: a unit's tasks are known once it is planned.
	Tasks, TasksEnded int
	// UnitBytes is the input of the unit's tasks, UnitBytesEnded the input of the ended and the reused ones.
	UnitBytes, UnitBytesEnded int64
}
