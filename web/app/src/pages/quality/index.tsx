import { PageHead } from '../../ui';

export default function Quality() {
  return (
    <div class="page">
      <PageHead title="Quality" />
    </div>
  );
}
