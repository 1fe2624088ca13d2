import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { ListInput } from '../../components/list-file/list-input.tsx';
import { listLabel } from '../../components/list-file/list-label.ts';
import { MappingFields } from '../../components/list-file/mapping-fields.tsx';
import { SheetPicker } from '../../components/list-file/sheet-picker.tsx';
import {
  fields,
  guessedMapping,
  possibleOperations,
  savedMapping,
  type MappedFile,
} from '../new-batch/draft.ts';
import { detectReading } from '../new-batch/submit.ts';

/** Columns of an inbox, from a file like those that arrive. Without one, they are detected by their names. */
export function ExampleFile({
  example,
  onChange,
}: {
  readonly example: MappedFile | null;
  readonly onChange: (example: MappedFile | null) => void;
}) {
  const reading = useAction(async (file: File, sheet: string) => {
    const detected = await detectReading(file, sheet);
    const mapping = savedMapping(detected.columns) ?? guessedMapping(detected.columns);
    onChange({ file, ...detected, mapping, operations: possibleOperations(mapping) });
  });
  if (example === null)
    return (
      <>
        <p>
          Nightshift finds the columns of each file by their names. To choose them, use a file like those that
          arrive. It is read for its columns, and starts nothing.
        </p>
        <ListInput
          label="Choose an example"
          isBusy={reading.isRunning}
          onFile={(file) => reading.run(file, '')}
        />
        <ErrorBanner error={reading.error} />
      </>
    );
  const { file, columns, mapping } = example;
  return (
    <>
      <p>
        <strong>{listLabel(file.name, columns)}</strong>{' '}
        <button type="button" onClick={() => onChange(null)}>
          Use no example
        </button>
      </p>
      {!example.reading.hasHeader && (
        <Banner>
          <p>The first line looks like data, so the columns are numbered.</p>
        </Banner>
      )}
      <SheetPicker
        columns={columns}
        isBusy={reading.isRunning}
        onSheet={(sheet) => reading.run(file, sheet)}
      />
      <ErrorBanner error={reading.error} />
      <MappingFields
        fields={fields}
        columns={columns.columns}
        mapping={mapping}
        onChange={(field, column) => onChange({ ...example, mapping: { ...mapping, [field]: column } })}
      />
      {possibleOperations(mapping).length === 0 && (
        <p class="error" role="alert">
          Choose a column of websites, company names or e-mail addresses.
        </p>
      )}
    </>
  );
}
