import { Menu, MenuItem } from '../../components/tables/menu.tsx';
import { exampleQueries } from './example-queries.ts';

/** Menu of questions that a query answers. */
export function ExampleMenu({ onChoose }: { readonly onChoose: (query: string) => void }) {
  return (
    <Menu label="Examples">
      <ul class="column-list">
        {exampleQueries.map(({ question, query }) => (
          <li key={question}>
            <MenuItem onChoose={() => onChoose(query)}>{question}</MenuItem>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
