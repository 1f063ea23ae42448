package queryservice

import (
	"runtime"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/internal/machine"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/queue"
)

// Flags are the command-line flags of Options.
type Flags struct {
	o         Options
	tableDays []string
	rows      int
}

// Add adds the flags to a command's flag set.
func (f *Flags) Add(fs *pflag.FlagSet) {
	config.Flag(fs, "query.slots", &f.o.Queue.Slots)
	config.Flag(fs, "query.per-person", &f.o.Queue.PerPerson)
	config.Flag(fs, "query.waiting", &f.o.Queue.Waiting)
	config.Flag(fs, "query.memory", &f.o.Limits.Memory)
	config.Flag(fs, "query.threads", &f.o.Limits.Threads)
	config.Flag(fs, "query.time", &f.o.Limits.Time)
	config.Flag(fs, "query.spill", &f.o.Limits.Spill)
	config.Flag(fs, "query.spill-total", &f.o.Spill)
	config.Flag(fs, "query.result-rows", &f.rows)
	config.Flag(fs, "query.result-bytes", &f.o.Limits.Bytes)
	config.Flag(fs, "query.keep-results", &f.o.Keep)
	config.Flag(fs, "query.results", &f.o.KeepBytes)
	config.Flag(fs, "query.days", &f.o.Guard.Large.All)
	config.Flag(fs, "query.sampled-days", &f.o.Guard.Large.Sampled)
	config.Flag(fs, "query.small", &f.o.Guard.Small)
	config.Flag(fs, "query.table-days", &f.tableDays)
	config.Flag(fs, "query.max-files", &f.o.Guard.Files)
	config.Flag(fs, "query.max-read", &f.o.Guard.Bytes)
}

// shareOf is the percentage of the memory of the machine, or of the control group, that queries may use; the rest is for the
// service and the disk cache.
const shareOf = 60

// Options returns the options that the flags set.
func (f *Flags) Options() (Options, error) {
	o := f.o
	o.Limits.Rows = int64(f.rows)
	days, err := config.QueryDays(f.tableDays)
	if err != nil {
		return o, err
	}
	o.Guard.Tables = map[string]guard.Days{}
	for table, d := range days {
		o.Guard.Tables[table] = guard.Days{All: d[0], Sampled: d[1]}
	}
	if o.Queue.Slots == 0 {
		memory, _ := machine.Memory()
		each := o.Limits.Memory
		if memory == 0 {
			each = 0
		}
		o.Queue.Slots = queue.Slots(runtime.NumCPU(), memory/100*shareOf, each)
	}
	return o, nil
}
