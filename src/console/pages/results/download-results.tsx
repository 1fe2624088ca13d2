import { useState } from 'preact/hooks';
import { DownloadLink } from '../../components/download-link.tsx';
import { Field } from '../../components/forms/field.tsx';
import { filterText, type ResultFilter } from './filter.ts';

const shapeNames = {
  rows: 'One line per row',
  ads: 'One line per ad',
  variants: 'One line per variant',
} as const;
type Shape = keyof typeof shapeNames;

const formatNames = {
  csv: 'CSV',
  'csv-for-excel': 'CSV for Excel',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
} as const;

/** Download of the filtered results. */
export function DownloadResults({
  id,
  shapes,
  filter,
}: {
  readonly id: string;
  readonly shapes: readonly [Shape, ...Shape[]];
  readonly filter: ResultFilter;
}) {
  const [format, setFormat] = useState<string>('csv');
  const [chosen, setShape] = useState<string>('');
  const shape = shapes.find((each) => each === chosen) ?? shapes[0];
  const isForExcel = format === 'csv-for-excel';
  const fileFormat = isForExcel ? 'csv' : format;
  const params = new URLSearchParams([
    ['format', fileFormat],
    ...(isForExcel ? [['for_excel', 'true']] : []),
    ['shape', shape],
    ...new URLSearchParams(filterText(filter)),
  ]);
  return (
    <div class="actions download">
      <Field label="File format">
        <select value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value)}>
          {options(formatNames)}
        </select>
      </Field>
      {shapes.length > 1 && (
        <Field label="Content">
          <select value={shape} onChange={({ currentTarget }) => setShape(currentTarget.value)}>
            {options(Object.fromEntries(shapes.map((each) => [each, shapeNames[each]])))}
          </select>
        </Field>
      )}
      <DownloadLink
        // The key clears the error of the previous file.
        key={String(params)}
        href={`/v1/batches/${encodeURIComponent(id)}/export?${params}`}
        isWhole={format === 'xlsx'}
      >
        Download results
      </DownloadLink>
    </div>
  );
}

function options(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}
