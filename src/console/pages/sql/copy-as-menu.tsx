import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { copyText } from '../../components/copy-button.tsx';
import { Menu, MenuItem } from '../../components/tables/menu.tsx';
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
  const choices = {
    psql: psqlCommand(query, url),
    curl: curlCommand(request, location.origin),
    Metabase: metabaseQuestion(query),
  };
  return (
    <ul class="column-list">
      {Object.entries(choices).map(([name, text]) => (
        <li key={name}>
          <MenuItem
            isDisabled={query.trim() === '' || connection.isLoading}
            onChoose={() => void copyText(text, `Query for ${name}`)}
          >
            {name}
          </MenuItem>
        </li>
      ))}
    </ul>
  );
}
