import { useState } from 'preact/hooks';
import { workbookLinesMax } from '../../../core/reports/workbook-lines.ts';
import type { Body } from '../../api/client.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';

const shapes = [
  { shape: 'rows', name: 'One line per row' },
  { shape: 'ads', name: 'One line per ad' },
  { shape: 'variants', name: 'One line per variant' },
] as const;

const formats = [
  { format: 'csv', name: 'CSV' },
  { format: 'csv', name: 'CSV for Excel', more: '&for_excel=true' },
  { format: 'xlsx', name: 'Excel' },
  { format: 'json', name: 'JSON' },
  { format: 'ndjson', name: 'NDJSON' },
  { format: 'parquet', name: 'Parquet' },
] as const;

const excelHintId = 'workbook-lines';

/** Downloads of a batch with its results. Every shape has at least one line per row. */
export function Downloads({ batch: { id, rows, operations } }: { readonly batch: Body<'Batch'> }) {
  const [shape, setShape] = useState<string>('rows');
  const isTooLong = rows.total > workbookLinesMax;
  return (
    <Section title="Download">
      {operations.includes('ads_search') && (
        <div class="filters">
          <Field label="Content">
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
        {formats.map(({ format, name, more = '' }: (typeof formats)[number] & { readonly more?: string }) =>
          format === 'xlsx' && isTooLong ? (
            <button key={name} type="button" disabled aria-describedby={excelHintId}>
              {name}
            </button>
          ) : (
            <DownloadLink
              key={name}
              href={`/v1/batches/${id}/export?format=${format}&shape=${shape}${more}`}
              isWhole={format === 'xlsx'}
            >
              {name}
            </DownloadLink>
          ),
        )}
        {rows.rejected > 0 && (
          <DownloadLink href={`/v1/batches/${id}/rejected`}>
            {formatCounted(rows.rejected, 'rejected row')} (CSV)
          </DownloadLink>
        )}
      </div>
      <p class="hint" id={excelHintId}>
        {isTooLong
          ? `Excel files hold up to ${formatCount(workbookLinesMax)} lines. This batch has ${formatCounted(rows.total, 'row')}. Download CSV or Parquet, or filter the results.`
          : `Excel files hold up to ${formatCount(workbookLinesMax)} lines.`}{' '}
        CSV files escape formulas. CSV for Excel has the delimiter of your file.
      </p>
    </Section>
  );
}
