import { Banner, ErrorBanner } from '../../components/banner.tsx';
import type { Draft } from './draft.ts';
import type { ReadAgain } from './use-read-again.ts';

/** Banner on the first line where header or data is unclear, with a button for the alternative. */
export function HeaderBanner({
  draft,
  again: { header, isRunning },
}: {
  readonly draft: Draft;
  readonly again: ReadAgain;
}) {
  const { reading, columns } = draft;
  if (reading.hasHeader && columns.problem === null) return <ErrorBanner error={header.error} />;
  return (
    <Banner>
      <p>{headerMessage(draft)}</p>
      {columns.problem !== 'unnamed_column' && columns.problem !== 'repeated_name' && (
        <button type="button" disabled={isRunning} onClick={() => header.run(!reading.hasHeader)}>
          {reading.hasHeader ? 'Use the first line as data' : 'Use the first line as column names'}
        </button>
      )}
      <ErrorBanner error={header.error} />
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
