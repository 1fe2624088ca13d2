import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { listExtensions } from './file-name.ts';
import { takeTransfer, type Taken } from './take-transfer.ts';

/** Drop area for a file, with a button to choose one. A file that is dropped beside it is taken as well. */
export function DropZone({
  label,
  isBusy,
  onTake,
}: {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onTake: (taken: Taken) => void;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  useDrop({ isBusy, onOver: setOver, onTake });
  return (
    <div class={isOver ? 'drop over' : 'drop'}>
      <input
        id={id}
        class="hidden"
        type="file"
        accept={listExtensions.map((extension) => `.${extension}`).join(',')}
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onTake({ file });
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

interface Drop {
  readonly isBusy: boolean;
  readonly onOver: (isOver: boolean) => void;
  readonly onTake: (taken: Taken) => void;
}

/** Takes what is dropped anywhere on the page: beside the area, the browser would open the file in place of the page. */
function useDrop(drop: Drop): void {
  const latest = useRef(drop);
  latest.current = drop;
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (isField(event.target)) return;
      event.preventDefault();
      latest.current.onOver(true);
    };
    const leave = (event: DragEvent) => {
      // Null outside the window; between two elements the drag goes on.
      if (event.relatedTarget === null) latest.current.onOver(false);
    };
    const take = (event: DragEvent) => {
      latest.current.onOver(false);
      if (isField(event.target)) return;
      event.preventDefault();
      const taken = latest.current.isBusy ? null : takeTransfer(event.dataTransfer);
      if (taken !== null) latest.current.onTake(taken);
    };
    document.addEventListener('dragover', drag);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', take);
    return () => {
      document.removeEventListener('dragover', drag);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', take);
    };
  }, []);
}

/** Returns true for a field that takes text by itself. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('textarea, select, input:not([type=file])') !== null;
}
