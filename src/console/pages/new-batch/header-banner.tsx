import { useAction } from '../../api/use-action.ts';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { begin, type Draft } from './draft.ts';
import { readColumns } from './submit.ts';

/** Banner on the reading of the first line, where that is not plain, with the alternative. */
export function HeaderNotice({ draft }: { readonly draft: Draft }) {
  const { file, reading, columns } = draft;
  const again = useAction(async (hasHeader: boolean) => {
    const other = { ...reading, hasHeader };
    begin(file, other, await readColumns(file, other));
  });
  if (reading.hasHeader && columns.problem === null) return <ErrorBanner failure={again.failure} />;
  return (
    <Notice>
      <p>{headerMessage(draft)}</p>
      {columns.problem !== 'unnamed_column' && columns.problem !== 'repeated_name' && (
        <button type="button" disabled={again.isRunning} onClick={() => again.run(!reading.hasHeader)}>
          {reading.hasHeader ? 'The first line is data' : 'The first line is the header'}
        </button>
      )}
      <ErrorBanner failure={again.failure} />
    </Notice>
  );
}

function headerMessage({ reading, columns: { problem } }: Draft): string {
  if (!reading.hasHeader) return 'The first line looks like data, so the columns are numbered.';
  if (problem === 'looks_like_data')
    return 'The first line is taken for the header, though it looks like data.';
  return problem === 'unnamed_column'
    ? 'Some columns have no name in the file. They are called after their place.'
    : 'Some columns have the same name in the file. They are numbered, so that they can be told apart.';
}
