package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

//go:embed spark_main.py
var sparkProgram []byte

// errNoSpark means that no Spark was configured.
var errNoSpark = errors.New("no spark-submit was given")

// sparkResult is a result of Spark, including Java's start.
type sparkResult struct {
	result

	version string
}

// sparkMain makes main_summary from the gzipped lines of a corpus with Spark in one thread, by the paths and types that DuckDB reads.
func sparkMain(ctx context.Context, o *options, c corpus) (r sparkResult, err error) {
	if o.spark == "" {
		return r, errNoSpark
	}
	dir, err := os.MkdirTemp(o.dir, "spark-")
	if err != nil {
		return r, fmt.Errorf("make folder for Spark: %w", err)
	}
	defer os.RemoveAll(dir)
	meta, ping, exprs := duckdb.Paths(schema.MainSummary(probes()))
	for i := range exprs {
		exprs[i] = sparkTypes(exprs[i])
	}
	job, err := json.Marshal(map[string]any{
		"input": c.gzip, "output": filepath.Join(dir, "main_summary"), "columns": exprs,
		"schema": sparkTypes(`"meta" ` + meta + `, "ping" ` + ping),
	})
	if err != nil {
		return r, err
	}
	program, jobFile := filepath.Join(dir, "spark_main.py"), filepath.Join(dir, "job.json")
	if err := errors.Join(os.WriteFile(program, sparkProgram, 0o644), os.WriteFile(jobFile, job, 0o644)); err != nil {
		return r, err
	}
	// Its process waits for all others, so that their time is in its.
	cmd := exec.CommandContext(ctx, o.spark, "--master", "local[1]", "--driver-memory", "4g", "--conf", "spark.ui.enabled=false", program,
		jobFile)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SPARK_LOCAL_DIRS="+dir, "PATH="+filepath.Dir(o.spark)+":"+os.Getenv("PATH"))
	var errs strings.Builder
	cmd.Stderr = &errs
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("Spark: %w: %s", err, errs.String()[max(0, errs.Len()-2000):])
	}
	s := cmd.ProcessState
	r.Wall, r.Seconds = time.Since(start).Seconds(), (s.UserTime() + s.SystemTime()).Seconds()
	var output struct {
		Rows    int64
		Version string
	}
	if err := json.Unmarshal(out, &output); err != nil || output.Rows != c.pings {
		return r, fmt.Errorf("Spark made other rows than %d: %s, %w", c.pings, out, err)
	}
	r.version, r.Units = output.Version, output.Rows
	return r, nil
}

var (
	sparkList  = regexp.MustCompile(`(\w+)\[\]`)
	sparkWords = strings.NewReplacer("(", "<", ")", ">", `"`, "`", "VARCHAR", "STRING", "INTEGER", "INT")
)

// sparkTypes writes DuckDB's types and paths as Spark has them.
func sparkTypes(text string) string {
	return sparkList.ReplaceAllString(sparkWords.Replace(text), "ARRAY<$1>")
}
