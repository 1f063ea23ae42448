package store

import "time"

// SetSwapWait sets how long Swap waits for somebody else's.
func SetSwapWait(l *Local, d time.Duration) { l.swapWait = d }
