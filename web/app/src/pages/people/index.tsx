import { PageHead } from '../../ui';

export default function People() {
  return (
    <div class="page">
      <PageHead title="People" />
    </div>
  );
}
