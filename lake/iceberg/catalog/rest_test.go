package catalog

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/schema"
)

// TestBadAnswers has a catalog answer what it should not: each is a clear error, and what may have been done is said to be uncertain.
func TestBadAnswers(t *testing.T) {
	good := metadata(t)
	for what, c := range map[string]struct {
		status        int
		body          string
		load, commit  error // that it matches
		loads, hidden string
	}{
		"gone": {404, `{"error":{"message":"no such table","type":"NoSuchTableException","code":404}}`, ErrNoTable, nil,
			"no such table", ""},
		"conflict": {409, `{"error":{"message":"requirement failed","type":"CommitFailedException","code":409}}`, nil, ErrConflict, "",
			""},
		"denied":       {403, `{"error":{"message":"forbidden"}}`, nil, nil, "403 Forbidden: forbidden", ""},
		"broken":       {500, `oops`, nil, ErrUncertain, "500 Internal Server Error", ""},
		"slow down":    {503, ``, nil, nil, "503 Service Unavailable", ""},
		"gateway":      {504, `<html>` + strings.Repeat("x", 10_000), nil, ErrUncertain, "504 Gateway Timeout", ""},
		"long message": {400, `{"error":{"message":"` + strings.Repeat("x", 10_000) + `"}}`, nil, nil, "…", strings.Repeat("x", 1000)},
		"no JSON":      {200, `<html>sign in</html>`, nil, ErrUncertain, "invalid character", ""},
		"nothing":      {200, ``, nil, ErrUncertain, "unexpected end", ""},
		"no metadata":  {200, `{"metadata-location":"x"}`, format.ErrMetadata, format.ErrMetadata, "has none", ""},
		"other version": {200, `{"metadata":` + strings.Replace(good, `"format-version":2`, `"format-version":3`, 1) + `}`, format.ErrMetadata,
			format.ErrMetadata, "format version is 3", ""},
		"half":            {200, `{"metadata":` + good[:len(good)/2], nil, ErrUncertain, "unexpected end", ""},
		"somebody else's": {200, `{"metadata":{"format-version":2,"schemas":[]}}`, format.ErrMetadata, format.ErrMetadata, "table-uuid", ""},
	} {
		t.Run(what, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/v1/config" {
					_, _ = w.Write([]byte(`{"overrides":{"prefix":"p"}}`))
					return
				}
				require.Equal(t, "/v1/p/namespaces/a\x1fb/tables/t", r.URL.Path)
				require.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			cat, err := Open(t.Context(), Config{Kind: REST, URI: server.URL + "/", Token: "secret"})
			require.NoError(t, err)
			defer cat.Close()
			n := &Name{Namespace: "a.b", Table: "t"}
			_, err = cat.Load(t.Context(), n)
			require.ErrorContains(t, err, c.loads)
			if c.load != nil {
				require.ErrorIs(t, err, c.load)
			}
			require.NotContains(t, err.Error(), "secret")
			m, err := format.Parse([]byte(good))
			require.NoError(t, err)
			_, err = cat.Commit(t.Context(), n, &Table{m, "x"}, nil, 0)
			require.Error(t, err)
			if c.commit != nil {
				require.ErrorIs(t, err, c.commit)
			}
			require.Equal(t, errors.Is(c.commit, ErrUncertain), errors.Is(err, ErrUncertain), err)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

func metadata(t *testing.T) string {
	t.Helper()
	s, last, _, err := format.Evolve(nil, 0, []schema.Column{{Name: "day", Type: schema.MustType("string")}})
	require.NoError(t, err)
	m, err := format.New("7c9c8e3a-2d9a-4b56-8a51-0123456789ab", "file:///x", s, last, "day", nil, 1)
	require.NoError(t, err)
	b, err := m.Encode()
	require.NoError(t, err)
	return string(b)
}

func TestCheck(t *testing.T) {
	for uri, kind := range map[string]string{
		"https://user:pw@host": REST, "ftp://host": REST, "": SQL, "mysql://host/db": SQL, "postgres://u:pw@host/db": SQL, "://": REST,
	} {
		err := (&Config{Kind: kind, URI: uri}).Check()
		require.Error(t, err, uri)
		require.NotContains(t, err.Error(), "pw")
	}
	for uri, kind := range map[string]string{"https://host/x": REST, "sqlite:///x.db": SQL, "postgres://u@host/db": SQL, "eu-west-1": Glue,
		"x": None} {
		require.NoError(t, (&Config{Kind: kind, URI: uri}).Check(), uri)
	}
}
