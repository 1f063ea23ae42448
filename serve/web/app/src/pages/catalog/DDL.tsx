import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Copy, Loaded, Note, Panel, Select, TextField } from '../../ui';
import style from './catalog.module.css';

const names: Record<string, string> = {
  athena: 'Athena',
  duckdb: 'DuckDB',
  hive: 'Hive',
  presto: 'Presto',
  spark: 'Spark',
  trino: 'Trino',
};

// DDL shows the statements that define the table in another engine.
export function DDL({ name }: { name: string }) {
  const { query } = useLocation();
  const [engine, setEngine] = useState(query.engine ?? 'trino');
  const [root, setRoot] = useState('');
  const engines = useLoad(signal => get('/tables', { signal }), []);
  const { data, error } = useLoad(
    signal => get('/tables/{name}/ddl', { path: { name }, query: { engine, root }, signal }),
    [name, engine, root],
  );
  return (
    <div class="stack">
      <div class="form-row">
        <Select
          label="Engine"
          value={engine}
          onValue={setEngine}
          choices={(engines.data?.engines ?? [engine]).map(e => ({ value: e, label: names[e] ?? e }))}
        />
        <TextField
          label="Where it finds the installation"
          hint="A folder or a URL, such as s3://bucket/data. Without one: its folder on the server."
          value={root}
          onValue={setRoot}
          placeholder="s3://bucket/data"
        />
      </div>
      <Loaded of={{ data, error }}>
        {({ ddl, engine, leftOut }) => (
          <>
            {leftOut?.length ? (
              <Note tone="warn">
                It supports only letters, digits and _ in names, so these are left out: {leftOut.join(', ')}.
              </Note>
            ) : null}
            <Panel title={names[engine] ?? engine} actions={<Copy text={ddl}>Copy</Copy>} flush>
              <pre
                class={`code ${style.ddl}`}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
                tabIndex={0}
                role="region"
                aria-label={`Statements for ${names[engine] ?? engine}`}
              >
                {ddl}
              </pre>
            </Panel>
          </>
        )}
      </Loaded>
    </div>
  );
}
