package access

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnter: a person of a provider is the same one each time, also when they come in several windows at once for the first time.
func TestEnter(t *testing.T) {
	s, _ := opened(t)
	i := Identity{Issuer: "https://a.example", Subject: "1", Name: "ann", Email: "ann@example.org"}
	ids := make([]string, 10)
	var all sync.WaitGroup
	for n := range ids {
		all.Go(func() {
			if p, err := s.Enter(t.Context(), i, []Grant{{Table: AllTables}}); err == nil {
				ids[n] = p.ID
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	require.NotEmpty(t, ids[0])
	i.Name, i.Email, i.Groups = "another name", "", Groups{Rights: []Right{Operate}, Grants: []Grant{{Table: "secret"}}}
	p, err := s.Enter(t.Context(), i, nil)
	require.NoError(t, err)
	require.Equal(t, Person{ID: ids[0], Name: "ann", Email: "ann@example.org", Kind: Human, Rights: []Right{Operate},
		Grants: []Grant{{Table: AllTables}, {Table: "secret"}}}, *p)
	i.Groups = Groups{}
	p, err = s.Enter(t.Context(), i, nil)
	require.NoError(t, err)
	require.Equal(t, []Grant{{Table: AllTables}}, p.Grants, "what groups gave goes with them")
	i.Issuer = "https://b.example"
	i.Name = "ANN"
	_, err = s.Enter(t.Context(), i, nil)
	require.ErrorIs(t, err, ErrNameTaken, "another provider's person of this subject is another one")
}

// TestWaitingAccount: only an account that nobody can sign in to yet is taken by an address.
func TestWaitingAccount(t *testing.T) {
	s, _ := opened(t)
	i := Identity{Issuer: "https://a.example", Subject: "1", Name: "ann", Email: "ann@example.org"}
	for name, prepare := range map[string]func(id string){
		"disabled": func(id string) { disable(t, s, nil, id) },
		"password": func(id string) { require.NoError(t, s.SetPassword(t.Context(), id, good)) },
	} {
		a := added(t, s, Person{Name: "a " + name, Email: i.Email})
		prepare(a.ID)
	}
	added(t, s, Person{Name: "a program", Email: i.Email, Kind: Service})
	p, err := s.Enter(t.Context(), i, nil)
	require.NoError(t, err)
	require.Equal(t, "ann", p.Name)
	waiting := added(t, s, Person{Name: "bob", Email: "BOB@example.org"})
	p, err = s.Enter(t.Context(), Identity{Issuer: i.Issuer, Subject: "2", Name: "robert", Email: "bob@example.org"}, nil)
	require.NoError(t, err)
	require.Equal(t, waiting.ID, p.ID)
}
