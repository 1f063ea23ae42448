import { useRoute } from 'preact-iso';
import { OneTable } from './OneTable';
import { Overview } from './Overview';

// Quality is all tables; /quality/TABLE is one, ?day= a day of it, ?column= one of its columns.
export default function Quality() {
  const { params } = useRoute();
  return params.table ? <OneTable key={params.table} table={params.table} /> : <Overview />;
}
