import { may } from '../../api/session.ts';
import { useQuery } from '../../api/use-query.ts';
import { Notice } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import { ChooseFile } from './choose-file.tsx';
import { draft } from './draft.ts';
import { Review } from './review.tsx';
import { Steps, type Step } from './steps.tsx';

const titles: Readonly<Record<Step, string>> = {
  file: 'Which list?',
  columns: 'Which column is which?',
  review: 'What will become of it',
};

/** A list on its way in, step by step. Each has an address, so that the browser's own way back leads back. */
export function NewList() {
  const query = useQuery();
  const current = draft.value;
  const asked = query.get('step');
  const isGone = asked !== '' && current === null;
  const step: Step = current === null || (asked !== 'columns' && asked !== 'review') ? 'file' : asked;
  const go = (to: Step) => query.set({ step: to === 'file' ? '' : to });
  return (
    // Whoever comes to another step stands at its heading.
    <Page key={step} kind="New list" title={titles[step]}>
      {!may('batches:write') && (
        <Notice kind="warning">
          <p>You may look at lists, but not hand one in. Ask who looks after this account.</p>
        </Notice>
      )}
      <Steps step={step} reached={reachedOf()} onGo={go} />
      {isGone && (
        <Notice kind="warning">
          <p>The page was loaded anew, and a page cannot keep a file: choose it again.</p>
        </Notice>
      )}
      {step === 'file' && <ChooseFile onChosen={() => go('columns')} />}
      {step === 'columns' && current !== null && <ChooseColumns draft={current} onGo={go} />}
      {step === 'review' && current !== null && <Review draft={current} onGo={go} />}
    </Page>
  );
}

/** Furthest step reached: earlier steps can be opened again. */
function reachedOf(): Step {
  if (draft.value === null) return 'file';
  return draft.value.check === null ? 'columns' : 'review';
}
