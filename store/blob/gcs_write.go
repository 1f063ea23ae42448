package blob

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// gcsUpload is the upload of an object.
type gcsUpload struct {
	*gcsService
	ctx    context.Context
	object gcsObject
	query  url.Values
	sum    uint32 // CRC-32C of all bytes so far
	url    string // of an upload in parts, "" before it has begun
	sent   int64
}

func (s *gcsService) writes(ctx context.Context, key, mark string) *gcsUpload {
	u := &gcsUpload{gcsService: s, ctx: ctx, query: url.Values{"name": {key}}}
	u.object = gcsObject{Name: key, ContentType: objectType, Metadata: map[string]string{markKey: mark}}
	if s.kms != "" {
		u.query.Set("kmsKeyName", s.kms)
	}
	return u
}

func (s *gcsService) put(ctx context.Context, key string, data []byte, mark string, only *condition) (string, error) {
	u := s.writes(ctx, key, mark)
	switch {
	case only != nil && only.version == "":
		u.query.Set("ifGenerationMatch", "0")
	case only != nil:
		u.query.Set("ifGenerationMatch", only.version)
	}
	return u.whole(data)
}

// upload sends one part after the other. The object is visible after the last one.
func (s *gcsService) upload(ctx context.Context, key string, in io.Reader, mark string) error {
	u, parts, part := s.writes(ctx, key, mark), bufio.NewReader(in), make([]byte, partSize)
	for {
		n, err := io.ReadFull(parts, part)
		if err == nil {
			_, err = parts.Peek(1)
		}
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return err
		}
		u.sum = crc32.Update(u.sum, castagnoli, part[:n])
		if err := u.send(part[:n], last); err != nil || last {
			return err
		}
	}
}

func (u *gcsUpload) checksum() string {
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, u.sum))
}

func (u *gcsUpload) target() string {
	return u.host + "/upload/storage/v1/b/" + url.PathEscape(u.bucket) + "/o"
}

// whole uploads a small object in one request.
func (u *gcsUpload) whole(data []byte) (version string, err error) {
	u.sum = crc32.Checksum(data, castagnoli)
	u.object.CRC32C = u.checksum()
	about, err := json.Marshal(&u.object)
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for _, part := range []struct {
		kind string
		data []byte
	}{{"application/json", about}, {objectType, data}} {
		out, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {part.kind}})
		if err == nil {
			_, err = out.Write(part.data)
		}
		if err != nil {
			return "", err
		}
	}
	if err := parts.Close(); err != nil {
		return "", err
	}
	u.query.Set("uploadType", "multipart")
	resp, err := u.do(u.ctx, gcsCall{
		method: http.MethodPost, url: u.target(), query: u.query, body: body.Bytes(),
		header: map[string]string{"Content-Type": "multipart/related; boundary=" + parts.Boundary()},
	})
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var made gcsObject
	_ = json.NewDecoder(resp.Body).Decode(&made) // the object is written; without its version the next swap reads it
	return made.Generation, nil
}

// begin begins an upload in parts.
func (u *gcsUpload) begin() error {
	about, err := json.Marshal(&u.object)
	if err != nil {
		return err
	}
	u.query.Set("uploadType", "resumable")
	resp, err := u.do(u.ctx, gcsCall{
		method: http.MethodPost, url: u.target(), query: u.query, body: about,
		header: map[string]string{"Content-Type": "application/json", "X-Upload-Content-Type": objectType},
	})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if u.url = resp.Header.Get("Location"); u.url == "" {
		return errors.New("the response has no address for the upload")
	}
	return nil
}

// send sends a part. After a failure it asks what the server has and continues there.
func (u *gcsUpload) send(data []byte, last bool) error {
	if u.url == "" {
		if err := u.begin(); err != nil {
			return err
		}
	}
	end := u.sent + int64(len(data))
	for try := 0; ; try++ {
		done, has, err := u.part(data, end, last)
		if err == nil && done {
			return nil
		}
		if err != nil && (!gcsRetries(err) || try+1 >= u.web.attempts || !u.wait(u.ctx, try)) {
			return err
		}
		if err != nil {
			if done, has, err = u.state(end, last); err != nil {
				return err
			}
			if done {
				return nil
			}
		}
		if has < u.sent || has > end || try > 10*u.web.attempts {
			return fmt.Errorf("the server has %d bytes of an upload of which it had %d", has, u.sent)
		}
		data, u.sent = data[has-u.sent:], has
		if len(data) == 0 && !last {
			return nil
		}
	}
}

// part sends bytes once. done means that the object is complete; otherwise the server has as many bytes of it.
func (u *gcsUpload) part(data []byte, end int64, last bool) (done bool, has int64, err error) {
	header := map[string]string{"Content-Range": contentRange(u.sent, end, last)}
	if last {
		header["X-Goog-Hash"] = "crc32c=" + u.checksum()
	}
	return u.progress(u.once(u.ctx, gcsCall{method: http.MethodPut, url: u.url, header: header, body: data}))
}

// state asks how much of the upload the server has.
func (u *gcsUpload) state(end int64, last bool) (done bool, has int64, err error) {
	total := "*"
	if last {
		total = strconv.FormatInt(end, 10)
	}
	header := map[string]string{"Content-Range": "bytes */" + total}
	return u.progress(u.do(u.ctx, gcsCall{method: http.MethodPut, url: u.url, header: header}))
}

// progress reads a response to a request of an upload in parts.
func (u *gcsUpload) progress(resp *http.Response, err error) (done bool, has int64, _ error) {
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
