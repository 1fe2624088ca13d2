import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { formatCounted } from '../../parts/values.tsx';

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

/** The whole list with what came of it, as files. They stream, so they are links. */
export function Downloads({ batch: { id, rows, operations } }: { readonly batch: Body<'Batch'> }) {
  const [shape, setShape] = useState<string>('rows');
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
        {formats.map(({ format, name }) => (
          <a
            key={format}
            class="button"
            href={`/v1/batches/${id}/export?format=${format}&shape=${shape}`}
            download={`${id}-${shape}.${format}`}
          >
            {name}
          </a>
        ))}
        {rows.rejected > 0 && (
          <a class="button" href={`/v1/batches/${id}/rejected`} download={`${id}-rejected.csv`}>
            {formatCounted(rows.rejected, 'rejected row')} (CSV)
          </a>
        )}
      </div>
      <p class="hint">
        Excel is for some 50,000 lines. Cells that a spreadsheet would run as a formula are defused in CSV.
      </p>
    </Section>
  );
}
