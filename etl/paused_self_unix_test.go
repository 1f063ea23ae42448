//go:build unix

package etl

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSelf stops the process until SIGCONT.
func stopSelf() {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // all threads, soon
	<-goOn
}
