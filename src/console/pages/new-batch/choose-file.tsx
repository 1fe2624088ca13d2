import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { ListInput } from '../../components/list-file/list-input.tsx';
import { startDraft, draft } from './draft.ts';
import { detectReading } from './submit.ts';

/** First step: choose or drop a file. Its columns are read at once. */
export function ChooseFile({ onChosen }: { readonly onChosen: () => void }) {
  const reading = useAction(async (file: File) => {
    const { reading: detected, columns } = await detectReading(file);
    startDraft(file, detected, columns);
    onChosen();
  });
  return (
    <>
      <ListInput
        label={draft.value === null ? 'Choose a file' : 'Choose another file'}
        isBusy={reading.isRunning}
        onFile={reading.run}
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
