import { can } from '../../api/session.ts';
import { useQuery } from '../../api/use-query.ts';
import { useSubscriptions } from '../../api/use-subscriptions.ts';
import { Banner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import { ChooseFile } from './choose-file.tsx';
import { draft } from './draft.ts';
import { Review } from './review.tsx';
import { Steps, type Step } from './steps.tsx';

const titles: Readonly<Record<Step, string>> = {
  file: 'Upload a file',
  columns: 'Choose columns',
  review: 'Review and cost',
};

/** Form for a new batch, in steps. Each step has a URL, so that the back button works. */
export function NewBatch() {
  const query = useQuery();
  const current = draft.value;
  // Loaded before the last step, whose button would move under the pointer.
  const { data: subscriptions } = useSubscriptions().loaded;
  const requested = query.get('step');
  const isGone = requested !== '' && current === null;
  const step: Step =
    current === null || (requested !== 'columns' && requested !== 'review') ? 'file' : requested;
  const go = (to: Step) => query.set({ step: to === 'file' ? '' : to });
  return (
    // The key moves the focus to the heading of each step.
    <Page key={step} kind="New batch" title={titles[step]}>
      {!can('batches:write') && (
        <Banner kind="warning">
          <p>Your role cannot start batches. Ask an admin of this account.</p>
        </Banner>
      )}
      <Steps step={step} reached={reachedOf()} onGo={go} />
      {isGone && (
        <Banner kind="warning">
          <p>The reload cleared the file. Choose it again.</p>
        </Banner>
      )}
      {step === 'file' && <ChooseFile onChosen={() => go('columns')} />}
      {step === 'columns' && current !== null && <ChooseColumns draft={current} onGo={go} />}
      {step === 'review' && current !== null && (
        <Review draft={current} subscriptions={subscriptions} onGo={go} />
      )}
    </Page>
  );
}

/** Returns the furthest step reached. Users can go back to earlier steps. */
function reachedOf(): Step {
  if (draft.value === null) return 'file';
  return draft.value.check === null ? 'columns' : 'review';
}
