import { PageHead } from '../../ui';

export default function Signin() {
  return (
    <div class="page">
      <PageHead title="Sign in" />
    </div>
  );
}
