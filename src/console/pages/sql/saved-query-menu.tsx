import { useState } from 'preact/hooks';
import { Menu, MenuItem } from '../../components/tables/menu.tsx';
import { savedQueries } from './saved-queries.ts';

const nameCharsMax = 60;

/** Menu of the queries that the user saved in this browser: opens, renames, removes and saves them. */
export function SavedQueryMenu({
  text,
  onChoose,
}: {
  /** The query in the editor. */
  readonly text: string;
  readonly onChoose: (query: string) => void;
}) {
  const [queries, setQueries] = useState(savedQueries.read);
  const [renamed, setRenamed] = useState<string | null>(null);
  return (
    <Menu label="Saved queries">
      {queries.length === 0 && <p class="quiet small">Save the query in the editor under a name.</p>}
      <ul class="column-list" aria-label="Saved queries">
        {queries.map(({ name, query }) =>
          name === renamed ? (
            <li key={name}>
              <NameForm
                label={`New name of ${name}`}
                value={name}
                button="Rename"
                onName={(to) => {
                  setQueries(savedQueries.rename(name, to));
                  setRenamed(null);
                }}
              />
            </li>
          ) : (
            <li key={name}>
              <MenuItem onChoose={() => onChoose(query)}>{name}</MenuItem>
              <span class="movers">
                <button
                  type="button"
                  class="icon"
                  aria-label={`Rename ${name}`}
                  onClick={() => setRenamed(name)}
                >
                  <span aria-hidden="true">✎</span>
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={`Delete ${name}`}
                  onClick={() => setQueries(savedQueries.remove(name))}
                >
                  <span aria-hidden="true">×</span>
                </button>
              </span>
            </li>
          ),
        )}
      </ul>
      <NameForm
        label="Name of the query"
        value=""
        button="Save query"
        isDisabled={text.trim() === ''}
        onName={(name) => setQueries(savedQueries.save({ name, query: text }))}
      />
    </Menu>
  );
}

/** Field and button for a name. It is no form: the menu is within the form of the query. */
function NameForm({
  label,
  value,
  button,
  isDisabled = false,
  onName,
}: {
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly isDisabled?: boolean;
  readonly onName: (name: string) => void;
}) {
  const [name, setName] = useState(value);
  const submit = () => {
    const trimmed = name.trim();
    if (trimmed === '' || isDisabled) return;
    onName(trimmed);
    setName('');
  };
  return (
    <div class="save-view">
      <input
        aria-label={label}
        placeholder="Name"
        maxLength={nameCharsMax}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter would run the query.
          event.preventDefault();
          submit();
        }}
      />
      <button type="button" disabled={isDisabled} onClick={submit}>
        {button}
      </button>
    </div>
  );
}
