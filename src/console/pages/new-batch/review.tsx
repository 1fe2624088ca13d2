import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '../../api/use-action.ts';
import { subscribe } from '../../api/use-subscriptions.ts';
import { Figures } from '../../components/figures.tsx';
import { listLabel } from '../../components/list-file/list-label.ts';
import { Loading } from '../../components/loading.tsx';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { formatCount } from '../../components/values.tsx';
import type { Body } from '../../api/client.ts';
import { BatchOptions } from './batch-options.tsx';
import { CostPlan } from './cost/cost-plan.tsx';
import { parseBudget, parseCap } from './cost/cost.ts';
import { storeCheck, storeStart, type Draft } from './draft.ts';
import { checkBatch, startBatch } from './submit.ts';
import { lacksSource, NoSource } from './no-source.tsx';
import { EmailWhenDone } from './email-when-done.tsx';
import { FileFindings, WarnedRows } from './file-findings.tsx';
import { PreviewTable } from './preview-table.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { RepeatedRows } from './repeated-rows.tsx';
import { SameFile } from './same-file.tsx';
import type { Step } from './steps.tsx';

interface ReviewProps {
  readonly draft: Draft;
  /** Subscriptions of the user; undefined until they are loaded. */
  readonly subscriptions: Body<'SubscriptionList'> | undefined;
  readonly onGo: (step: Step) => void;
}

/** Last step: preview, cost and the start of the batch. */
export function Review(props: ReviewProps) {
  const { draft } = props;
  const checking = useAction(async () => storeCheck(draft, await checkBatch(draft, draft.search)), {
    isRetried: true,
  });
  // After the back button, the columns may have changed; after an error, the options.
  useEffect(() => {
    if (draft.check === null) checking.run();
  }, [draft.key, draft.check === null]);
  if (draft.check === null) {
    return (
      <>
        <ErrorBanner error={checking.error} onRetry={checking.run} />
        {checking.error !== undefined && <BatchOptions draft={draft} />}
        {checking.isRunning && <Loading />}
      </>
    );
  }
  return <Checked {...props} check={draft.check} />;
}

function Checked({ draft, check, subscriptions, onGo }: ReviewProps & { readonly check: Body<'Check'> }) {
  const { route } = useLocation();
  const starting = useAction(async (reuses: boolean) => {
    const { id } = await startBatch(draft, { reuses });
    if (draft.isEmailed) await subscribe({ kind: 'batch', id });
    storeStart(draft, id);
    route(`/batches/${id}`);
  });
  const isEmpty = check.companies + check.addresses === 0;
  // The cost is unknown without a source.
  const hasNoSource = lacksSource(check);
  const isBounded = parseBudget(draft.budget) !== undefined && parseCap(draft.cap) !== undefined;
  const isReady = isBounded && !isEmpty && !hasNoSource;
  return (
    <>
      <p class="lead">{listLabel(draft.file.name, check)}</p>
      <Figures figures={figuresOf(check)} />
      <FileFindings findings={check.findings} />
      <SampleBanner sources={check.sources ?? []} />
      {hasNoSource && <NoSource check={check} />}
      {isEmpty && (
        <Banner kind="error" title="Nothing to look up">
          <p>No row has a company or an e-mail address. Choose other columns, or fix the rejected rows.</p>
        </Banner>
      )}
      {!hasNoSource && <CostPlan draft={draft} check={check} />}
      {check.operations.includes('ads_search') && <BatchOptions draft={draft} />}
      {draft.batch === null && <EmailWhenDone draft={draft} subscriptions={subscriptions} />}
      {draft.batch === null && check.earlier !== null && (
        <SameFile
          draft={draft}
          check={check}
          earlier={check.earlier}
          isReady={isReady && !starting.isRunning}
          onStart={starting.run}
        />
      )}
      <ErrorBanner error={starting.error} />
      <div class="actions">
        <button type="button" onClick={() => onGo('columns')}>
          Back
        </button>
        {draft.batch !== null && (
          <a class="button primary" href={`/batches/${draft.batch}`}>
            View batch
          </a>
        )}
        {draft.batch === null && check.earlier === null && (
          <button
            type="button"
            class="primary"
            disabled={starting.isRunning || !isReady}
            onClick={() => starting.run(false)}
          >
            {starting.isRunning ? 'Starting …' : startLabel(draft)}
          </button>
        )}
      </div>
      <Section title="Preview" lead="The first rows, as Nightshift reads them.">
        <PreviewTable preview={check.preview} />
      </Section>
      <WarnedRows check={check} />
      <RejectedRows draft={draft} check={check} />
      <RepeatedRows check={check} />
    </>
  );
}

function startLabel({ isTrial }: Draft): string {
  return isTrial ? 'Start with first 10 rows' : 'Start batch';
}

function figuresOf({ rows, operations, companies, addresses }: Body<'Check'>) {
  return [
    { name: 'Rows', value: formatCount(rows.total) },
    ...(operations.includes('ads_search') ? [{ name: 'Companies', value: formatCount(companies) }] : []),
    ...(operations.includes('email_validation')
      ? [{ name: 'E-mail addresses', value: formatCount(addresses) }]
      : []),
    { name: 'Duplicate rows', value: formatCount(rows.duplicates), note: 'free' },
    { name: 'Rejected rows', value: formatCount(rows.rejected), note: 'free' },
  ];
}
