package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pingDefinition holds the part of a ping's definition in a pings.yaml that decoding needs.
type pingDefinition struct {
	Metadata struct {
		InfoSections *bool `yaml:"include_info_sections"`
	}
}

// info returns what the definition says; without a word, pings have the sections.
func (p *pingDefinition) info() InfoSections {
	if is := p.Metadata.InfoSections; is != nil && !*is {
		return WithoutInfo
	}
	return WithInfo
}

// corePings are the pings of every application that has definitions: the SDK defines them.
var corePings = []string{"baseline", "events", "health", "metrics"}

// ReadDefinitions adds the applications of a folder of definitions, which has a folder for each, and what their files
// *pings.yaml say of info sections. It is called again for each newer version of the definitions: what versions
// contradict each other about is unknown.
func (g *Glean) ReadDefinitions(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read Glean definitions: %w", err)
	}
	known := map[[2]string]InfoSections{}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if !g.takes([]byte(e.Name())) {
			g.Applications = append(slices.Clone(g.Applications), e.Name())
		}
		if defined, err := filepath.Glob(filepath.Join(dir, e.Name(), "*s.yaml")); err == nil && len(defined) > 0 {
			for _, name := range corePings {
				known[[2]string{e.Name(), name}] = WithInfo
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, e.Name(), "*pings.yaml"))
		if err != nil {
			return fmt.Errorf("read Glean definitions: %w", err)
		}
		for _, file := range files {
			if err := readPings(file, e.Name(), known); err != nil {
				return err
			}
		}
	}
	before := g.InfoSections
	g.InfoSections = func(application, docType string) InfoSections {
		now := known[[2]string{application, docType}]
		if before == nil {
			return now
		}
		switch earlier := before(application, docType); {
		case now == InfoUnknown:
			return earlier
		case earlier == InfoUnknown || earlier == now:
			return now
		}
		return InfoUnknown
	}
	return nil
}

// maxDefinitions is the largest file of definitions, in bytes.
const maxDefinitions = 64 << 20

// readPings reads a file of ping definitions.
func readPings(file, application string, known map[[2]string]InfoSections) error {
	if about, err := os.Stat(file); err == nil && about.Size() > maxDefinitions {
		return fmt.Errorf("read Glean definitions: %s has more than %d bytes", file, maxDefinitions)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read Glean definitions: %w", err)
	}
	var all map[string]yaml.Node
	if err := yaml.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("read Glean definitions: %s: %w", file, oneLine(err))
	}
	for name, node := range all {
		if strings.HasPrefix(name, "$") || name == "no_lint" {
			continue
		}
		var p pingDefinition
		if node.Kind != yaml.MappingNode {
			return fmt.Errorf("read Glean definitions: %s: %w", file, errors.New("ping "+name+" is no map"))
		}
		if err := node.Decode(&p); err != nil {
			return fmt.Errorf("read Glean definitions: %s: ping %s: %w", file, name, oneLine(err))
		}
		known[[2]string{application, name}] = p.info()
	}
	return nil
}
