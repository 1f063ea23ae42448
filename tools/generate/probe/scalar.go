package probe

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// scalar is a scalar with what its text in a ping begins with.
type scalar struct {
	head  string // `"name":`
	kind  schema.ScalarKind
	often int // how many of 1024 pings have it
	keys  []string
	value func(*Activity) int // nil: anything
}

// scalarSet are the scalars of a process.
type scalarSet struct{ plain, keyed []scalar }

// known are the scalars that follow from what happened.
var known = map[string]func(*Activity) int{
	"browser.engagement.active_ticks":                func(a *Activity) int { return a.Ticks },
	"browser.engagement.max_concurrent_tab_count":    func(a *Activity) int { return a.Tabs },
	"browser.engagement.max_concurrent_window_count": func(a *Activity) int { return a.Windows },
	"browser.engagement.tab_open_event_count":        func(a *Activity) int { return a.Opened },
	"browser.engagement.window_open_event_count":     func(a *Activity) int { return a.NewWindows },
	"browser.engagement.total_uri_count":             func(a *Activity) int { return a.Pages },
	"browser.engagement.unfiltered_uri_count":        func(a *Activity) int { return a.Pages + a.Opened/3 },
	"browser.engagement.unique_domains_count":        func(a *Activity) int { return a.Domains },
	"timestamps.first_paint":                         func(a *Activity) int { return a.FirstPaint },
}

// add adds a defined scalar. How often pings have it hangs on its place in the
// list alone.
func (s *scalarSet) add(d *schema.Scalar, process schema.Process) {
	r := random.New(0, random.ForCatalogue, 2, uint64(len(s.plain)+len(s.keyed))<<8|uint64(process))
	c := scalar{head: jsontext.MemberName(d.Name), kind: d.Kind, often: r.Between(5, 160), value: known[d.Name]}
	switch {
	case c.value != nil:
		c.often = 1024
	case len(d.Processes) == 0: // of an add-on, which is rare itself
		c.often = 700
	case strings.Contains(d.Name, "engagement"):
		c.often = 500
	case process != schema.ProcessParent:
		c.often /= 2
	}
	if d.Keyed {
		c.keys = scalarKeys(d.Name)
		s.keyed = append(s.keyed, c)
		return
	}
	s.plain = append(s.plain, c)
}

// Write writes the scalars and keyed scalars of a process.
func (s *scalarSet) Write(t *jsontext.Text, r *random.Source, a *Activity) {
	t.Open("scalars")
	for i := range s.plain {
		if c := &s.plain[i]; r.Below(1024) < c.often {
			t.Raw(c.head)
			c.writeValue(t, r, a)
		}
	}
	t.Close()
	t.Open("keyedScalars")
	for i := range s.keyed {
		if c := &s.keyed[i]; r.Below(1024) < c.often {
			t.Raw(c.head)
			c.writeKeys(t, r, a)
		}
	}
	t.Close()
}

func (c *scalar) writeKeys(t *jsontext.Text, r *random.Source, a *Activity) {
	t.Begin()
	for n := r.Below(len(c.keys)); n < len(c.keys); n += 1 + r.Below(3) {
		t.Raw(c.keys[n])
		c.writeValue(t, r, a)
	}
	t.Close()
}

func (c *scalar) writeValue(t *jsontext.Text, r *random.Source, a *Activity) {
	switch {
	case c.value != nil:
		t.Number(c.value(a))
	case c.kind == schema.ScalarBoolean:
		t.B = append(strconv.AppendBool(t.B, !r.OneIn(3)), ',')
	case c.kind == schema.ScalarString:
		t.Raw(random.Pick(r, scalarTexts))
	default:
		t.Number(r.Span(1, 2000))
	}
}

// scalarTexts are values of scalars of text, as JSON.
var scalarTexts = []string{`"7.8.4.1701",`, `"treatment",`, `"unknown",`, `"reader.exe|11.2.0",`, `"größer",`, `"",`, `"0.125",`}

// scalarKeys returns keys of a keyed scalar, as JSON.
func scalarKeys(name string) []string {
	keys := []string{"first", "second_choice", "third", "other", "über", "a\"b\\c"}
	switch {
	case strings.Contains(name, "navigation"):
		keys = []string{"search", "search_alias", "search_enter", "search_formhistory", "search_oneoff", "search_suggestion"}
	case strings.Contains(name, "event_counts"):
		keys = []string{"navigation#search#urlbar", "navigation#search#searchbar", "example#open#panel", "telemetry#expired#event"}
	case strings.Contains(name, "collected_count_by_filename"):
		keys = []string{"browser.xul", "resource:///modules/example.jsm", "FILTERED_PREFIX", "UNKNOWN_FILE"}
	}
	return jsontext.MemberNames(keys)
}
