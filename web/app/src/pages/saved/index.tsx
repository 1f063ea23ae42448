import { PageHead } from '../../ui';

export default function Saved() {
  return (
    <div class="page">
      <PageHead title="Saved" />
    </div>
  );
}
