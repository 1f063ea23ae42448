import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { may } from '../../app/session';
import { Button, PageHead } from '../../ui';
import { Calendar } from './Calendar';
import { NewRun, type Wanted } from './NewRun';
import { Runs } from './Runs';

export function JobsPage() {
  const [wanted, setWanted] = useState<Wanted>();
  const mayRun = may('operate');
  return (
    <div class="page">
      <PageHead
        title="Jobs"
        actions={
          mayRun && (
            <Button kind="primary" icon={Plus} onClick={() => setWanted({})}>
              New run
            </Button>
          )
        }
      >
        Which tables are made of which days, and the runs that made them.
      </PageHead>
      <Calendar onRun={mayRun ? setWanted : undefined} />
      <Runs />
      {wanted && <NewRun wanted={wanted} onClose={() => setWanted(undefined)} />}
    </div>
  );
}
