import { useId, useState } from 'preact/hooks';
import { say } from '../../components/toast.tsx';

/** Area to drop a file, with a button to choose one. */
export function DropZone({
  label,
  isBusy,
  onFile,
}: {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);

  function take(files: FileList | null | undefined): void {
    setOver(false);
    const [file, other] = [...(files ?? [])];
    if (file === undefined) return;
    if (other !== undefined) say('One list at a time: the first of the files is taken.');
    onFile(file);
  }

  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files);
      }}
    >
      <input
        id={id}
        class="hidden"
        type="file"
        accept=".csv,.tsv,.txt,.gz,text/csv"
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file once more is a choice as well: it may have been mended.
          currentTarget.value = '';
        }}
      />
      <label class="button primary" for={id}>
        {label}
      </label>
      <p class="quiet" role="status">
        {isBusy ? 'Reading the file …' : 'or drop it here'}
      </p>
    </div>
  );
}
