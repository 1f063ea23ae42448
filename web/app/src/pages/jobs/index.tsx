import { PageHead } from '../../ui';

export default function Jobs() {
  return (
    <div class="page">
      <PageHead title="Jobs" />
    </div>
  );
}
