package format

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// read renders every record and error of a file.
func read(t testing.TB, r io.Reader, o Options) []string {
	t.Helper()
	f, err := o.Open(r)
	if err != nil {
		return []string{"open: " + err.Error()}
	}
	defer f.Close()
	var all []string
	var rec Record
	for {
		err := f.Next(&rec)
		var damaged *RecordError
		switch {
		case err == io.EOF:
			if err := f.Next(&rec); err != io.EOF {
				t.Fatalf("after the end: %v", err)
			}
			return all
		case errors.As(err, &damaged):
			all = append(all, fmt.Sprintf("%v [%.30s]", err, damaged.Raw))
		case err != nil:
			if again := f.Next(&rec); again != err {
				t.Fatalf("after %v: %v", err, again)
			}
			return append(all, "error: "+err.Error())
		default:
			all = append(all, render(&rec))
		}
	}
}

func render(r *Record) string {
	s := fmt.Sprintf("%d %d %s %s", r.Offset, r.Kind, r.Meta.AppendJSON(nil), r.Body)
	if r.Kind == Submission {
		s += fmt.Sprintf(" %s %d %s", r.URI, r.Timestamp, r.RemoteAddr)
		for _, h := range r.Headers {
			s += fmt.Sprintf(" %s=%s", h.Name, h.Value)
		}
	}
	return s
}

func compare(t *testing.T, name string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s, record %d:\n got %.300s\nwant %.300s", name, i, g, w)
		}
	}
}

// compressions packs a file in every way it may come.
var compressions = map[string]func([]byte) []byte{
	"plain": func(b []byte) []byte { return b },
	"gzip":  gzipped,
	"members": func(b []byte) []byte {
		return append(gzipped(b[:len(b)/2]), gzipped(b[len(b)/2:])...)
	},
	"zstd":  zstded,
	"twice": func(b []byte) []byte { return zstded(gzipped(b)) },
	"skippable": func(b []byte) []byte {
		return append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zstded(b)...)
	},
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func zstded(b []byte) []byte {
	z, _ := zstd.NewWriter(nil)
	defer z.Close()
	return z.EncodeAll(b, nil)
}

func TestLines(t *testing.T) {
	for _, c := range lineCases {
		for name, pack := range compressions {
			if c.file == "" && name == "skippable" {
				continue
			}
			got := read(t, bytes.NewReader(pack([]byte(c.file))), Options{})
			var want []string
			if c.want != "" {
				want = strings.Split(c.want, "\n")
			}
			for i := range want { // of errors, the beginning counts
				if i < len(got) && strings.HasPrefix(want[i], "record at") && strings.HasPrefix(got[i], want[i]) {
					want[i] = got[i]
				}
			}
			compare(t, c.name+", "+name, got, want)
		}
		slow := read(t, iotest.OneByteReader(strings.NewReader(c.file)), Options{})
		compare(t, c.name+", byte by byte", slow, read(t, strings.NewReader(c.file), Options{}))
	}
}

// TestLongLines checks the limit, and that reading goes on after it.
func TestLongLines(t *testing.T) {
	const limit = 3 << 20
	line := func(n int) string { return `{"ping":{"a":"` + strings.Repeat("x", n-18) + "\"}}\n" }
	for _, n := range []int{limit, limit + 1, 10 * limit} {
		file := line(100) + line(n) + line(200) + line(n)
		f, err := Options{MaxRecord: limit}.Open(strings.NewReader(file))
		require.NoError(t, err)
		var rec Record
		var got []int
		for {
			err := f.Next(&rec)
			if err == io.EOF {
				break
			}
			var damaged *RecordError
			if errors.As(err, &damaged) {
				if len(damaged.Raw) != maxRaw || damaged.Offset != int64(100) && damaged.Offset != int64(300+n) {
					t.Errorf("at %d with %d bytes: %v", damaged.Offset, len(damaged.Raw), err)
				}
				got = append(got, -1)
				continue
			}
			require.NoError(t, err)
			got = append(got, len(rec.Body))
		}
		want := []int{90, n - 10, 190, n - 10}
		if n > limit {
			want[1], want[3] = -1, -1
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("lines of %d: %v instead of %v", n, got, want)
		}
		if max := 4*limit + 2*minBuffer; len(f.src.buf) > max {
			t.Errorf("lines of %d: the buffer has %d bytes", n, len(f.src.buf))
		}
		f.Close()
		if err := f.Next(&rec); err == nil || err == io.EOF {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, file := range []string{"PAR1\x15\x04", "a,b,c\n1,2,3\n", "\x00\x01\x02", string(zstded(zstded(zstded([]byte("{}")))))} {
		if f, err := Open(strings.NewReader(file)); !errors.Is(err, ErrUnknown) {
			t.Errorf("%.10q: %v, %v", file, f, err)
		}
	}
}

// TestArray names an array of objects as what it is.
func TestArray(t *testing.T) {
	for _, file := range []string{"[{}]", "\uFEFF \n[\n {\"ping\":{}}\n]", string(zstded([]byte("[{}]")))} {
		if _, err := Open(strings.NewReader(file)); !errors.Is(err, ErrArray) {
			t.Errorf("%.10q: %v", file, err)
		}
		if r, err := (Options{Lines: true}).Open(strings.NewReader(file)); err != nil {
			t.Errorf("%.10q by lines: %v", file, err)
		} else {
			r.Close()
		}
	}
}

// TestBrokenCompression checks that what is whole is read and that the end is
// an error, not an end.
func TestBrokenCompression(t *testing.T) {
	lines := strings.Repeat("{\"ping\":{}}\n", 200_000)
	for name, packed := range map[string][]byte{"gzip": gzipped([]byte(lines)), "zstd": zstded([]byte(lines))} {
		got := read(t, bytes.NewReader(packed[:len(packed)-3]), Options{})
		last := got[len(got)-1]
		if !strings.HasPrefix(last, "error: read "+name+": ") {
			t.Errorf("%s: %s after %d records", name, last, len(got)-1)
		}
		if got := read(t, bytes.NewReader(packed[:6]), Options{}); len(got) != 1 || !strings.Contains(got[0], "read "+name) {
			t.Errorf("%s: %s", name, got)
		}
	}
	broken := io.MultiReader(strings.NewReader("x"), iotest.ErrReader(errors.New("broken")))
	if got := read(t, broken, Options{}); len(got) != 1 || got[0] != "open: recognise file: broken" {
		t.Errorf("broken at once: %q", got)
	}
	broken = io.MultiReader(strings.NewReader(lines), iotest.ErrReader(errors.New("broken")))
	if got := read(t, broken, Options{}); len(got) != 200_001 || got[200_000] != "error: broken" {
		t.Errorf("broken at the end: %d records, %s", len(got), got[len(got)-1])
	}
	if _, err := Open(iotest.ErrReader(errors.New("broken"))); err == nil {
		t.Error("broken from the first byte on")
	}
}

// TestPipe reads the first records of a file that has not ended yet.
func TestPipe(t *testing.T) {
	for _, record := range []string{"{\"ping\":{}}\n", string(frame(newMessage().bytes(6, "{}").b)) + strings.Repeat("\x1e", 300)} {
		r, w := io.Pipe()
		go w.Write([]byte(record))
		f, err := Open(r)
		require.NoError(t, err)
		var rec Record
		if err := f.Next(&rec); err != nil || string(rec.Body) != "{}" {
			t.Errorf("%q: %v", rec.Body, err)
		}
		w.Close()
	}
}

// sameJSON compares documents with their numbers as they stand.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	for _, p := range []struct {
		b []byte
		v *any
	}{{a, &x}, {b, &y}} {
		d := json.NewDecoder(bytes.NewReader(p.b))
		d.UseNumber()
		if err := d.Decode(p.v); err != nil {
			t.Fatalf("%v in %.80s", err, p.b)
		}
	}
	return reflect.DeepEqual(x, y)
}

func BenchmarkLines(b *testing.B) {
	doc := `{"type":"main","payload":{"histograms":{` +
		strings.Repeat(`"HISTOGRAM_NAME":{"range":[1,10000],"values":{"0":1,"12":345}},`, 1200) + `"X":{}}}}`
	line := `{"meta":{"documentId":"a","sampleId":4,"submissionDate":"20180601","docType":"main"},"ping":` + doc + "}\n"
	file := strings.Repeat(line, 400)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		f, err := Open(strings.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		var rec Record
		for err = f.Next(&rec); err == nil; err = f.Next(&rec) {
			if string(rec.Meta.Text(ping.DocTypeField)) != "main" {
				b.Fatal("wrong record")
			}
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}
