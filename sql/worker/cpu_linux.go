package worker

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyCPU calls do when the limit of processor time is reached, a second before the process is killed.
func notifyCPU(do func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGXCPU)
	go func() {
		<-c
		do()
	}()
}
