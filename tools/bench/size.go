package main

import (
	"cmp"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sizeRows is the number of rows of a table of dependencies; the others are one row.
const sizeRows = 24

// sizePart publishes how large the program is, how long its first build takes and what runs before main, by dependency.
func sizePart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "size")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p.printf("\n## Size and start\n\n")
	program := filepath.Join(dir, "pingmill")
	build, err := coldBuild(ctx, p, dir, program)
	if err != nil {
		return err
	}
	debug := program + "-symbols"
	if out, err := exec.CommandContext(ctx, "make", "build-debug", "BIN="+debug).CombinedOutput(); err != nil {
		return fmt.Errorf("build with symbols: %w: %s", err, out)
	}
	size, err := sizes(debug)
	if err != nil {
		return err
	}
	printShares(p, "Bytes of symbols in the program, MB. Tables of functions, which Go needs for stacks, and names of symbols belong to "+
		"no dependency", size)
	printShares(p, "Processor time of the first build, s", build)
	return startTimes(ctx, p, program)
}

// coldBuild builds the program with an empty cache and returns the processor seconds by dependency.
func coldBuild(ctx context.Context, p *page, dir, program string) (map[string]float64, error) {
	graph := filepath.Join(dir, "graph.json")
	cmd := exec.CommandContext(ctx, "make", "build", "BIN="+program)
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache"), "GOFLAGS="+os.Getenv("GOFLAGS")+" -debug-actiongraph="+graph)
	before, start := askUsage(), time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w: %s", err, out)
	}
	wall, used := time.Since(start), askUsage()-before
	info, err := os.Stat(program)
	if err != nil {
		return nil, err
	}
	p.printf("The released program has %.1f MB. Its first build, with an empty cache and all modules there, took %.0f s, and %.0f s of "+
		"processor time, at a load of %s.\n",
		float64(info.Size())/1e6, wall.Seconds(), used, loadAverage())
	text, err := os.ReadFile(graph)
	if err != nil {
		return nil, err
	}
	var actions []struct {
		Mode, Package   string
		CmdUser, CmdSys float64 // ns
	}
	if err := json.Unmarshal(text, &actions); err != nil {
		return nil, fmt.Errorf("read the graph of the build: %w", err)
	}
	all := map[string]float64{}
	for _, a := range actions {
		name := dependency(a.Package)
		if a.Mode == "link" {
			name = "linking"
		}
		all[name] += (a.CmdUser + a.CmdSys) / 1e9
	}
	return all, nil
}

func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg") // empty elsewhere
	load, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(load, "an unknown number")
}

// dependency returns the module of a package, as far as its path has it: host, owner and name.
func dependency(pkg string) string {
	parts := strings.Split(pkg, "/")
	if pkg == "" || !strings.Contains(parts[0], ".") {
		return "standard library and cgo"
	}
	return strings.Join(parts[:min(3, len(parts))], "/")
}

// symbolPackage finds the package in the name of a Go symbol, which may begin with its kind.
var symbolPackage = regexp.MustCompile(
	`^(?:type:\.(?:eq|hash)\.|go:itab\.|type:)?[*\[\]]*([A-Za-z0-9_.\-%]+(?:/[A-Za-z0-9_\-%~]+(?:\.v[0-9]+)?)*)\.`)

// sizes returns the megabytes of symbols by dependency.
func sizes(program string) (map[string]float64, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, fmt.Errorf("open the program: %w", err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read the symbols: %w", err)
	}
	all := map[string]float64{}
	for _, s := range symbols {
		if int(s.Section) < len(f.Sections) && f.Sections[s.Section].Type != elf.SHT_NOBITS {
			all[owner(s.Name)] += float64(s.Size) / 1e6
		}
	}
	for _, s := range f.Sections {
		switch s.Name {
		case ".gopclntab":
			all["tables of functions"] = float64(s.Size) / 1e6
		case ".eh_frame", ".eh_frame_hdr", ".gcc_except_table", ".dynstr", ".dynsym", ".gnu.hash", ".rela.dyn":
			all["names and tables of C++"] += float64(s.Size) / 1e6
		}
	}
	return all, nil
}

// owner returns the dependency that a symbol is of.
func owner(symbol string) string {
	switch {
	case strings.HasPrefix(symbol, "runtime.pclntab") || strings.HasPrefix(symbol, "runtime.epclntab"):
		return "tables of functions"
	case strings.HasPrefix(symbol, "_Z") || strings.HasPrefix(symbol, "duckdb") || strings.HasPrefix(symbol, "icudt"):
		return "DuckDB's library"
	case strings.HasPrefix(symbol, "main."):
		return "github.com/pingmill/pingmill"
	}
	m := symbolPackage.FindStringSubmatch(symbol)
	if m == nil {
		return "others"
	}
	return dependency(strings.ReplaceAll(m[1], "%2e", "."))
}

// printShares writes the largest shares of dependencies and the sum of the others.
func printShares(p *page, title string, all map[string]float64) {
	names := slices.SortedFunc(maps.Keys(all), func(x, y string) int { return cmp.Compare(all[y], all[x]) })
	p.printf("\n%s:\n\n| dependency | |\n|---|---|\n", title)
	rest := 0.0
	for i, name := range names {
		if i < sizeRows {
			p.printf("| %s | %.2f |\n", name, all[name])
		} else {
			rest += all[name]
		}
	}
	p.printf("| %d others | %.2f |\n", max(0, len(names)-sizeRows), rest)
}

// startRounds is the number of processes that are started for each number.
const startRounds = 51

// startTimes writes how long the program takes to begin, and what of that are packages.
func startTimes(ctx context.Context, p *page, program string) error {
	var wall, used []float64
	inits := map[string][]float64{}
	for range startRounds {
		cmd := exec.CommandContext(ctx, program, "version")
		before, start := askUsage(), time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("version: %w: %s", err, out)
		}
		wall, used = append(wall, time.Since(start).Seconds()*1e3), append(used, (askUsage()-before)*1e3)
		traced := exec.CommandContext(ctx, program, "version")
		traced.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := traced.CombinedOutput()
		if err != nil {
			return fmt.Errorf("trace the start: %w: %s", err, out)
		}
		readInits(string(out), inits)
	}
	same := func(f float64) float64 { return f }
	least, total := map[string]float64{}, 0.0
	for name, all := range inits {
		least[name] = slices.Min(all) // a busy machine interrupts some
		total += least[name]
	}
	p.printf("\n`pingmill version` takes %.1f ms, at least %.1f ms, and %.1f ms of processor time; medians of %d processes. Packages "+
		"initialize themselves for at least %.1f ms of it.\n",
		median(wall, same), slices.Min(wall), median(used, same), startRounds, total)
	printShares(p, "What runs before main, in each process, also the worker of a query; the least ms", least)
	return nil
}

// initLine is a line of GODEBUG=inittrace=1.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// readInits appends the milliseconds of packages in a trace.
func readInits(trace string, to map[string][]float64) {
	for _, m := range initLine.FindAllStringSubmatch(trace, -1) {
		if ms, err := strconv.ParseFloat(m[2], 64); err == nil {
			to[m[1]] = append(to[m[1]], ms)
		}
	}
}
