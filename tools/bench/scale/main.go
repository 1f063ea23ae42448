// Command scale plans installations of many clients: their needs by measured costs, and the end of a day by a
// simulation of edges, decoders, tasks and a bucket. It writes the tables of docs/scaling.md.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

//go:embed measured.json
var stored []byte

// measured returns the small cases as they were measured last.
func measured() (m Measured, err error) {
	return m, json.Unmarshal(stored, &m)
}

func main() {
	results := flag.String("measure", "", "measure the small cases again, some minutes, and write them to this file")
	inputs := flag.String("inputs", "",
		"JSON file with inputs of your own, such as {\"Main\": {\"PerClient\": 2}, \"PerCore\": 0.05}: the tables are printed")
	out := flag.String("out", "docs/scaling.md", "page whose tables are written")
	flag.Parse()
	if err := run(*results, *inputs, *out); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(results, inputs, out string) error {
	m, err := measured()
	if results != "" && err == nil {
		m, err = measure(context.Background())
	}
	if err != nil {
		return err
	}
	if results != "" {
		data, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(results, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	if inputs == "" {
		return writePage(out, m)
	}
	data, err := os.ReadFile(inputs)
	if err != nil {
		return err
	}
	in := defaults
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("read %s: %w", inputs, err)
	}
	fmt.Print(tables(m, in))
	return nil
}
