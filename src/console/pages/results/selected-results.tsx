import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { formatRowRanges, rangesOfRows } from '../../../core/rows/row-ranges.ts';
import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { Menu } from '../../components/tables/menu.tsx';
import { RetryFailed } from '../batch/retry-failed.tsx';
import { DownloadResults } from './download-results.tsx';

type Row = Body<'Row'>;

/** Buttons for the selected rows of a batch: retry, export, and map. */
export function SelectedResults({
  batch,
  rows,
}: {
  readonly batch: Body<'Batch'>;
  readonly rows: readonly Row[];
}) {
  const { id, state, origin } = batch;
  const { route } = useLocation();
  const [isRetrying, setRetrying] = useState(false);
  const failed = rows.filter(isFailed);
  const unidentified = rows.filter(isUnidentified);
  const retried = [...failed, ...(origin?.kind === 'schedule' ? [] : unidentified)];
  return (
    <>
      {retried.length > 0 && state === 'finished' && can('batches:write') && (
        <button type="button" onClick={() => setRetrying(true)}>
          Retry …
        </button>
      )}
      <Menu label="Export">
        <DownloadResults id={id} shapes={['rows', 'ads', 'variants']} filter={{ rows: rangesText(rows) }} />
      </Menu>
      {unidentified.length > 0 && (
        <a
          class="button"
          href={`/batches/${id}/unidentified?${new URLSearchParams({ rows: rangesText(unidentified) })}`}
        >
          Map
        </a>
      )}
      {isRetrying && (
        <RetryFailed
          batch={batch}
          rows={retried.map(({ row }) => row)}
          onChanged={() => route(`/batches/${id}`)}
          onClose={() => setRetrying(false)}
        />
      )}
    </>
  );
}

function isFailed({ outcome, email }: Row): boolean {
  return outcome === 'failed' || email?.outcome === 'failed';
}

function isUnidentified({ outcome }: Row): boolean {
  return outcome === 'no_match';
}

function rangesText(rows: readonly Row[]): string {
  return formatRowRanges(rangesOfRows(rows.map(({ row }) => row)));
}
