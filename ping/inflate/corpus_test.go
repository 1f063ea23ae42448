package inflate

import (
	"bytes"
	stdflate "compress/flate"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
)

// words are the parts of the names of measurements.
var words = strings.Fields(`A11Y ADDON AUDIO BLOCK CACHE CERT CHECKERBOARD CHILD CLICK COLLECT COMPOSITE CONNECT
	CONTENT COUNT CYCLE DELAY DEVTOOLS DISK DNS DOWNLOAD ENABLED ERROR EVENTS FETCH FIRST FRAME GC GRAPHICS HANG HASH
	HTTP IMAGE INPUT KEYBOARD LATENCY LOAD LOOKUP MARK MEDIA MEMORY MINOR MS NETWORK OPEN PAGE PAINT PARSE PLACES
	PLUGIN POLL PREDICT QUEUE READ REASON REFRESH REQUEST RESIDENT RESULT SEARCH SESSION SHUTDOWN SIZE SLOW SSL
	STARTUP STATE STORAGE STS SUCCESS SYNC TAB TIME TLS TOTAL UPDATE URL USED VIDEO WAIT WEBGL WINDOW WRITE`)

// pingJSON returns a document that compresses like a telemetry ping of about size bytes: histograms above all, some
// scalars, stacks and add-ons.
func pingJSON(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	name := func() string {
		n := words[r.IntN(len(words))]
		for range 1 + r.IntN(4) {
			n += "_" + words[r.IntN(len(words))]
		}
		return n
	}
	fmt.Fprintf(&b, `{"type":"main","id":"%s","creationDate":"2018-03-%02dT16:02:52.676Z","version":4,"clientId":"%s",`,
		uuid(r), 1+r.IntN(28), uuid(r))
	b.WriteString(`"application":{"architecture":"x86-64","buildId":"20180315030230","name":"Firefox","version":"59.0",` +
		`"vendor":"Mozilla","platformVersion":"59.0","xpcomAbi":"x86_64-gcc3","channel":"release"},"environment":{"addons":{`)
	for i := range 8 {
		fmt.Fprintf(&b, `%s"{%s}":{"blocklisted":false,"version":"%d.%d","scope":1,"type":"extension","installDay":%d}`,
			comma(i), uuid(r), r.IntN(9), r.IntN(99), 16000+r.IntN(1500))
	}
	b.WriteString(`}},"payload":{"simpleMeasurements":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `%s"%s":%d`, comma(i), strings.ToLower(name()), r.IntN(1<<r.IntN(24)))
	}
	b.WriteString(`},"histograms":{`)
	for i := 0; b.Len() < size*9/10; i++ {
		fmt.Fprintf(&b, `%s"%s":`, comma(i), name())
		histogram(&b, r)
	}
	b.WriteString(`},"threadHangStats":[`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `%s{"stack":["%s::%s","(chrome script)","%s"],"histogram":`, comma(i), name(), name(), name())
		histogram(&b, r)
		b.WriteByte('}')
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func uuid(r *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-4%03x-9%03x-%012x",
		r.Uint32(), r.Uint32()>>16, r.Uint32()>>20, r.Uint32()>>20, r.Uint64()>>16)
}

// histogram writes one of the three usual kinds: a flag, an enumeration, exponential buckets.
func histogram(b *bytes.Buffer, r *rand.Rand) {
	switch r.IntN(6) {
	case 0:
		n := r.IntN(2)
		fmt.Fprintf(b, `{"range":[1,2],"bucket_count":3,"histogram_type":3,"values":{"%d":1,"%d":0},"sum":%d}`, n, n+1, n)
	case 1:
		at, n := r.IntN(20), r.IntN(200)
		fmt.Fprintf(b, `{"range":[1,50],"bucket_count":51,"histogram_type":1,"values":{"%d":0,"%d":%d,"%d":0},"sum":%d}`,
			at, at+1, n, at+2, n*(at+1))
	default:
		top := []int{1000, 10000, 100000, 3000000}[r.IntN(4)]
		fmt.Fprintf(b, `{"range":[1,%d],"bucket_count":50,"histogram_type":0,"values":{"0":0`, top)
		ratio := math.Pow(float64(top), 1.0/48)
		for bucket, left := 1.0, r.IntN(40); left > 0 && bucket < float64(top); left-- {
			bucket = math.Ceil(bucket * ratio)
			fmt.Fprintf(b, `,"%d":%d`, int(bucket), r.IntN(1<<r.IntN(13)))
		}
		fmt.Fprintf(b, `},"sum":%d}`, r.IntN(1<<30))
	}
}

// corpus is a named text to be compressed.
type corpus struct {
	name string
	data []byte
}

func corpora() []corpus {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 200_000) // codes of every length
	for i := range skewed {
		skewed[i] = byte(min(255, int(r.ExpFloat64()*8)))
	}
	far := bytes.Repeat(noise[:32_768], 3) // distances of 32768
	all := []corpus{
		{"empty", nil},
		{"one byte", []byte("x")},
		{"short", []byte("hello, hello, hello")},
		{"ping", pingJSON(1, 80_000)},
		{"large ping", pingJSON(2, 700_000)},
		{"noise", noise},
		{"skewed", skewed},
		{"far", far},
		{"zeros", make([]byte, 1_000_000)},
	}
	for period := 1; period < 40; period++ { // matches that overlap themselves
		text := bytes.Repeat(noise[:period], 3000/period)
		all = append(all, corpus{fmt.Sprintf("period %d", period), append(text, pingJSON(9, 2000)...)})
	}
	return all
}

// deflated compresses data at a level of compress/flate.
func deflated(tb testing.TB, data []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := stdflate.NewWriter(&b, level)
	require.NoError(tb, err)
	write(tb, w, data)
	return b.Bytes()
}

// gzipped compresses data as one gzip member.
func gzipped(tb testing.TB, data []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	require.NoError(tb, err)
	write(tb, w, data)
	return b.Bytes()
}

// write writes data in two parts with a flush between and closes w.
func write(tb testing.TB, w interface {
	Write([]byte) (int, error)
	Flush() error
	Close() error
}, data []byte,
) {
	tb.Helper()
	half := len(data) / 2
	_, err1 := w.Write(data[:half])
	var err2 error
	if half > 1000 {
		err2 = w.Flush()
	}
	_, err3 := w.Write(data[half:])
	for _, err := range []error{err1, err2, err3, w.Close()} {
		require.NoError(tb, err)
	}
}
