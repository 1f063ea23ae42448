import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PageHead } from '../../ui';
import { dayOf } from '../../ui/formats';
import { ByDocument } from './ByDocument';
import { ByTag } from './ByTag';
import type { Wanted } from './Outcome';
import style from './pings.module.css';

// Pings shows what became of single submissions: by document id and day, or live by debug tag. The address has the tag; a document
// is looked for when somebody presses a button.
export default function Pings() {
  const { query, route } = useLocation();
  const [wanted, setWanted] = useState<Wanted>({ document: query.document ?? '', day: query.day ?? dayOf(new Date()) });
  const [turn, setTurn] = useState(0);
  const look = (w: Wanted) => {
    setWanted(w);
    setTurn(n => n + 1);
  };
  return (
    <div class="page">
      <PageHead title="Pings">
        What became of a submission: received, accepted or rejected and why, and its rows in tables.
      </PageHead>
      <div class={style.both}>
        <ByTag
          tag={query.tag ?? ''}
          onTag={tag => route(`/pings${tag ? `?tag=${encodeURIComponent(tag)}` : ''}`, true)}
          onLook={look}
        />
        <ByDocument wanted={wanted} turn={turn} onLook={look} />
      </div>
    </div>
  );
}
