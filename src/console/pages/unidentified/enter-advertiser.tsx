import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { companyRequest } from '../../components/company-request.ts';
import { companyLabel } from '../../components/company.tsx';
import { Field } from '../../components/forms/field.tsx';
import { toast } from '../../components/toast.tsx';

type Company = Body<'UnidentifiedCompany'>;

/** Field for an advertiser that the user knows: its id, or the address of its page. */
export function EnterAdvertiser({
  company,
  onMapped,
}: {
  readonly company: Company;
  readonly onMapped: (entry: Company['mapping'][number]) => void;
}) {
  const [text, setText] = useState('');
  const action = useAction(async () => {
    const { warnings, ...entry } = await read(
      api.POST('/v1/companies/mapping', {
        body: { ...companyRequest(company), advertiser_id: text.trim(), role: 'allow' },
      }),
    );
    setText('');
    for (const warning of warnings) toast(`Please check: ${warning}.`);
    onMapped(entry);
  });
  const label = companyLabel(company);
  return (
    <form
      class="filters"
      aria-label={`Advertiser of ${label}`}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <Field label="Advertiser id or page address">
        <input
          required
          maxLength={300}
          autocomplete="off"
          spellcheck={false}
          placeholder="AR… or https://adstransparency.google.com/advertiser/AR…"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <button type="submit" disabled={action.isRunning}>
        Map<span class="hidden"> {label}</span>
      </button>
      <ErrorBanner error={action.error} />
    </form>
  );
}
