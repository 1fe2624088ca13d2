import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner } from '../../components/banner.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { priceText } from '../../components/search/source-label.ts';

type Result = Body<'SmokeTest'>;

/** Dialog that sends one real request to a source, and compares its response with the recorded ones. */
export function SmokeTest({
  source,
  onClose,
}: {
  readonly source: Body<'Source'>;
  readonly onClose: () => void;
}) {
  const [domain, setDomain] = useState('nike.com');
  const [name, setName] = useState('');
  const [result, setResult] = useState<Result | null>(null);
  const testing = useAction(async () => {
    setResult(null);
    const path = { path: { name: source.name }, header: { 'Idempotency-Key': newRequestKey() } };
    const body = { company_domain: domain, ...(name.trim() === '' ? {} : { company_name: name }) };
    setResult(await read(api.POST('/v1/operator/sources/{name}/smoke-tests', { params: path, body })));
  });
  return (
    <FormDialog
      title={`Test ${source.name}`}
      submit={testing.isRunning ? 'Testing …' : 'Send request'}
      dismiss="Close"
      isRunning={testing.isRunning}
      error={testing.error}
      onSubmit={() => testing.run()}
      onClose={onClose}
    >
      <p>
        Sends one real request. {source.charges ? `The vendor charges ${priceText(source)}. ` : ''}Ads that it
        finds cost your account 0.2 credits.
      </p>
      <TextField label="Company website" isRequired value={domain} onText={setDomain} />
      <TextField
        label="Company name"
        hint="For a source that searches by name."
        value={name}
        onText={setName}
      />
      {result !== null && <Outcome result={result} />}
    </FormDialog>
  );
}

function Outcome({ result: { compared, reason, outcome, missing, added } }: { readonly result: Result }) {
  if (!compared) {
    return (
      <Banner kind="warning" title={`No ads (${outcome})`}>
        <p>The source answered, but nothing was compared. Choose a company with ads.</p>
      </Banner>
    );
  }
  if (reason !== null) {
    return (
      <Banner kind="error" title="The response cannot be parsed">
        <p>{reason}</p>
      </Banner>
    );
  }
  if (missing.length + added.length === 0) {
    return (
      <Banner kind="good" title="The source answers as recorded">
        <p>Its response has the same keys as the recorded ones.</p>
      </Banner>
    );
  }
  return (
    <Banner kind="warning" title="The response differs from the recorded ones">
      <ul>
        {missing.map((path) => (
          <li key={path}>
            missing: <code>{path}</code>
          </li>
        ))}
        {added.map((path) => (
          <li key={path}>
            new: <code>{path}</code>
          </li>
        ))}
      </ul>
    </Banner>
  );
}
