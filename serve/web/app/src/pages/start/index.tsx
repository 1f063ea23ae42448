import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { session } from '../../app/session';
import { Loaded, PageHead, Panel } from '../../ui';
import { Command } from './Command';
import { Row } from './Row';
import { Stages } from './Stages';
import { followed, type Start, type StartPing } from './start';
import style from './start.module.css';
import { Ways } from './Ways';
import { quoted } from './ways';

// SendPings leads from an empty installation to its first row. Later it shows how to send more.
export default function SendPings() {
  const [row, setRow] = useState<StartPing>();
  const start = useLoad(signal => get('/ingestion/start', { signal }), [], row ? 15 : 3);
  const { data } = start;
  const [first, setFirst] = useState<boolean>(); // nothing had arrived when the page was opened
  useEffect(() => {
    if (!data) {
      return;
    }
    setFirst(f => f ?? data.empty);
    const visible = followed(data.items);
    if (visible?.row === 'visible') {
      setRow(r => r ?? visible);
    }
    if (!data.empty && session.value?.empty) {
      session.value = { ...session.value, empty: false };
    }
  }, [data]);
  return (
    <div class="page">
      <PageHead title={!first ? 'Send pings' : data?.empty ? 'Send the first ping' : 'The first ping has arrived'}>
        {!first || !data
          ? 'Where pings go, and what becomes of the newest ones.'
          : data.empty
            ? `No ping has arrived yet. Choose a way to send one; ${follows(data)}`
            : 'Send more in the same ways.'}
      </PageHead>
      <Loaded of={start} lines={8}>
        {s => (
          <>
            <div class={style.columns}>
              <Ways start={s} />
              <Stages start={s} />
            </div>
            {row && <Row ping={row} />}
            <Tonight start={s} />
          </>
        )}
      </Loaded>
    </div>
  );
}

const follows = ({ decoding }: Start) =>
  decoding ? 'this page follows it until its row can be queried.' : 'the page Ingestion counts it after some minutes.';

const Tonight = ({ start }: { start: Start }) => (
  <Panel title="What happens tonight">
    <p>
      Rows of single pings are visible while the day lasts. The other tables of a day, such as clients by day, are made shortly
      after midnight UTC, when the day is complete; <a href="/jobs">Jobs</a> shows them. To see those of today earlier, make them
      by hand, five minutes after the first ping:
    </p>
    <Command label="Make the tables of today" text={`pingmill run all --data ${quoted(start.data)} --date today`} />
  </Panel>
);
