import { PageHead } from '../../ui';

export default function Account() {
  return (
    <div class="page">
      <PageHead title="Account" />
    </div>
  );
}
