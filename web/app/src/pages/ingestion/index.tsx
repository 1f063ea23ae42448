import { PageHead } from '../../ui';

export default function Ingestion() {
  return (
    <div class="page">
      <PageHead title="Ingestion" />
    </div>
  );
}
