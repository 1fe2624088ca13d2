import { useId, useState } from 'preact/hooks';
import { toast } from '../../components/toast.tsx';

/** Drop area for a file, with a button to choose one. */
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

  function useFirst(files: FileList | null | undefined): void {
    setOver(false);
    const [file, other] = [...(files ?? [])];
    if (file === undefined) return;
    if (other !== undefined) toast('One file at a time: Nightshift uses the first one.');
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
        useFirst(event.dataTransfer?.files);
      }}
    >
      <input
        id={id}
        class="hidden"
        type="file"
        accept=".csv,.tsv,.txt,.gz,text/csv"
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          useFirst(currentTarget.files);
          // Lets the user choose the same file again after an edit.
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
