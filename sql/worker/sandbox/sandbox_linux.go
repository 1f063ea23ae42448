package sandbox

import (
	"fmt"
	"os"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// Restrict makes the rules hold for all threads of the process and returns what the system lacks. After an error nothing that
// is not trusted may run.
func Restrict(r Rules) (lacking []Protection, err error) {
	if err := limit(r); err != nil {
		return nil, fmt.Errorf("limit resources: %w", err)
	}
	if !seccomp.Supported() { // else no program can be started
		if err := dropBounding(); err != nil {
			return nil, fmt.Errorf("drop capabilities: %w", err)
		}
	}
	if err := dropCapabilities(r.Read); err != nil {
		return nil, fmt.Errorf("drop capabilities: %w", err)
	}
	if Landlock() == 0 {
		lacking = append(lacking, Files)
	} else if err := files(r); err != nil {
		return nil, fmt.Errorf("restrict files: %w", err)
	}
	if !seccomp.Supported() {
		return append(lacking, Network, Programs), nil
	}
	if err := filterCalls(); err != nil {
		return nil, fmt.Errorf("restrict system calls: %w", err)
	}
	return lacking, nil
}

// Lacks returns the protections that this system does not have, without restricting anything.
func Lacks() (lacking []Protection) {
	if Landlock() == 0 {
		lacking = append(lacking, Files)
	}
	if !seccomp.Supported() {
		lacking = append(lacking, Network, Programs)
	}
	return lacking
}

// Landlock returns the version of the kernel's Landlock, 0 without one.
func Landlock() int {
	version, err := landlocksys.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// accessRead is reading without executing.
const accessRead = landlocksys.AccessFSReadFile

// files allows the files of the rules only. A file that is not there stays so.
func files(r Rules) error {
	var dirs, single []string
	for _, path := range r.Read {
		info, err := os.Stat(path)
		switch {
		case err != nil: // the query says so
		case info.IsDir():
			dirs = append(dirs, path)
		case info.Mode().IsRegular():
			single = append(single, path)
		}
	}
	rules := []landlock.Rule{
		landlock.PathAccess(accessRead, single...).IgnoreIfMissing(),
		landlock.PathAccess(accessRead|landlocksys.AccessFSReadDir, dirs...).IgnoreIfMissing(),
		landlock.RWDirs(r.Write...),
	}
	return landlock.V7.BestEffort().Restrict(rules...)
}
