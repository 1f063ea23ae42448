package loader

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/store"
)

// troubles reports failures of decoding to other processes, such as `pingmill
// status`, and removes the reports when decoding works again. It is for people:
// where a report cannot be written, only the log has it.
type troubles struct {
	archive store.Bucket
	o       *DecodeOptions
	now     map[string]*edgestate.Trouble // nil: it is well
}

func newTroubles(b store.Bucket, o *DecodeOptions) *troubles {
	return &troubles{archive: b, o: o, now: map[string]*edgestate.Trouble{}}
}

// record records whether the last attempt failed.
func (t *troubles) record(ctx context.Context, what string, failed error) {
	was, known := t.now[what]
	var err error
	switch {
	case ctx.Err() != nil:
	case failed != nil:
		if was == nil {
			was = &edgestate.Trouble{Edge: t.o.Edge, What: what, Since: t.o.Now().UTC()}
		}
		was.Last, was.Error = t.o.Now().UTC(), cutText(failed.Error())
		was.Times++
		t.now[what] = was
		err = edgestate.SetTrouble(ctx, t.archive, *was)
	case !known || was != nil: // at the start it may be of the process before
		if err = edgestate.ClearTrouble(ctx, t.archive, t.o.Edge, what); err == nil {
			t.now[what] = nil
		}
	}
	if err != nil {
		t.o.Log.Warn("decoding cannot tell others how it is", "edge", t.o.Edge, "error", err)
	}
}

// cutText keeps the text of an error readable.
func cutText(text string) string {
	const most = 500
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}

// failed logs that decoding failed, and reports it to others.
func (t *troubles) failed(ctx context.Context, err error, pause time.Duration) {
	t.o.Log.Error("decoding failed: it is tried again", "edge", t.o.Edge, "error", panics.Report(err), "pause", pause)
	t.record(ctx, edgestate.TroubleDecode, err)
}
