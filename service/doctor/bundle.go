package doctor

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/site"
)

// bundled is a file of a bundle.
type bundled struct {
	name, about string
	data        []byte
}

// bundle collects the files.
type bundle struct {
	scrub

	patient *Patient
	site    *site.Site // nil: it cannot be opened, or there is none
	log     string     // file with the log of the service; "": systemd's journal
}

// collected lists the files in their order. The log comes first, because names that it has go from all other files, too.
var collected = []struct {
	name, about string
	collect     func(*bundle, context.Context) ([]byte, error)
}{
	{"log.txt", "the last lines of the service's log: levels, times, messages, numbers", (*bundle).logLines},
	{"metrics.txt", "the metrics of the running service, without labels that name something of yours", (*bundle).metrics},
	{"version.json", "version, Go, system, processors", (*bundle).version},
	{"configuration.txt", "each key with its value if that is a number, a switch or the default", (*bundle).configuration},
	{"folders.json", "files and bytes of the folders on this machine", (*bundle).folders},
	{"failures.json", "the failed partitions of the ledger, with reasons", (*bundle).failures},
	{"goroutines.txt", "what the running service does, if private.profiles is set", (*bundle).goroutines},
}

// common lists words that are so frequent in messages and paths that they tell nothing.
var common = []string{"pingmill", "pingmill.yaml", "localhost", "pings", "data", "archive", "lake", "http", "https", "kafka", "postgres",
	"etc", "var", "lib"}

// WriteBundle writes what a report of an error needs into one new file: the findings, version, configuration, metrics, sizes, failed
// jobs, log and goroutines, without secrets, names of machines and people, and data. It prints to w what is in it. log names a file
// with the log of the service.
func WriteBundle(ctx context.Context, name, log string, p *Patient, all []Finding, w io.Writer) error {
	b := &bundle{patient: p, log: log, scrub: scrub{known: map[string]bool{}}}
	for _, w := range common {
		b.known[w] = true
	}
	for i := range config.All {
		b.known[config.All[i].Name] = true
	}
	closing := b.open(ctx)
	files := b.files(ctx, all)
	if err := closing(); err != nil {
		return err
	}
	archive, err := pack(files, p.Now())
	if err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	if err := writeNew(name, archive); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, %s:\n", name, humanize.IBytes(uint64(len(archive))))
	for _, f := range files {
		fmt.Fprintf(w, "  %-18s %9s  %s\n", f.name, humanize.IBytes(uint64(len(f.data))), f.about)
	}
	fmt.Fprintf(w, "Look at it before you send it: tar -xzOf %s | less\n", name)
	return nil
}

// open reads the installation and the names that stay or go.
func (b *bundle) open(ctx context.Context) (closing func() error) {
	closing = func() error { return nil }
	p := b.patient
	if p.Refused == nil {
		if is, err := p.Exists(ctx); err == nil && is {
			if s, err := p.Read(ctx); err == nil { // the doctor's report has the reason
				b.site, closing = s, s.Close
				for _, t := range s.Tables {
					b.known[t.Name] = true
				}
			}
		}
	}
	if host, err := os.Hostname(); err == nil {
		b.mark(host)
	}
	b.mark(p.File)
	if p.Values != nil {
		for k, value := range p.Values.All() {
			b.markValue(k, value)
		}
	}
	return closing
}

func (b *bundle) files(ctx context.Context, all []Finding) (files []bundled) {
	for _, part := range collected {
		data, err := part.collect(b, ctx)
		if err != nil {
			data = fmt.Appendf(data, "not there: %s\n", b.text(err.Error()))
		}
		files = append(files, bundled{part.name, part.about, data})
	}
	for i := range all { // with the names of the log
		all[i].Text, all[i].Do = b.text(all[i].Text), b.text(all[i].Do)
	}
	var report bytes.Buffer
	r := NewReport(b.patient.Program, b.patient.Now(), all)
	_ = r.JSON(&report) // into memory
	files = append(files, bundled{"report.json", "what pingmill doctor found", report.Bytes()})
	for i := range files {
		files[i].data = b.withoutSecrets(files[i].data)
	}
	return files
}

// withoutSecrets is a second look at the secrets of the configuration, whatever the part that wrote a file does.
func (b *bundle) withoutSecrets(data []byte) []byte {
	if b.patient.Values == nil {
		return data
	}
	for k, value := range b.patient.Values.All() {
		if text, _ := value.(string); k.Secret && len(text) >= 4 {
			data = bytes.ReplaceAll(data, []byte(text), []byte(removed))
		}
	}
	return data
}

func pack(files []bundled, now time.Time) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: "pingmill-doctor/" + f.name, Mode: 0o644, Size: int64(len(f.data)), ModTime: now, Typeflag: tar.TypeReg}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := errors.Join(t.Close(), z.Close())
	return out.Bytes(), err
}

func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("bundle: %s exists: give another name", name)
	}
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// indented returns a value as JSON for people.
func indented(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return out.Bytes(), err
}

// lines returns texts as lines.
func lines(all []string) []byte {
	if len(all) == 0 {
		return nil
	}
	return []byte(strings.Join(all, "\n") + "\n")
}
