import { Badge } from '../../ui';

// Wanted is a document id to look for on a day of arrival, YYYYMMDD.
export interface Wanted {
  document: string;
  day: string;
}

const tones = { waiting: 'accent', accepted: 'good', rejected: 'bad' } as const;

// Outcome says what became of a submission.
export const Outcome = ({ p }: { p: { outcome: keyof typeof tones; class?: string } }) => (
  <Badge tone={p.class === 'duplicate' ? 'warn' : tones[p.outcome]}>
    {p.outcome === 'waiting'
      ? 'received'
      : p.class === 'duplicate'
        ? 'duplicate'
        : p.class
          ? `${p.outcome}: ${p.class}`
          : p.outcome}
  </Badge>
);
