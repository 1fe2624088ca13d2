import { useState } from 'preact/hooks';
import { DownloadLink } from '../../components/download-link.tsx';
import type { EmailFilter } from './email-filter.ts';

const formatNames = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
} as const;

/** Download of the verdicts that match the filters. */
export function DownloadEmails({ filter }: { readonly filter: EmailFilter }) {
  const [format, setFormat] = useState('csv');
  const params = new URLSearchParams({ format, ...filter });
  return (
    <>
      <select
        aria-label="File format"
        value={format}
        onChange={({ currentTarget }) => setFormat(currentTarget.value)}
      >
        {Object.entries(formatNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <DownloadLink
        // The key clears the error of the previous file.
        key={String(params)}
        href={`/v1/emails/export?${params}`}
        isWhole={format === 'xlsx'}
      >
        Download
      </DownloadLink>
    </>
  );
}
