package archive

import (
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// dropsPing decides over one ping, and reports it if it is removed.
func (o *RewriteOptions) dropsPing(r *rowfile.Record) (bool, error) {
	if o.dropsMeta(&r.Meta) {
		o.dropped(&r.Meta, nil)
		return true, nil
	}
	if !o.asksBody(&r.Meta) {
		return false, nil
	}
	document := *r
	if _, err := document.Unpack(nil); err != nil {
		return false, err
	}
	drop := o.DropBody(&r.Meta, document.Body)
	if drop {
		o.dropped(&r.Meta, document.Body)
	}
	return drop, nil
}

func (o *RewriteOptions) dropped(m *ping.Meta, document []byte) {
	if o.Dropped != nil {
		o.Dropped(m, document)
	}
}

func (o *RewriteOptions) dropsMeta(m *ping.Meta) bool { return o.Drop != nil && o.Drop(m) }

// asksBody reports whether the document of a ping has to be searched. A telemetry ping with a client id in its metadata
// has no other id of a client; pings of Glean have several.
func (o *RewriteOptions) asksBody(m *ping.Meta) bool {
	return o.DropBody != nil && (len(m.Text(ping.ClientID)) == 0 || m.Namespace() != ping.Telemetry)
}

// hitsPings reports whether a ping of a row group is to be dropped. It reads the metadata, and the documents only if some of
// them have to be searched: as a rule those of the sample of no client.
func (o *RewriteOptions) hitsPings(rows rowsOfGroup) (bool, error) {
	asks := false
	for r, err := range rows(rowfile.WithoutBody) {
		if err != nil {
			return false, err
		}
		if o.dropsMeta(&r.Meta) {
			return true, nil
		}
		asks = asks || o.asksBody(&r.Meta)
	}
	if !asks {
		return false, nil
	}
	for r, err := range rows(rowfile.AllColumns) {
		if err != nil {
			return false, err
		}
		if o.asksBody(&r.Meta) && o.DropBody(&r.Meta, r.Body) {
			return true, nil
		}
	}
	return false, nil
}

// dropsRejected decides over one rejected submission, and reports it if it is removed.
func (o *RewriteOptions) dropsRejected(r *rowfile.Record) (bool, error) {
	e, err := o.hitRejected(r)
	if e != nil && o.DroppedRejected != nil {
		o.DroppedRejected(e)
	}
	return e != nil, err
}

// hitRejected returns a rejected submission that is to be dropped, or nil.
func (o *RewriteOptions) hitRejected(r *rowfile.Record) (*Rejected, error) {
	if o.DropRejected == nil {
		return nil, nil
	}
	e, err := rejectedFrom(r)
	if err != nil || !o.DropRejected(e) {
		return nil, err
	}
	return e, nil
}

// hitsRejected reports whether a rejected submission of a row group is to be dropped.
func (o *RewriteOptions) hitsRejected(rows rowsOfGroup) (bool, error) {
	if o.DropRejected == nil {
		return false, nil
	}
	for r, err := range rows(rowfile.AllColumns) {
		if err != nil {
			return false, err
		}
		if e, err := o.hitRejected(r); err != nil || e != nil {
			return e != nil, err
		}
	}
	return false, nil
}
