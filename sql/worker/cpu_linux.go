package worker

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyCPU calls do once, when the process reaches its soft limit of processor time (SIGXCPU). One second later the
// kernel kills the process.
func notifyCPU(do func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGXCPU)
	go func() {
		<-c
		do()
	}()
}
