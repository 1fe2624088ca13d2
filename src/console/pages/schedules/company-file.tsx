import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { MappingFields } from '../../components/list-file/mapping-fields.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { ListInput } from '../../components/list-file/list-input.tsx';
import { SheetPicker } from '../../components/list-file/sheet-picker.tsx';
import { listLabel } from '../../components/list-file/list-label.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';
import { fields, guessedMapping, savedMapping, type MappedFile } from '../new-batch/draft.ts';
import { noSearch } from '../../components/search/search-texts.ts';
import { FileFindings } from '../new-batch/file-findings.tsx';
import { checkBatch, detectReading } from '../new-batch/submit.ts';

/** Fields of a company: scans ignore e-mail addresses. */
const companyFields = fields.filter(({ name }) => name !== 'email');

/** Input of the companies to scan, as a file or as text, with the cost of a scan. */
export function CompanyFile({
  companies,
  onChange,
}: {
  /** Null: none yet. */
  readonly companies: MappedFile | null;
  readonly onChange: (companies: MappedFile | null) => void;
}) {
  const reading = useAction(async (file: File, sheet: string) => {
    const detected = await detectReading(file, sheet);
    const { columns } = detected;
    const mapping = { ...(savedMapping(columns) ?? guessedMapping(columns)), email: '' };
    onChange({ file, ...detected, mapping, operations: ['ads_search'] });
  });
  return (
    <>
      {companies === null ? (
        <ListInput
          label="Choose a file"
          isBusy={reading.isRunning}
          onFile={(file) => reading.run(file, '')}
        />
      ) : (
        <>
          <p>
            <strong>{listLabel(companies.file.name, companies.columns)}</strong>{' '}
            <button type="button" onClick={() => onChange(null)}>
              Choose other companies
            </button>
          </p>
          <SheetPicker
            columns={companies.columns}
            isBusy={reading.isRunning}
            onSheet={(sheet) => reading.run(companies.file, sheet)}
          />
          <MapColumns companies={companies} onChange={onChange} />
        </>
      )}
      <ErrorBanner error={reading.error} />
    </>
  );
}

function MapColumns({
  companies,
  onChange,
}: {
  readonly companies: MappedFile;
  readonly onChange: (companies: MappedFile) => void;
}) {
  const { columns, mapping } = companies;
  const isMapped = companyFields.some(({ name }) => mapping[name] !== '');
  return (
    <>
      {!companies.reading.hasHeader && (
        <Banner>
          <p>The first line looks like data, so the columns are numbered.</p>
        </Banner>
      )}
      <MappingFields
        fields={companyFields}
        columns={columns.columns}
        mapping={mapping}
        onChange={(field, column) => onChange({ ...companies, mapping: { ...mapping, [field]: column } })}
      />
      {isMapped ? (
        <ScanCost companies={companies} />
      ) : (
        <p class="error" role="alert">
          Choose a column of websites or company names.
        </p>
      )}
    </>
  );
}

function ScanCost({ companies }: { readonly companies: MappedFile }) {
  const loaded = useLoad(
    JSON.stringify([companies.file.name, companies.file.size, companies.reading, companies.mapping]),
    () => checkBatch(companies, noSearch),
  );
  return (
    <WhenLoaded loaded={loaded}>
      {(check) => (
        <>
          <FileFindings findings={check.findings} />
          <p role="status">{describeCheck(check)}</p>
        </>
      )}
    </WhenLoaded>
  );
}

function describeCheck({ companies, rows, sources, credits: { ceiling, expected } }: Body<'Check'>): string {
  const rejected = rows.rejected === 0 ? '' : `, ${formatCounted(rows.rejected, 'row')} rejected`;
  const likely = expected === null ? '' : `, about ${formatCredits(expected)} based on earlier batches`;
  const counted = `${formatCounted(companies, 'company', 'companies')}${rejected}.`;
  if (sources === null)
    return `${counted} No ad source is set up. Choose one under “Ad source”, or ask your operator.`;
  return `${counted} A scan costs 0 to ${formatCredits(ceiling)} credits${likely}.`;
}
