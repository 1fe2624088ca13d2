import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { ListInput } from '../../components/list-file/list-input.tsx';
import { noSearch } from '../../components/search/search-texts.ts';
import { changeDraft, startDraft, draft } from './draft.ts';
import { NoDefaultSource } from './no-source.tsx';
import { sampleCompanies } from './sample-companies.ts';
import { detectReading } from './submit.ts';

/** First step: choose or drop a file. Its columns are read at once. */
export function ChooseFile({ onChosen }: { readonly onChosen: () => void }) {
  const reading = useAction(async (file: File, sources?: string) => {
    const { reading: detected, columns } = await detectReading(file);
    startDraft(file, detected, columns);
    if (sources !== undefined) changeDraft({ search: { ...noSearch, sources } });
    onChosen();
  });
  return (
    <>
      <NoDefaultSource />
      <ListInput
        label={draft.value === null ? 'Choose a file' : 'Choose another file'}
        isBusy={reading.isRunning}
        onFile={(file) => reading.run(file)}
      />
      {reading.error !== undefined && (
        <div class="bad-file">
          <ErrorBanner error={reading.error} />
        </div>
      )}
      {draft.value !== null && draft.value.batch === null && reading.error === undefined && (
        <Banner>
          <p>
            {draft.value.file.name} is selected. <a href="/batches/new?step=columns">Choose its columns</a>
          </p>
        </Banner>
      )}
      <section>
        <h2>No list at hand?</h2>
        <p>Ten companies and generated ads show what you get. They cost credits like real ads.</p>
        <button
          type="button"
          disabled={reading.isRunning}
          onClick={() => reading.run(sampleCompanies(), 'sample')}
        >
          Try it with sample data
        </button>
      </section>
      <section>
        <h2>Requirements</h2>
        <ul>
          <li>
            One company or e-mail address per row, as Excel (.xlsx), OpenDocument (.ods), CSV, Parquet, NDJSON
            or JSON. Files in .gz and .zip work, too.
          </li>
          <li>A column of websites, company names or e-mail addresses. All other columns are kept as is.</li>
          <li>Up to a million rows. You see the cost before you start.</li>
        </ul>
      </section>
    </>
  );
}
