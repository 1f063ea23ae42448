import type { IconNode } from 'lucide';
import {
  BadgeCheck,
  Ban,
  Check,
  Clock3,
  Columns3,
  Dot,
  FileWarning,
  Hourglass,
  Lock,
  Minus,
  OctagonAlert,
  Play,
  RefreshCw,
  Unplug,
  X,
} from 'lucide';
import type { Tone } from '../../ui';

export interface StateLook {
  icon: IconNode; // its shape tells states apart without colours
  tone?: Tone;
  what: string;
}

// partitionStates are the states of partitions with what they mean, those first that somebody should mend.
export const partitionStates: Record<string, StateLook> = {
  failed: { icon: X, tone: 'bad', what: 'the last attempt failed, and what is published is not current' },
  damaged: { icon: OctagonAlert, tone: 'bad', what: 'what it is made from is damaged' },
  'damaged files': { icon: FileWarning, tone: 'bad', what: 'files are lost or changed: a run makes it again' },
  missing: { icon: Minus, tone: 'warn', what: 'not published although there are pings' },
  stale: { icon: RefreshCw, tone: 'warn', what: 'a run would make it again' },
  running: { icon: Play, tone: 'accent', what: 'being made now' },
  incomplete: { icon: Hourglass, what: 'more of the day may come' },
  published: { icon: Check, tone: 'good', what: 'a run would make the same again' },
  accepted: { icon: BadgeCheck, tone: 'good', what: 'an older version made it, and an operator keeps it as it is' },
  newer: { icon: BadgeCheck, tone: 'good', what: 'a newer version of pingmill made it, and this one leaves it as it is' },
  'older columns': { icon: Columns3, tone: 'good', what: 'published with other probe definitions' },
  'no pings': { icon: Dot, what: 'nothing arrived on the day' },
  expired: { icon: Clock3, what: 'its time, or that of its pings, is over' },
  unreadable: { icon: Lock, what: 'the server may not read it' },
};

export const runStates: Record<string, StateLook> = {
  queued: { icon: Hourglass, what: 'it waits' },
  running: { icon: Play, tone: 'accent', what: 'it is under way' },
  done: { icon: Check, tone: 'good', what: 'it has ended well' },
  failed: { icon: X, tone: 'bad', what: 'something failed' },
  cancelled: { icon: Ban, tone: 'warn', what: 'somebody ended it' },
  interrupted: { icon: Unplug, tone: 'warn', what: 'its process died' },
};

export const lookOf = (looks: Record<string, StateLook>, state: string): StateLook =>
  looks[state] ?? { icon: Minus, what: state };
