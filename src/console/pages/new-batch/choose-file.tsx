import { useAction } from '../../api/use-action.ts';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { begin, draft } from './draft.ts';
import { DropZone } from './drop-zone.tsx';
import { understand } from './submit.ts';

/** The first step: a file is dropped or chosen, and its columns are read. */
export function ChooseFile({ onChosen }: { readonly onChosen: () => void }) {
  const reading = useAction(async (file: File) => {
    const { reading: how, columns } = await understand(file);
    begin(file, how, columns);
    onChosen();
  });
  return (
    <>
      <DropZone
        label={draft.value === null ? 'Choose a file' : 'Choose another file'}
        isBusy={reading.isRunning}
        onFile={reading.run}
      />
      {reading.failure !== undefined && (
        <div class="bad-file">
          <ErrorBanner failure={reading.failure} />
        </div>
      )}
      {draft.value !== null && draft.value.batch === null && reading.failure === undefined && (
        <Notice>
          <p>
            {draft.value.file.name} is still here: <a href="/lists/new?step=columns">go on with it</a>
          </p>
        </Notice>
      )}
      <section>
        <h2>What it has to be</h2>
        <ul>
          <li>
            A CSV file: one company or one e-mail address a row. From Excel, save it as “CSV UTF-8”. Gzip is
            fine.
          </li>
          <li>
            A column with websites, names of companies or e-mail addresses. All other columns come back
            untouched.
          </li>
          <li>Up to a million rows. Nothing is spent before you have seen what it costs.</li>
        </ul>
      </section>
    </>
  );
}
