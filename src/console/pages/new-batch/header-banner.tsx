import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { startDraft, type Draft } from './draft.ts';
import { readColumns } from './submit.ts';

/** Banner on the first line where header or data is unclear, with a button for the alternative. */
export function HeaderBanner({ draft }: { readonly draft: Draft }) {
  const { file, reading, columns } = draft;
  const again = useAction(async (hasHeader: boolean) => {
    const other = { ...reading, hasHeader };
    startDraft(file, other, await readColumns(file, other));
  });
  if (reading.hasHeader && columns.problem === null) return <ErrorBanner error={again.error} />;
  return (
    <Banner>
      <p>{headerMessage(draft)}</p>
      {columns.problem !== 'unnamed_column' && columns.problem !== 'repeated_name' && (
        <button type="button" disabled={again.isRunning} onClick={() => again.run(!reading.hasHeader)}>
          {reading.hasHeader ? 'Use the first line as data' : 'Use the first line as column names'}
        </button>
      )}
      <ErrorBanner error={again.error} />
    </Banner>
  );
}

function headerMessage({ reading, columns: { problem } }: Draft): string {
  if (!reading.hasHeader) return 'The first line looks like data, so the columns are numbered.';
  if (problem === 'looks_like_data') return 'The first line is used as column names, but looks like data.';
  return problem === 'unnamed_column'
    ? 'Some columns have no name. They are named by position.'
    : 'Some columns have the same name. They are numbered.';
}
