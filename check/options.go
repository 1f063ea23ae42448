package check

import "log/slog"

// Options say how runs check the partitions that they are about to publish.
// The zero value makes the checks of the tables.
type Options struct {
	More    []Check      // made beside those of the tables
	Skip    []string     // names of checks that are left out; manifests list them
	Workers int          // ranges of samples that are looked at at a time; 0: one for each core
	Log     *slog.Logger // of warnings and skipped checks; nil: nowhere
}

// Logger is where warnings go.
func (o *Options) Logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}
