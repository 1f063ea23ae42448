package blob

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"

	"gocloud.dev/blob/driver"
)

// gcsWriter uploads an object: a small one in one request, a larger one in parts of partSize. The object is visible
// after the last request.
type gcsWriter struct {
	bucket *gcsBucket
	ctx    context.Context
	object gcsObject
	query  url.Values
	part   bytes.Buffer // not yet sent
	sum    uint32       // CRC-32C of all
	upload string       // URL of an upload in parts, "" before it has begun
	sent   int64
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// NewTypedWriter implements driver.Bucket.
func (b *gcsBucket) NewTypedWriter(ctx context.Context, key, contentType string, o *driver.WriterOptions) (driver.Writer, error) {
	w := &gcsWriter{
		bucket: b, ctx: ctx, query: url.Values{"name": {key}},
		object: gcsObject{Name: key, ContentType: contentType, Metadata: o.Metadata},
	}
	if b.kms != "" {
		w.query.Set("kmsKeyName", b.kms)
	}
	if o.BeforeWrite != nil {
		if err := o.BeforeWrite(queryOf(w.query)); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Write implements io.Writer. A part is sent when more bytes follow it, because the last request differs.
func (w *gcsWriter) Write(p []byte) (int, error) {
	w.sum = crc32.Update(w.sum, castagnoli, p)
	n := len(p)
	for len(p) > 0 {
		if w.part.Len() == partSize {
			if err := w.send(false); err != nil {
				return n - len(p), err
			}
		}
		some := p[:min(len(p), partSize-w.part.Len())]
		w.part.Write(some)
		p = p[len(some):]
	}
	return n, nil
}

// Close implements io.Closer: it completes the object. After the end of the context there is none.
func (w *gcsWriter) Close() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.upload == "" {
		return w.whole()
	}
	return w.send(true)
}

func (w *gcsWriter) checksum() string {
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, w.sum))
}

func (w *gcsWriter) target() string {
	return w.bucket.host + "/upload/storage/v1/b/" + url.PathEscape(w.bucket.name) + "/o"
}

// whole uploads a small object in one request.
func (w *gcsWriter) whole() error {
	w.object.CRC32C = w.checksum()
	about, err := json.Marshal(&w.object)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for _, part := range []struct {
		kind string
		data []byte
	}{{"application/json", about}, {w.object.ContentType, w.part.Bytes()}} {
		out, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {part.kind}})
		if err == nil {
			_, err = out.Write(part.data)
		}
		if err != nil {
			return err
		}
	}
	if err := parts.Close(); err != nil {
		return err
	}
	w.query.Set("uploadType", "multipart")
	return w.bucket.answer(w.ctx, gcsCall{
		method: http.MethodPost, url: w.target(), query: w.query, body: body.Bytes(),
		header: map[string]string{"Content-Type": "multipart/related; boundary=" + parts.Boundary()},
	}, nil)
}

// begin begins an upload in parts.
func (w *gcsWriter) begin() error {
	about, err := json.Marshal(&w.object)
	if err != nil {
		return err
	}
	w.query.Set("uploadType", "resumable")
	resp, err := w.bucket.do(w.ctx, gcsCall{
		method: http.MethodPost, url: w.target(), query: w.query, body: about,
		header: map[string]string{"Content-Type": "application/json", "X-Upload-Content-Type": w.object.ContentType},
	})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if w.upload = resp.Header.Get("Location"); w.upload == "" {
		return errors.New("the response has no address for the upload")
	}
	return nil
}

// send sends the waiting part. After a failure it asks what the server has and continues there.
func (w *gcsWriter) send(last bool) error {
	if w.upload == "" {
		if err := w.begin(); err != nil {
			return err
		}
	}
	data, end := w.part.Bytes(), w.sent+int64(w.part.Len())
	for try := 0; ; try++ {
		done, has, err := w.put(data, end, last)
		if err == nil && done {
			w.part.Reset()
			return nil
		}
		if err != nil && (!gcsRetries(err) || try+1 >= w.bucket.web.attempts || !w.bucket.wait(w.ctx, try)) {
			return err
		}
		if err != nil {
			if done, has, err = w.state(end, last); err != nil {
				return err
			}
			if done {
				w.sent = end
				w.part.Reset()
				return nil
			}
		}
		if has < w.sent || has > end || try > 10*w.bucket.web.attempts {
			return fmt.Errorf("the server has %d bytes of an upload of which it had %d", has, w.sent)
		}
		data, w.sent = data[has-w.sent:], has
		if len(data) == 0 && !last {
			w.part.Reset()
			return nil
		}
	}
}

// put sends bytes once. done means that the object is complete; otherwise the server has as many bytes of it.
func (w *gcsWriter) put(data []byte, end int64, last bool) (done bool, has int64, err error) {
	header := map[string]string{"Content-Range": contentRange(w.sent, end, last)}
	if last {
		header["X-Goog-Hash"] = "crc32c=" + w.checksum()
	}
	return w.progress(w.bucket.once(w.ctx, gcsCall{method: http.MethodPut, url: w.upload, header: header, body: data}))
}

// state asks how much of the upload the server has.
func (w *gcsWriter) state(end int64, last bool) (done bool, has int64, err error) {
	total := "*"
	if last {
		total = strconv.FormatInt(end, 10)
	}
	header := map[string]string{"Content-Range": "bytes */" + total}
	return w.progress(w.bucket.do(w.ctx, gcsCall{method: http.MethodPut, url: w.upload, header: header}))
}

// progress reads a response to a request of an upload in parts.
func (w *gcsWriter) progress(resp *http.Response, err error) (done bool, has int64, _ error) {
	if err != nil {
		return false, 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPermanentRedirect {
		return true, 0, nil
	}
	_, to, ok := strings.Cut(resp.Header.Get("Range"), "-")
	if !ok {
		return false, 0, nil // the server has nothing
	}
	if has, err = strconv.ParseInt(to, 10, 64); err != nil {
		return false, 0, fmt.Errorf("the response does not have the upload's size: %w", err)
	}
	return false, has + 1, nil
}

func contentRange(from, end int64, last bool) string {
	total := "*"
	if last {
		total = strconv.FormatInt(end, 10)
	}
	if from == end {
		return "bytes */" + total
	}
	return fmt.Sprintf("bytes %d-%d/%s", from, end-1, total)
}
