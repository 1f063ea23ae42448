import { PageHead } from '../../ui';

export default function Query() {
  return (
    <div class="page">
      <PageHead title="Query" />
    </div>
  );
}
