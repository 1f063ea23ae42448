import { useRoute } from 'preact-iso';
import { TableList } from './List';
import { OneTable } from './OneTable';

export default function Catalog() {
  const { table } = useRoute().params;
  return table ? <OneTable key={table} name={table} /> : <TableList />;
}
