package access

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestReads: the general grant leaves restricted tables out, for administrators, too.
func TestReads(t *testing.T) {
	open, restricted := &schema.Table{Name: "open"}, &schema.Table{Name: "secret", Restricted: true}
	all, admin := &Person{Grants: []Grant{{Table: AllTables}}}, &Person{Rights: []Right{Administer}, Grants: []Grant{{Table: AllTables}}}
	some := &Person{Grants: []Grant{{Table: "secret", Columns: []string{"a"}}, {Table: "secret", Columns: []string{"b"}}}}
	for _, c := range []struct {
		p       *Person
		t       *schema.Table
		reads   bool
		columns []string
		knows   bool
	}{
		{all, open, true, nil, true},
		{all, restricted, false, nil, false},
		{admin, restricted, false, nil, true},
		{some, restricted, true, []string{"a", "b"}, true},
		{some, open, false, nil, false},
		{&Person{}, open, false, nil, false},
	} {
		columns, reads := c.p.Reads(c.t)
		require.Equal(t, c.reads, reads, c)
		require.Equal(t, c.columns, columns, c)
		require.Equal(t, c.knows, c.p.Knows(c.t), c)
	}
}
