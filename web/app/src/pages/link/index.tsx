import { PageHead } from '../../ui';

export default function Link() {
  return (
    <div class="page">
      <PageHead title="Sign in" />
    </div>
  );
}
