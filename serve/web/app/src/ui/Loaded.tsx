import type { ComponentChildren } from 'preact';
import { ErrorBox, Skeleton } from './show';

// Loaded shows the state of a useLoad: an error, with a button that retries if there is a reload; a skeleton until there is data; and
// the data. Data of an earlier load stays visible below an error.
export function Loaded<T>({
  of: { data, error, reload },
  lines,
  children,
}: {
  of: { data: T | undefined; error: unknown; reload?: () => void };
  lines?: number; // of the skeleton
  children?: (data: T) => ComponentChildren;
}) {
  return (
    <>
      <ErrorBox error={error} retry={reload} />
      {data !== undefined ? children?.(data) : !error && <Skeleton lines={lines} />}
    </>
  );
}
