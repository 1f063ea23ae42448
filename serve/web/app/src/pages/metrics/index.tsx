import { useRoute } from 'preact-iso';
import { Dictionary } from './Dictionary';
import { OneMetric } from './OneMetric';

export default function Metrics() {
  const { table, column } = useRoute().params;
  return table && column ? <OneMetric key={`${table} ${column}`} table={table} column={column} /> : <Dictionary />;
}
