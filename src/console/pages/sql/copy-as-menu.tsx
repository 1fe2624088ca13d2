import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { copyText } from '../../components/copy-button.tsx';
import { closeMenu, Menu } from '../../components/tables/menu.tsx';
import { curlCommand, metabaseQuestion, psqlCommand } from './copy-as.ts';
import type { QueryRequest } from './query-request.ts';

/** Menu that copies the query for another program. */
export function CopyAs({ request }: { readonly request: QueryRequest }) {
  return (
    <Menu label="Copy as">
      <CopyChoices request={request} />
    </Menu>
  );
}

function CopyChoices({ request }: { readonly request: QueryRequest }) {
  const connection = useLoad('connection', (signal) => read(api.GET('/v1/sql/connection', { signal })));
  const url = connection.data?.login?.url ?? null;
  const { query } = request;
  const choices = [
    {
      name: 'psql',
      text: psqlCommand(query, url),
      hint: url === null ? 'It reads DATABASE_URL.' : 'psql asks for the password of the login.',
    },
    { name: 'curl', text: curlCommand(request, location.origin), hint: 'It reads the API key from KEY.' },
    { name: 'Metabase', text: metabaseQuestion(query), hint: '' },
  ];
  return (
    <ul class="column-list">
      {choices.map(({ name, text, hint }) => (
        <li key={name}>
          <button
            type="button"
            class="menu-item"
            disabled={query.trim() === '' || connection.isLoading}
            onClick={({ currentTarget }) => {
              closeMenu(currentTarget);
              void copyText(text, `Query for ${name}`, hint);
            }}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
