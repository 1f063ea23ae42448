package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	tm "github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// s3Service is Amazon's, and servers that speak its protocol.
type s3Service struct {
	client *s3.Client
	bucket string

	encryption types.ServerSideEncryption
	kms        *string // the key of encryption
	checksums  aws.RequestChecksumCalculation
}

func (s *s3Service) open(ctx context.Context, r root, web *web) error {
	opts := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{})} // a notice about a machine without IMDSv2
	if region := r.get("region"); region != "" {
		opts = append(opts, config.WithRegion(region))
	}
	if profile := r.get("profile"); profile != "" {
		opts = append(opts, config.WithSharedConfigProfile(profile))
	}
	if yes(r.get("anonymous")) {
		opts = append(opts, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	if r.get("checksums") == "required" {
		opts = append(opts, config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired))
	}
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return err
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // of servers that know no regions; Amazon's name the right one
	}
	s.bucket = r.bucket
	s.client = s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.HTTPClient = web.client()
		o.Retryer = retryer(web)
		o.UsePathStyle = yes(r.get("path-style"))
		o.Logger = logging.Nop{} // what fails is returned
		if e := r.get("endpoint"); e != "" {
			o.BaseEndpoint = aws.String(e)
		}
	})
	s.encryption, s.checksums = types.ServerSideEncryption(r.get("encryption")), cfg.RequestChecksumCalculation
	if key := r.get("kms-key"); key != "" {
		s.kms = &key
	}
	return nil
}

func yes(value string) bool {
	is, _ := strconv.ParseBool(value)
	return is
}

// beside is the error of versitygw for a moment if a neighbour of an object is removed while the object is
// written; and always for an object with the name of a directory.
const beside = "ExistingObjectIsDirectory"

// conflicts lists the errors of concurrent requests, whatever their conditions are.
var conflicts = []string{"ConditionalRequestConflict", "OperationAborted", beside}

func apiCode(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// retryer tries again what may succeed then, with our pauses, and counts it.
func retryer(web *web) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = web.attempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			web.counter.retried()
			if apiCode(err) == beside {
				return pause(attempt-1) / 20, nil
			}
			return pause(attempt - 1), nil
		})
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			if cut(err) || slices.Contains(conflicts, apiCode(err)) {
				return aws.TrueTernary
			}
			return aws.UnknownTernary
		}))
	})
}

func (s *s3Service) list(ctx context.Context, prefix, delimiter, token string, most int) (p page, err error) {
	in := &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: &prefix, MaxKeys: aws.Int32(int32(most))}
	if delimiter != "" {
		in.Delimiter = &delimiter
	}
	if token != "" {
		in.ContinuationToken = &token
	}
	out, err := s.client.ListObjectsV2(ctx, in)
	if err != nil {
		return p, err
	}
	for _, o := range out.Contents {
		p.entries = append(p.entries, entry{name: aws.ToString(o.Key), size: aws.ToInt64(o.Size)})
	}
	for _, f := range out.CommonPrefixes {
		p.entries = append(p.entries, entry{name: aws.ToString(f.Prefix), folder: true})
	}
	sortEntries(p.entries)
	p.next = aws.ToString(out.NextContinuationToken)
	return p, nil
}

func (s *s3Service) head(ctx context.Context, key string) (object, error) {
	out, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: &key})
	if err != nil {
		return object{}, err
	}
	return object{
		size: aws.ToInt64(out.ContentLength), version: aws.ToString(out.ETag), mark: out.Metadata[markKey],
		changed: aws.ToTime(out.LastModified),
	}, nil
}

func (s *s3Service) get(ctx context.Context, key, version string, off, length int64) (io.ReadCloser, object, error) {
	in := &s3.GetObjectInput{Bucket: &s.bucket, Key: &key, Range: aws.String(byteRange(off, length))}
	if version != "" {
		in.IfMatch = &version
	}
	out, err := s.client.GetObject(ctx, in)
	if err != nil {
		return nil, object{}, err
	}
	return out.Body, object{
		size: wholeSize(aws.ToInt64(out.ContentLength), aws.ToString(out.ContentRange)), version: aws.ToString(out.ETag),
	}, nil
}

func (s *s3Service) put(ctx context.Context, key string, data []byte, mark string, only *condition) (string, error) {
	in := &s3.PutObjectInput{
		Bucket: &s.bucket, Key: &key, Body: bytes.NewReader(data), ContentType: aws.String(objectType),
		Metadata: map[string]string{markKey: mark}, ServerSideEncryption: s.encryption, SSEKMSKeyId: s.kms,
	}
	switch {
	case only != nil && only.version == "":
		in.IfNoneMatch = aws.String("*")
	case only != nil:
		in.IfMatch = &only.version
	}
	out, err := s.client.PutObject(ctx, in)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.ETag), nil
}

func (s *s3Service) upload(ctx context.Context, key string, in io.Reader, mark string) error {
	parts := transfermanager.New(s.client, func(o *transfermanager.Options) {
		o.PartSizeBytes, o.MultipartUploadThreshold, o.Concurrency = partSize, partSize, partsAtOnce
		o.RequestChecksumCalculation = s.checksums
		o.FailTimeout = usualStall // for the end of an upload that was given up
	})
	_, err := parts.UploadObject(ctx, &transfermanager.UploadObjectInput{
		Bucket: &s.bucket, Key: &key, Body: in, ContentType: aws.String(objectType), Metadata: map[string]string{markKey: mark},
		ServerSideEncryption: tm.ServerSideEncryption(s.encryption), SSEKMSKeyID: s.kms,
	})
	return err
}

func (s *s3Service) delete(ctx context.Context, key, version string) error {
	in := &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &key}
	if version != "" {
		in.IfMatch = &version
	}
	_, err := s.client.DeleteObject(ctx, in)
	return err
}

// tidy lists the unfinished uploads of a prefix.
func (s *s3Service) tidy(ctx context.Context, prefix string, before time.Time) error {
	pages := s3.NewListMultipartUploadsPaginator(s.client, &s3.ListMultipartUploadsInput{Bucket: &s.bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, u := range page.Uploads {
			if !strings.HasPrefix(aws.ToString(u.Key), prefix) || !before.IsZero() && !aws.ToTime(u.Initiated).Before(before) {
				continue
			}
			_, err := s.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &s.bucket, Key: u.Key, UploadId: u.UploadId})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *s3Service) failure(err error) (code string, status int) {
	if err != nil && strings.Contains(err.Error(), "get credentials") {
		return noCredentials, 0 // a response in err is one of the service that gives them, and not of the bucket
	}
	var resp *smithyhttp.ResponseError
	if errors.As(err, &resp) {
		status = resp.HTTPStatusCode()
	}
	return apiCode(err), status
}
