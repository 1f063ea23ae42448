package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/tools/generate"
)

func init() {
	candidates["removal-remove"] = removalRemove
	candidates["removal-search"] = removalSearch
	candidates["removal-rows"] = removalRows
}

// removalRun is the removal of clients by one program from its copy of a lake.
type removalRun struct {
	name    string
	spent   removalSpent
	search  *idSearch
	changed []string // partitions whose other rows changed
}

// removalSpent holds the resources of a removal.
type removalSpent struct {
	Register processSpent // until the requests are recorded
	Remove   processSpent // until no file has a row
	Added    int64        // bytes of the copy that were written and are left
}

// processSpent holds the resources that a process and its children used.
type processSpent struct {
	CPU, Wall     float64 // s
	Read, Written int64   // bytes, by system calls
	Peak          float64 // bytes of memory
}

// removalPart measures the removal of clients from a lake of many, by an earlier program and by this one. Afterwards
// it searches every byte of each lake for them, with another maker's reader, and compares the rows of all others. Each step is a
// process and keeps its result in the folder, so that a part that was cut short goes on.
func removalPart(ctx context.Context, o *options, p *page) error {
	dir := o.lake
	if dir == "" {
		var err error
		if dir, err = diskFolder(o.spool); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	program, err := buildProgram(ctx, o.program, dir)
	if err != nil {
		return err
	}
	base := filepath.Join(dir, "base")
	if err := o.removal.makeLake(ctx, program, base); err != nil {
		return err
	}
	if err := o.removal.choose(ctx, base, filepath.Join(dir, "ids")); err != nil {
		return err
	}
	before, shown, err := look(ctx, base)
	if err != nil {
		return err
	}
	var runs []*removalRun
	for _, c := range []struct{ name, program string }{{"earlier", o.baseline}, {"this", program}} {
		if c.program == "" {
			continue
		}
		r := &removalRun{name: c.name}
		data := filepath.Join(dir, c.name)
		if err := step(ctx, &r.spent, "removal-remove", c.program, data); err != nil {
			return err
		}
		var after lakeRows
		if after, r.search, err = look(ctx, data); err != nil {
			return err
		}
		r.changed = before.changed(after)
		runs = append(runs, r)
		if err := os.RemoveAll(data); err != nil {
			return fmt.Errorf("remove the copy: %w", err)
		}
	}
	return removalTable(p, &o.removal, base, before, shown, runs)
}

// look searches a lake for the clients, and reads the rows of the others.
func look(ctx context.Context, data string) (rows lakeRows, search *idSearch, err error) {
	search = &idSearch{}
	err = errors.Join(step(ctx, &rows, "removal-rows", data, data), step(ctx, search, "removal-search", data, data))
	return rows, search, err
}

// step reads the result of a candidate, which runs if there is none.
func step(ctx context.Context, result any, name, input, output string) error {
	file := resultFile(output, name)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err := self(ctx, name, input, output); err != nil {
			return err
		}
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return fmt.Errorf("result of %s: %w", name, err)
	}
	return json.Unmarshal(data, result)
}

func resultFile(output, name string) string { return output + "." + name + ".json" }

// keep writes the result of a candidate.
func keep(result any, output, name string) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("result of %s: %w", name, err)
	}
	return os.WriteFile(resultFile(output, name), data, 0o600)
}

// self runs a candidate in a process.
func self(ctx context.Context, name, input, output string) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	if err := command(ctx, program, "-child", name, "-input", input, "-output", output).Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// last returns the last day of the lake.
func (c *removal) last() string {
	first, _ := time.Parse("20060102", string(generate.DefaultStart)) // a constant
	return first.AddDate(0, 0, c.days-1).Format("20060102")
}

// makeLake makes an installation of clients that come on one or two days each.
func (c *removal) makeLake(ctx context.Context, program, data string) error {
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := data + ".part"
	if err := os.RemoveAll(part); err != nil {
		return fmt.Errorf("clear %s: %w", part, err)
	}
	writers := runtime.GOMAXPROCS(0)
	var g errgroup.Group
	for n := range writers {
		g.Go(func() error {
			return self(ctx, "removal-clients", fmt.Sprintf("%d %d %d", n+1, c.clients/writers, c.days), part)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	err := command(ctx, program, "run", "all", "--data", part, "--from", string(generate.DefaultStart), "--to", c.last()).Run()
	if err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return os.Rename(part, data)
}

// choose writes the ids of the clients to remove into a file, one a line.
func (c *removal) choose(ctx context.Context, data, file string) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	all, err := someIDs(ctx, data, c.removed)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Join(all, "\n")+"\n"), 0o600)
}

// chosen returns the clients to remove from a lake or a copy, and their file.
func chosen(data string) (ids []string, file string, err error) {
	file = filepath.Join(filepath.Dir(data), "ids")
	text, err := os.ReadFile(file)
	return strings.Fields(string(text)), file, err
}

// removalRemove removes the clients from a copy of a lake with a program.
func removalRemove(ctx context.Context, program, data string) (rows, bytes int64, err error) {
	_, ids, err := chosen(data)
	if err != nil {
		return 0, 0, err
	}
	if err := os.RemoveAll(data); err != nil {
		return 0, 0, fmt.Errorf("clear %s: %w", data, err)
	}
	if err := linkTree(filepath.Join(filepath.Dir(data), "base"), data); err != nil {
		return 0, 0, err
	}
	var s removalSpent
	if s.Register, err = spend(ctx, program, "delete", "--data", data, "--file", ids); err != nil {
		return 0, 0, err
	}
	if s.Remove, err = spend(ctx, program, "delete", "--data", data, "--now"); err != nil {
		return 0, 0, err
	}
	if s.Added, err = ownBytes(data); err != nil {
		return 0, 0, err
	}
	return 0, s.Added, keep(s, data, "removal-remove")
}

// linkTree copies a folder. Parquet files are links, since no program changes one in place.
func linkTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(target, 0o700)
		case strings.HasSuffix(name, ".parquet"):
			return os.Link(name, target)
		}
		return copyFile(name, target)
	})
}

func copyFile(from, to string) (err error) {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// spend runs a program and returns what it and its children spent.
func spend(ctx context.Context, program string, args ...string) (s processSpent, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	read, written := ownIO()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return s, fmt.Errorf("%s: %w", args[0], err)
	}
	peak := watchPeak(cmd.Process.Pid)
	err = cmd.Wait()
	s.Peak = peak()
	if err != nil {
		return s, fmt.Errorf("%s: %w", args[0], err)
	}
	s.CPU, s.Wall = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), time.Since(start).Seconds()
	s.Read, s.Written = ownIO()
	s.Read, s.Written = s.Read-read, s.Written-written
	return s, nil
}

// ownIO returns the bytes that this process and its ended children have read and written by system calls.
func ownIO() (read, written int64) {
	read, _ = strconv.ParseInt(procField("/proc/self/io", "rchar"), 10, 64) // the kernel writes numbers
	written, _ = strconv.ParseInt(procField("/proc/self/io", "wchar"), 10, 64)
	return read, written
}
