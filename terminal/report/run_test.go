package report

import (
	"bytes"
	"errors"
	"testing"

	"github.com/pingmill/pingmill/etl/job"
)

// TestPrintFailed: on a terminal, where no line of the log says it, a failure is printed.
func TestPrintFailed(t *testing.T) {
	var out bytes.Buffer
	printFailed(&out, &job.Report{Units: []job.UnitReport{
		{Unit: job.Unit{Table: "addons", Day: "20180301"}, Outcome: job.Failed, Err: errors.New("no")}, {Outcome: job.Committed},
	}})
	if out.String() != "failed addons 20180301: no\n" {
		t.Errorf("on a terminal: %s", out.String())
	}
}
