package blob

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"golang.org/x/sync/errgroup"
)

const (
	// copyWhole is the size of the largest object that S3 copies in one request.
	copyWhole = 5 << 30
	// copyPart is the size of the parts in which a larger object is copied.
	copyPart = 512 << 20
)

func (s *s3Service) copy(ctx context.Context, from, to string) error {
	in := &s3.CopyObjectInput{
		Bucket: &s.bucket, Key: &to, CopySource: aws.String(copySource(s.bucket, from)),
		ServerSideEncryption: s.encryption, SSEKMSKeyId: s.kms,
	}
	_, err := s.client.CopyObject(ctx, in)
	if code := apiCode(err); code != "InvalidRequest" && code != "EntityTooLarge" {
		return err
	}
	head, failed := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: &from})
	if failed != nil || aws.ToInt64(head.ContentLength) <= copyWhole {
		return err
	}
	return s.copyParts(ctx, from, to, head, copyPart)
}

// copyParts copies an object, as head has it, by parts of a size.
func (s *s3Service) copyParts(ctx context.Context, from, to string, head *s3.HeadObjectOutput, part int64) (err error) {
	up, err := s.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &s.bucket, Key: &to, Metadata: head.Metadata, ContentType: head.ContentType,
		ServerSideEncryption: s.encryption, SSEKMSKeyId: s.kms,
	})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			late, stop := context.WithTimeout(context.WithoutCancel(ctx), usualStall)
			defer stop()
			// else Tidy
			_, _ = s.client.AbortMultipartUpload(late, &s3.AbortMultipartUploadInput{Bucket: &s.bucket, Key: &to, UploadId: up.UploadId})
		}
	}()
	size := aws.ToInt64(head.ContentLength)
	parts := make([]types.CompletedPart, (size+part-1)/part)
	group, copying := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i := range parts {
		group.Go(func() error {
			at, number := int64(i)*part, int32(i+1)
			out, err := s.client.UploadPartCopy(copying, &s3.UploadPartCopyInput{
				Bucket: &s.bucket, Key: &to, UploadId: up.UploadId, PartNumber: &number,
				CopySource: aws.String(copySource(s.bucket, from)), CopySourceIfMatch: head.ETag,
				CopySourceRange: aws.String(fmt.Sprintf("bytes=%d-%d", at, min(at+part, size)-1)),
			})
			if err == nil {
				parts[i] = types.CompletedPart{ETag: out.CopyPartResult.ETag, PartNumber: &number}
			}
			return err
		})
	}
	if err = group.Wait(); err != nil {
		return err
	}
	_, err = s.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &s.bucket, Key: &to, UploadId: up.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	})
	return err
}

// copySource returns the name of an object as the header of a copy has it.
func copySource(bucket, key string) string {
	var out strings.Builder
	for _, c := range []byte(bucket + "/" + key) {
		if c == '/' || c == '-' || c == '_' || c == '.' || c == '~' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}
