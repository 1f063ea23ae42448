package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// askRounds are alternating queries of each kind: they take milliseconds.
const askRounds = 51

// askKinds are ways in which pingmill query runs a query.
var askKinds = []struct {
	name string
	args []string
}{
	{"`pingmill query --unsafe`, in the program itself", []string{"--unsafe"}},
	{"`pingmill query`, through gate and worker", nil},
}

// askPart compares small queries in the program itself with the same through gate and worker, from the start of the program to its end.
func askPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "ask")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, data := filepath.Join(dir, "pingmill"), filepath.Join(dir, "data")
	for _, args := range [][]string{
		{"go", "build", "-o", program, "./cmd/pingmill"},
		{program, "generate", "--clients", "20", "--days", "1", "--output", filepath.Join(dir, "pings")},
		{program, "load", "--data", data, filepath.Join(dir, "pings")},
		{program, "run", "clients_daily", "--data", data, "--date", "20180301"},
	} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, out)
		}
	}
	p.printf("\n## A small query in a process of its own\n\nFrom the start of the program to its end, on all cores; medians of %d "+
		"alternating rounds, and the least of them. The worker gets ready while the installation is opened. At the prompt it is started "+
		"before the statement is typed.\n\n", askRounds)
	p.printf("| query | way | ms | more | least ms | processor ms |\n|---|---|---|---|---|---|\n")
	for _, sql := range []string{"SELECT 1", "SELECT os, count(*) FROM clients_daily GROUP BY 1"} {
		if err := askCompare(ctx, p, program, data, sql); err != nil {
			return err
		}
	}
	return nil
}

func askCompare(ctx context.Context, p *page, program, data, sql string) error {
	wall, used := make([][]float64, len(askKinds)), make([][]float64, len(askKinds))
	for range askRounds {
		for i, k := range askKinds {
			cmd := exec.CommandContext(ctx, program, slices.Concat([]string{"query", "--data", data}, k.args, []string{sql})...)
			before, start := askUsage(), time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", k.name, err, out)
			}
			wall[i], used[i] = append(wall[i], time.Since(start).Seconds()*1e3), append(used[i], (askUsage()-before)*1e3)
		}
	}
	same := func(f float64) float64 { return f }
	for i, k := range askKinds {
		t := median(wall[i], same)
		p.printf("| `%s` | %s | %.1f | %.1f | %.1f | %.1f |\n", sql, k.name, t, t-median(wall[0], same), slices.Min(wall[i]),
			median(used[i], same))
	}
	return nil
}

// askUsage returns the processor time of the processes that ended.
func askUsage() float64 {
	var ended syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended) // it cannot fail for the process itself
	return cpu(ended)
}
