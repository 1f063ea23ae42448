package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// peoplePart lets ten people query concurrently, in a separate program.
func peoplePart(ctx context.Context, _ *options, p *page) error {
	cmd := exec.CommandContext(ctx, "go", "run", "./bench/load")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ten people: %w", err)
	}
	load, _ := os.ReadFile("/proc/loadavg") // it is for readers, where there is one
	p.printf(`
## Ten people at once

Ten people ask small queries as fast as they are answered, eight over HTTP and two over Arrow Flight SQL, each from the question to the last row; a process makes the tables of a day again and again,
and pings arrive at 50 a second. Then one person has 50 queries waiting, and another asks one. The load of the machine at the end was %s.

%s`, strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))], ", "), out)
	return nil
}
