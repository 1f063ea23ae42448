import { useState } from 'preact/hooks';
import { docsOf } from '../../app/session';
import { Note, Panel, type Tab, Tabs } from '../../ui';
import { Command } from './Command';
import type { Start } from './start';
import { curl, endpoints, local, preferences, quoted, uuid } from './ways';

type Way = 'line' | 'firefox' | 'glean' | 'files' | 'synthetic';

const tabs: Tab<Way>[] = [
  { id: 'line', label: 'One ping' },
  { id: 'firefox', label: 'Firefox' },
  { id: 'glean', label: 'Glean' },
  { id: 'files', label: 'Files' },
  { id: 'synthetic', label: 'Synthetic' },
];

const Docs = ({ page, children }: { page: string; children: string }) => {
  const href = docsOf(page);
  return href ? (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  ) : null;
};

// Ways shows the ways in which pings come, each with what to copy.
export function Ways({ start }: { start: Start }) {
  const [way, setWay] = useState<Way>('line');
  const edge = start.edge.url ?? 'http://EDGE:8080';
  const data = `--data ${quoted(start.data)}`;
  const firefox = start.applications.includes('firefox-desktop');
  return (
    <Panel title="Ways to send pings">
      {!start.edge.url && (
        <Note tone="warn" title="The address of the edge is not known here">
          It runs in another process. Set <code>web.edge-url</code>, or write its address in place of <code>EDGE</code>.
        </Note>
      )}
      <Tabs label="Ways to send pings" tabs={tabs} value={way} onValue={setWay}>
        <div class="stack">
          {way === 'line' && <OnePing edge={edge} start={start} />}
          {way === 'firefox' && (
            <>
              <p>
                Save this file as <code>user.js</code> in the folder of a new profile, and start it with{' '}
                <code>firefox --profile FOLDER</code>. The first ping comes some seconds later.
              </p>
              <Command label="user.js" text={preferences(edge)} />
              {!local(edge) && (
                <Note>The host of Firefox's Glean pings is compiled in: your network has to answer for its name.</Note>
              )}
              {!firefox && (
                <>
                  <Note tone="warn">
                    Glean pings of Firefox get tables when the service runs with the definitions of Firefox. Start it again, with
                    your other settings and:
                  </Note>
                  <Command
                    label="Start the service with definitions"
                    text={`pingmill serve ${data} --probes firefox --definitions firefox`}
                  />
                </>
              )}
              <Docs page="glean#a-firefox-that-sends-to-you">Many machines: policy, certificate and name</Docs>
            </>
          )}
          {way === 'glean' && (
            <>
              <p>
                Put <code>metrics.yaml</code> and <code>pings.yaml</code> into a folder with the id of your application, such as{' '}
                <code>definitions/org-example-app</code>, and start the service again, with your other settings and:
              </p>
              <Command label="Start the service with definitions" text={`pingmill serve ${data} --definitions definitions`} />
              <p>The application then sends to this address:</p>
              <Command label="Endpoint of the SDK" text={endpoints(edge)} />
              {start.applications.length > 0 && (
                <p class="muted">The edge takes pings of these applications now: {start.applications.join(', ')}.</p>
              )}
              <Docs page="glean#from-nothing-to-a-curve">A whole application of twelve lines</Docs>
            </>
          )}
          {way === 'files' && (
            <>
              <p>
                JSON lines, Heka-framed protobuf and exports of Pub/Sub are recognised by their content. Run this on the server,
                with the settings of the service:
              </p>
              <Command label="Load files" text={`pingmill load ${data} FILE…`} />
              <p>Then make the tables of the days on which these pings arrived, here of 1 to 4 March 2018:</p>
              <Command label="Make the tables" text={`pingmill run all ${data} --from 20180301 --to 20180304`} />
              <Docs page="start/mozilla-2018">I come from Mozilla's tables of 2018</Docs>
            </>
          )}
          {way === 'synthetic' && (
            <>
              <p>Pings of a made-up population, sent as clients send them. A few are damaged on purpose:</p>
              <Command label="Generate pings" text={`pingmill generate --clients 20 --days 1 --to ${edge}`} />
              <p class="muted">
                <code>pingmill demo</code> makes three days of them in a folder of its own.
              </p>
            </>
          )}
        </div>
      </Tabs>
    </Panel>
  );
}

// OnePing has a command with a document id of its own. Once that has arrived, the command gets another one.
function OnePing({ edge, start }: { edge: string; start: Start }) {
  const [ids, setIds] = useState(() => [uuid(), uuid(), new Date()] as const);
  if (start.items.some(i => i.document === ids[0])) {
    setIds([uuid(), uuid(), new Date()]);
  }
  return (
    <>
      <p>Paste this line into a shell. It prints 200 once the ping is on disk, and the row follows within a minute.</p>
      <Command label="Send one ping" text={curl(edge, ...ids)} />
    </>
  );
}
