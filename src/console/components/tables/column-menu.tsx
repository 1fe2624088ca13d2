import { Menu } from './menu.tsx';
import { moveItem } from './arrange-columns.ts';

/** Menu that shows, hides and moves columns. */
export function ColumnMenu({
  columns,
  shown,
  onChange,
}: {
  readonly columns: readonly { readonly id: string; readonly head: string }[];
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
}) {
  const ordered = [
    ...shown.flatMap((id) => columns.filter((column) => column.id === id)),
    ...columns.filter(({ id }) => !shown.includes(id)),
  ];
  return (
    <Menu label="Columns">
      <ul class="column-list">
        {ordered.map(({ id, head }) => {
          const isShown = shown.includes(id);
          return (
            <li key={id}>
              <label class="choice">
                <input
                  type="checkbox"
                  checked={isShown}
                  disabled={isShown && shown.length === 1}
                  onChange={() => onChange(isShown ? shown.filter((each) => each !== id) : [...shown, id])}
                />
                {head}
              </label>
              {isShown && (
                <span class="movers">
                  <Mover
                    head={head}
                    to="left"
                    isDisabled={shown[0] === id}
                    onClick={() => onChange(moveItem(shown, id, -1))}
                  />
                  <Mover
                    head={head}
                    to="right"
                    isDisabled={shown.at(-1) === id}
                    onClick={() => onChange(moveItem(shown, id, 1))}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" class="plain" onClick={() => onChange([])}>
        Reset columns
      </button>
    </Menu>
  );
}

function Mover({
  head,
  to,
  isDisabled,
  onClick,
}: {
  readonly head: string;
  readonly to: 'left' | 'right';
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="icon"
      aria-label={`Move ${head} ${to}`}
      disabled={isDisabled}
      onClick={onClick}
    >
      <span aria-hidden="true">{to === 'left' ? '↑' : '↓'}</span>
    </button>
  );
}
