package quality

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// small returns a profile with all members.
func small() *Profile {
	return &Profile{
		Head: Head{Format: format, Table: "crash_summary", Version: "v1", Day: "20180301", Generation: "aa", Rows: 30, Read: 20, Bytes: 4,
			Files: 1, Clients: 3,
			Checks: []Check{{Name: "c", Severity: "error", Rule: "r", Verdict: "failed", Found: 2, Columns: []string{"client_id"}}}, Lines: 2},
		Columns: []Column{
			{Name: "os_name", Kind: Values, Nulls: 2, Distinct: 4, Top: []Value{{"<Linux>\n", 12}}, Other: 6, Least: 3},
			{Name: "payload.version", Column: "payload", Kind: Numbers, Nulls: 19, Numbers: &Distribution{1, 1, 1, [5]float64{1, 1, 1, 1, 1}}},
		},
	}
}

// TestStored: what was written is read; what somebody else has written is an error that says so.
func TestStored(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	p := small()
	require.NoError(t, Write(t.Context(), lt, p))
	got, err := Read(t.Context(), lt, p.Day)
	require.NoError(t, err)
	require.Equal(t, p, got)
	h, err := ReadHead(t.Context(), lt, p.Day)
	require.NoError(t, err)
	require.Equal(t, p.Head, h)
	good, err := p.Encode()
	require.NoError(t, err)
	for what, content := range map[string]string{
		"empty": "", "cut": string(good[:len(good)-2]), "a line less": string(good[:strings.LastIndex(string(good[:len(good)-1]), "\n")+1]),
		"foreign": "hello\n", "newer": strings.Replace(string(good), `"format":1`, `"format":2`, 1),
		"another day": strings.Replace(string(good), "20180301", "20180302", 1),
		"impossible":  strings.Replace(string(good), `"nulls":2,`, `"nulls":200,`, 1),
		"more":        string(good) + string(good),
	} {
		require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name(lt, p.Day), []byte(content)))
		_, err := Read(t.Context(), lt, p.Day)
		require.Error(t, err, what)
		require.NotErrorIs(t, err, fs.ErrNotExist, what)
	}
	_, err = Read(t.Context(), lt, "20180302")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Read(t.Context(), lt, "../../x")
	require.ErrorIs(t, err, fs.ErrNotExist)
	p.Checks = append(p.Checks, Check{Name: strings.Repeat("long", headBytes)})
	require.NoError(t, Write(t.Context(), lt, p))
	h, err = ReadHead(t.Context(), lt, p.Day)
	require.NoError(t, err)
	require.Equal(t, p.Head, h)
}

// FuzzDecode: whatever a file has, reading it ends, and what it takes can be written and read again.
func FuzzDecode(f *testing.F) {
	good, err := small().Encode()
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"format":1,"lines":1}` + "\n" + `{"name":"a","top":[{"v":"x","n":-1}]}` + "\n"))
	f.Add([]byte(`{"format":1,"lines":9223372036854775807}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode(b)
		if err != nil {
			var other *FormatError
			if errors.As(err, &other) && other.Format == format {
				t.Error("its own format is refused")
			}
			return
		}
		again, err := p.Encode()
		require.NoError(t, err)
		same, err := Decode(again)
		require.NoError(t, err)
		require.Equal(t, p.Head.Rows, same.Head.Rows)
		require.Len(t, same.Columns, len(p.Columns))
	})
}

// TestRestricted: the profiles of a restricted table need the right to read its files.
func TestRestricted(t *testing.T) {
	s := sitetest.Local(t)
	for _, table := range s.Tables {
		lt := s.TableOf(table)
		p := small()
		p.Table, p.Version = table.Name, table.Version
		require.NoError(t, Write(t.Context(), lt, p))
		root, _ := store.LocalDir(lt.Bucket())
		info, err := os.Stat(filepath.Join(root, name(lt, p.Day)))
		require.NoError(t, err)
		require.Equal(t, table.Restricted, info.Mode().Perm()&0o077 == 0, table.Name)
		if table.Restricted {
			info, err = os.Stat(filepath.Join(root, folder))
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077)
		}
	}
}
