import { useState } from 'preact/hooks';
import { workbookLinesMax } from '../../../core/reports/workbook-lines.ts';
import type { Body } from '../../api/client.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';

const shapes = [
  { shape: 'rows', name: 'one line per row of the list' },
  { shape: 'ads', name: 'one line per ad' },
  { shape: 'variants', name: 'one line per variant of an ad' },
] as const;

const formats = [
  { format: 'csv', name: 'CSV' },
  { format: 'xlsx', name: 'Excel' },
  { format: 'json', name: 'JSON' },
  { format: 'ndjson', name: 'NDJSON' },
  { format: 'parquet', name: 'Parquet' },
] as const;

const tooLong = 'workbook-lines';

/** The whole list with what came of it, as files. In every shape there is a line for each row at least. */
export function Downloads({ batch: { id, rows, operations } }: { readonly batch: Body<'Batch'> }) {
  const [shape, setShape] = useState<string>('rows');
  const isTooLong = rows.total > workbookLinesMax;
  return (
    <Section title="Download">
      {operations.includes('ads_search') && (
        <div class="filters">
          <Field label="With">
            <select value={shape} onChange={({ currentTarget }) => setShape(currentTarget.value)}>
              {shapes.map(({ shape: each, name }) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
      <div class="actions">
        {formats.map(({ format, name }) =>
          format === 'xlsx' && isTooLong ? (
            <button key={format} type="button" disabled aria-describedby={tooLong}>
              {name}
            </button>
          ) : (
            <DownloadLink
              key={format}
              href={`/v1/batches/${id}/export?format=${format}&shape=${shape}`}
              fileName={`${id}-${shape}.${format}`}
              isWhole={format === 'xlsx'}
            >
              {name}
            </DownloadLink>
          ),
        )}
        {rows.rejected > 0 && (
          <DownloadLink href={`/v1/batches/${id}/rejected`} fileName={`${id}-rejected.csv`}>
            {formatCounted(rows.rejected, 'rejected row')} (CSV)
          </DownloadLink>
        )}
      </div>
      <p class="hint" id={tooLong}>
        {isTooLong
          ? `Excel is for ${formatCount(workbookLinesMax)} lines at most, and this list has ${formatCounted(rows.total, 'row')}: take CSV or Parquet, or download a part of it from its results.`
          : `Excel is for ${formatCount(workbookLinesMax)} lines at most.`}{' '}
        Cells that a spreadsheet would run as a formula are defused in CSV.
      </p>
    </Section>
  );
}
