package loader

import "time"

// timing holds when the steps of a decode loop were last done. A clock that was set back makes a step due.
type timing struct {
	published, reloaded, committed time.Time
	swept                          time.Time // prepared rows

	requested time.Time // for the watermark, after the end of a day
	watermark int64     // at the last commit
}

// due reports whether a step that was last done at some time is due again.
func due(now, last time.Time, every time.Duration) bool {
	return now.Sub(last) >= every || now.Before(last)
}
