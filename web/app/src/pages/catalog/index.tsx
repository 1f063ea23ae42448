import { PageHead } from '../../ui';

export default function Catalog() {
  return (
    <div class="page">
      <PageHead title="Catalog" />
    </div>
  );
}
