import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '../../api/use-action.ts';
import { Figures } from '../../components/figures.tsx';
import { Waiting } from '../../components/loading.tsx';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { formatCount } from '../../components/values.tsx';
import type { Body } from '../../api/client.ts';
import { CostPlan } from './cost-plan.tsx';
import { parseBudget } from './cost.ts';
import { noteCheck, noteStart, type Draft } from './draft.ts';
import { checkList, startList } from './submit.ts';
import { lacksSource, NoSource } from './no-source.tsx';
import { PreviewTable } from './preview-table.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { RepeatedRows } from './repeated-rows.tsx';
import { SameFile } from './same-file.tsx';
import type { Step } from './steps.tsx';

/** The last step: what would become of the list and what that costs, and the button that starts it. */
export function Review({ draft, onGo }: { readonly draft: Draft; readonly onGo: (step: Step) => void }) {
  const checking = useAction(async () => noteCheck(draft, await checkList(draft, draft.source)));
  // Who comes back by the browser's own way may have changed the columns since.
  useEffect(() => {
    if (draft.check === null) checking.run();
  }, [draft.check === null]);
  if (draft.check === null) {
    return (
      <>
        <ErrorBanner failure={checking.failure} onRetry={checking.run} />
        {checking.isRunning && <Waiting />}
      </>
    );
  }
  return <Checked draft={draft} check={draft.check} onGo={onGo} />;
}

function Checked({
  draft,
  check,
  onGo,
}: {
  readonly draft: Draft;
  readonly check: Body<'Check'>;
  readonly onGo: (step: Step) => void;
}) {
  const { route } = useLocation();
  const starting = useAction(async (reuses: boolean) => {
    const { id } = await startList(draft, { reuses });
    noteStart(draft, id);
    route(`/batches/${id}`);
  });
  const isEmpty = check.companies + check.addresses === 0;
  // What it costs is not known where nobody would be asked.
  const isNowhere = lacksSource(check);
  const isOk = parseBudget(draft.budget) !== undefined && !isEmpty && !isNowhere;
  return (
    <>
      <p class="lead">{draft.file.name}</p>
      <Figures figures={figuresOf(check)} />
      <SampleBand sources={check.sources ?? []} />
      {isNowhere && <NoSource check={check} />}
      {isEmpty && (
        <Notice kind="error" title="There is nothing to look up in this list">
          <p>No row names a company or an address. Choose other columns, or mend the rows below.</p>
        </Notice>
      )}
      {!isNowhere && <CostPlan draft={draft} check={check} />}
      {draft.batch === null && check.earlier !== null && (
        <SameFile
          draft={draft}
          check={check}
          earlier={check.earlier}
          isReady={isOk && !starting.isRunning}
          onStart={starting.run}
        />
      )}
      <ErrorBanner failure={starting.failure} />
      <div class="actions">
        <button type="button" onClick={() => onGo('columns')}>
          Back
        </button>
        {draft.batch !== null && (
          <a class="button primary" href={`/batches/${draft.batch}`}>
            It was started: go to it
          </a>
        )}
        {draft.batch === null && check.earlier === null && (
          <button
            type="button"
            class="primary"
            disabled={starting.isRunning || !isOk}
            onClick={() => starting.run(false)}
          >
            {starting.isRunning ? 'Starting …' : startLabels(draft)}
          </button>
        )}
      </div>
      <Section title="The first rows" lead="What becomes of them, and how they were understood.">
        <PreviewTable preview={check.preview} />
      </Section>
      <RejectedRows draft={draft} check={check} />
      <RepeatedRows check={check} />
    </>
  );
}

function startLabels({ isProbe }: Draft): string {
  return isProbe ? 'Start with the first 10 rows' : 'Start the list';
}

function figuresOf({ rows, operations, companies, addresses }: Body<'Check'>) {
  return [
    { name: 'Rows', value: formatCount(rows.total) },
    ...(operations.includes('ads_search')
      ? [{ name: 'Companies to look up', value: formatCount(companies) }]
      : []),
    ...(operations.includes('email_validation')
      ? [{ name: 'Addresses to check', value: formatCount(addresses) }]
      : []),
    { name: 'Repeated rows', value: formatCount(rows.duplicates), note: 'cost nothing' },
    { name: 'Rejected rows', value: formatCount(rows.rejected), note: 'cost nothing' },
  ];
}
