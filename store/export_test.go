package store

import "time"

// SetSwapWait sets how long CompareAndSwap waits for somebody else's.
func SetSwapWait(l *Local, d time.Duration) { l.swapWait = d }
