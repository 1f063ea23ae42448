package encode

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpreadsheet: no text is a formula, numbers stay, and CSV has everything as it is.
func TestSpreadsheet(t *testing.T) {
	row := []any{"=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "＝1", json.RawMessage("-1"), "a=1", "", nil, int64(-5), -1.5, big.NewInt(-7),
		[]any{"=1"}}
	names := append([]string{"=name"}, strings.Split("bcdefghijklmno", "")...)
	written := map[bool]string{}
	for safe := range map[bool]bool{false: true, true: true} {
		var b strings.Builder
		w, err := CSV(&b, names)
		if safe {
			b.Reset()
			w, err = Spreadsheet(&b, names)
		}
		require.NoError(t, err)
		require.NoError(t, w.Row(row))
		require.NoError(t, w.Close())
		written[safe] = b.String()
	}
	rest := `,a=1,"",,-5,-1.5,-7,"[""=1""]"` + "\n"
	require.Equal(t, "'=name,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n'=1+1,'+1,'-1,'@a,'\t=1,\"'\r=1\",'＝1,'-1"+rest, written[true])
	require.Equal(t, "=name,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n=1+1,+1,-1,@a,\"\t=1\",\"\r=1\",＝1,-1"+rest, written[false])
}
