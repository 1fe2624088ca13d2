import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { formText } from '../forms/form-text.ts';
import { Menu } from './menu.tsx';
import { savedViews } from './saved-views.ts';

/** Menu of the saved views of a table: filters, order and columns under a name, in this browser. */
export function ViewMenu({ table, search }: { readonly table: string; readonly search: string }) {
  const { path } = useLocation();
  const store = savedViews(table);
  const [views, setViews] = useState(store.read);
  return (
    <Menu label="Views">
      {views.length === 0 ? (
        <p class="quiet small">Save the filters, the order and the columns of this table under a name.</p>
      ) : (
        <ul class="column-list" aria-label="Saved views">
          {views.map((view) => (
            <li key={view.name}>
              <a
                href={view.search === '' ? path : `${path}?${view.search}`}
                aria-current={view.search === search ? 'true' : undefined}
              >
                {view.name}
              </a>
              <button
                type="button"
                class="icon"
                aria-label={`Remove ${view.name}`}
                onClick={() => setViews(store.remove(view.name))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="save-view"
        onSubmit={(event) => {
          event.preventDefault();
          const name = formText(event.currentTarget, 'name').trim();
          if (name === '') return;
          setViews(store.save({ name, search }));
          event.currentTarget.reset();
        }}
      >
        <input name="name" aria-label="Name of the view" placeholder="Name of this view" maxLength={60} />
        <button type="submit">Save view</button>
      </form>
    </Menu>
  );
}
