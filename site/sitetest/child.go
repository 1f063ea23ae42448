package sitetest

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"time"
)

var Kills = flag.Int("kills", 4, "runs to kill in TestKilledRuns")

// ChildDir, when set, makes the test binary a run on the installation there.
const ChildDir = "PINGMILL_TEST_RUN"

func Child(dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ChildDir+"="+dir)
	return cmd
}

// KillSoon starts a process and kills it like that.
func KillSoon(cmd *exec.Cmd, usual time.Duration) (ended bool, err error) {
	if err := cmd.Start(); err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return true, err
	case <-time.After(rand.N(usual)):
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	err = <-done
	return err == nil, nil
}
