import { RefreshCw } from 'lucide';
import { Button, ErrorBox, Time } from '../../ui';
import { oldest, rhythm } from './state';
import type { Seen } from './useBoard';
import style from './view.module.css';

// Freshness shows the age of the oldest result, how often results are computed again, and a button that does so now.
export function Freshness({ seen, quiet }: { seen: Seen; quiet?: boolean }) {
  const { live, dashboard } = seen;
  const at = oldest(live.widgets.values());
  return (
    <div class={style.freshness}>
      {at && (
        <span class="muted">
          {live.widgets.size > 1 ? 'Oldest result: ' : 'Result: '}
          <Time at={at} />
        </span>
      )}
      {dashboard.refresh ? <span class="muted">refreshed {rhythm(dashboard.refresh)}</span> : null}
      {!quiet && (
        <Button small icon={RefreshCw} busy={live.busy && seen.complete} onClick={live.refresh}>
          Refresh
        </Button>
      )}
    </div>
  );
}

// LostContact says that results could not be asked for; those that were read stay visible.
export const LostContact = ({ seen }: { seen: Seen }) => <ErrorBox error={seen.live.error} retry={seen.live.refresh} />;
