package claim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

func TestClaimsThatAreNone(t *testing.T) {
	for name, text := range map[string]string{
		"cut": `{"format":1,"edge":"e`, "format": `{"format":2,"edge":"e"}`, "other": `{"format":1,"edge":"f"}`,
		"empty": ``, "negative": `{"format":1,"edge":"e","offset":-1}`, "stage": `{"format":1,"edge":"e","load":"x","stage":"pings/v1/x"}`,
		"half": `{"format":1,"edge":"e","load":"x"}`, "overflow": `{"format":1,"edge":"e","offset":9223372036854775807,"shift":9}`,
		"huge": `{"format":1,"edge":"e","token":"` + string(make([]byte, maxRecord)) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := store.NewMemory()
			require.NoError(t, store.WriteFile(t.Context(), b, Object("e"), []byte(text)))
			_, err := Take(t.Context(), b, "e", "a")
			assert.ErrorContains(t, err, Object("e"))
			all, err := ReadAll(t.Context(), b)
			require.NoError(t, err)
			assert.Empty(t, all)
			assert.Error(t, Check(Object("e"), []byte(text)))
		})
	}
}
