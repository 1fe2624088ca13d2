import { can } from '../../api/session.ts';

const steps = [
  ['Upload a list', 'CSV, Excel or pasted rows, with websites, company names or e-mail addresses.'],
  ['Review the cost', 'Nightshift finds the columns and shows what the batch costs before it starts.'],
  ['See the ads', 'Results arrive while the batch runs. You can close the page.'],
] as const;

/** Empty state of an account without batches: the first steps. */
export function Welcome() {
  return (
    <div class="empty">
      <ol class="first-steps">
        {steps.map(([title, text]) => (
          <li key={title}>
            <strong>{title}</strong>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {can('batches:write') ? (
        <a class="button primary" href="/batches/new">
          Upload your first list
        </a>
      ) : (
        <p>Members of your account create batches. Your role can view them.</p>
      )}
    </div>
  );
}
