package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// smallDays lists the sizes of days, in submissions, whose processor time is measured.
var smallDays = []int{100, 1_000, 10_000}

// smallDay holds the processor time of a day in seconds, including process start.
type smallDay struct{ load, run float64 }

func (d smallDay) sum() float64 { return d.load + d.run }

// smallDayPart measures what days of few pings take: what does not depend on the number of pings shows.
func smallDayPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "small-day")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := buildProgram(ctx, o.program, dir)
	if err != nil {
		return err
	}
	p.printf("\n## Days of few pings\n\nGzipped submissions of the first day of a population, in a file: `load`, and `run all`, which "+
		"makes all seven tables. Processor seconds of the whole processes, on all cores, in a folder in memory if there is one; medians of "+
		"%d rounds.\n\n", o.rounds)
	p.printf("| submissions | program | load | run all | both | ms a submission |\n|---|---|---|---|---|---|\n")
	for _, n := range smallDays {
		input := filepath.Join(dir, "submissions")
		if err := writeSubmissions(ctx, program, input, n); err != nil {
			return err
		}
		all := map[string][]smallDay{}
		for range o.rounds {
			for _, program := range []string{o.baseline, program} {
				if program == "" {
					continue
				}
				d, err := makeSmallDay(ctx, program, filepath.Join(dir, "data"), input)
				if err != nil {
					return err
				}
				all[program] = append(all[program], d)
			}
		}
		for _, c := range []struct{ name, program string }{{"earlier", o.baseline}, {"this", program}} {
			if len(all[c.program]) == 0 {
				continue
			}
			d := median(all[c.program], smallDay.sum)
			p.printf("| %d | %s | %.2f | %.2f | %.2f | %.2f |\n", n, c.name, d.load, d.run, d.sum(), 1e3*d.sum()/float64(n))
		}
	}
	return nil
}

// makeSmallDay makes an installation from nothing.
func makeSmallDay(ctx context.Context, program, data, input string) (d smallDay, err error) {
	if err := os.RemoveAll(data); err != nil {
		return d, fmt.Errorf("clear the installation: %w", err)
	}
	if d.load, err = seconds(ctx, program, "load", "--data", data, input); err != nil {
		return d, err
	}
	d.run, err = seconds(ctx, program, "run", "all", "--data", data, "--date", "20180301")
	return d, err
}

// seconds runs a program and returns its processor time.
func seconds(ctx context.Context, program string, args ...string) (float64, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", args[0], err, out)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// writeSubmissions writes the first n submissions of a population to a file, one a line.
func writeSubmissions(ctx context.Context, program, name string, n int) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "generate", "--clients", fmt.Sprint(2*n), "--days", "1", "--gzip")
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("generate submissions: %w", err)
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write submissions: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("generate submissions: %w", err)
	}
	in, out := bufio.NewReaderSize(lines, 1<<20), bufio.NewWriterSize(f, 1<<20)
	for range n {
		for more := true; more; {
			part, isPrefix, err := in.ReadLine()
			if err != nil {
				return fmt.Errorf("generate submissions: %w", err)
			}
			_, _ = out.Write(part) // Flush gives the error
			more = isPrefix
		}
		_ = out.WriteByte('\n')
	}
	cancel() // the others are not needed
	_ = cmd.Wait()
	return out.Flush()
}

// buildProgram returns the path of the program, which is built here unless there is one.
func buildProgram(ctx context.Context, path, dir string) (string, error) {
	if path != "" {
		return path, nil
	}
	path = filepath.Join(dir, "pingmill")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/pingmill").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w: %s", err, out)
	}
	return path, nil
}
