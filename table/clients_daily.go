package table

import (
	"crypto/sha256"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// newClientsDaily aggregates the rows of a day by client.
func newClientsDaily(t *schema.Table, in *input) Rows { return newDaily(t, in, clientMeasure) }

// clientMeasure makes the measures that only clients_daily has.
func clientMeasure(t *schema.Table, in *input, i int) measure {
	c := &t.Columns[i]
	switch {
	case c.Rule == schema.RulePlace && c.Name == "country": // one measure for all four
		return &places{in: in, cols: [4]int{i, t.Index("city"), t.Index("geo_subdivision1"), t.Index("geo_subdivision2")}}
	case c.Name == "search_count_all": // one measure for the sum and its parts
		return newSearchSums(t, in, i)
	case c.Name == "pings_aggregated_by_this_row":
		return &documents{in: in, col: i}
	case c.Name == "profile_creation_date":
		return newCreationDay(in, c.Source, i)
	case c.Name == "experiments":
		return &branches{in: in, col: i}
	}
	return nil
}

// unknown is the mark of an unknown place.
var unknown = []byte("??")

// places are country, city and subdivisions of the first row with a known
// country; its unknown parts are ??.
type places struct {
	in   *input
	cols [4]int
	loc  [4]located
	vals [4][][]byte

	lacking int // groups without a known country
}

var placeNames = [4]string{"country", "city", "geo_subdivision1", "geo_subdivision2"}

func (m *places) grow(n int) {
	m.lacking += n - len(m.vals[0])
	for i := range m.vals {
		m.vals[i] = resize(m.vals[i], n)
	}
}

func (m *places) reset() {
	m.lacking = 0
	for i := range m.vals {
		m.vals[i] = m.vals[i][:0]
	}
}

func (m *places) add(b *column.Batch, entries []entry) {
	if m.lacking == 0 {
		return
	}
	for i, name := range placeNames {
		if !m.loc[i].load(m.in, b, name) {
			return
		}
	}
	for _, some := range [][]entry{m.in.begins, entries} {
		for _, e := range some {
			if m.vals[0][e.group] == nil {
				m.set(e)
			}
		}
		if m.lacking == 0 {
			return
		}
	}
}

// set takes the places of an entry, if it has a country.
func (m *places) set(e entry) {
	country := text(m.loc[0].leaf, m.loc[0].at[e.row])
	if country == nil || string(country) == string(unknown) {
		return
	}
	m.lacking--
	for i := range m.loc {
		v := text(m.loc[i].leaf, m.loc[i].at[e.row])
		if v == nil {
			v = unknown
		}
		m.vals[i][e.group] = m.in.texts.Copy(v)
	}
}

func (m *places) emit(out *column.Batch, from int, groups []int) {
	for i, vals := range m.vals {
		out.SetTexts(m.cols[i], from, groups, vals)
	}
}

// creationDay is the first profile creation day that is a date, as text.
type creationDay struct {
	*firsts[int64]
	text []byte // scratch
}

func newCreationDay(in *input, name string, col int) *creationDay {
	days := newFirstLong(in, name, col)
	days.null = noDay
	return &creationDay{firsts: days}
}

func (m *creationDay) emit(out *column.Batch, from int, groups []int) {
	for i, g := range groups {
		if m.has[g] {
			out.Rows = from + i
			m.text = appendDay(m.text[:0], m.vals[g])
			out.SetBytes(m.col, m.text)
		}
	}
}

// documents counts the distinct document ids.
type documents struct {
	in   *input
	col  int
	loc  located
	uuid map[uuidKey]struct{}
	odd  map[oddKey]struct{} // of ids of any length
	n    []int64
}

// uuidKey is the usual form of an id, kept without an allocation of its own.
type uuidKey struct {
	group int32
	id    [36]byte
}

type oddKey struct {
	group int32
	hash  [sha256.Size]byte
}

func (m *documents) grow(n int) { m.n = resize(m.n, n) }

func (m *documents) reset() {
	m.n = m.n[:0]
	clear(m.uuid)
	clear(m.odd)
}

func (m *documents) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, "document_id") {
		return
	}
	if m.uuid == nil {
		m.uuid, m.odd = map[uuidKey]struct{}{}, map[oddKey]struct{}{}
	}
	for _, e := range entries {
		id := text(m.loc.leaf, m.loc.at[e.row])
		if id == nil {
			continue
		}
		before := len(m.uuid) + len(m.odd)
		if len(id) == 36 {
			m.uuid[uuidKey{e.group, [36]byte(id)}] = struct{}{}
		} else {
			m.odd[oddKey{e.group, sha256.Sum256(id)}] = struct{}{}
		}
		m.n[e.group] += int64(len(m.uuid) + len(m.odd) - before)
	}
}

func (m *documents) emit(out *column.Batch, from int, groups []int) {
	emitCounts(out, m.col, from, groups, m.n)
}
