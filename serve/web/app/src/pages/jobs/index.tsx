import { useRoute } from 'preact-iso';
import { JobsPage } from './Jobs';
import { OneRun } from './OneRun';

export default function Jobs() {
  const { run } = useRoute().params;
  return run ? <OneRun key={run} id={run} /> : <JobsPage />;
}
