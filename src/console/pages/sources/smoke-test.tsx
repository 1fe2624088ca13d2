import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialog.tsx';
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
    <Dialog title={`Test ${source.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          testing.run();
        }}
      >
        <p>
          Sends one real request. {source.charges ? `The vendor charges ${priceText(source)}. ` : ''}Ads that
          it finds cost your account 0.2 credits.
        </p>
        <TextField label="Company website" isRequired value={domain} onText={setDomain} />
        <TextField
          label="Company name"
          hint="For a source that searches by name."
          value={name}
          onText={setName}
        />
        <ErrorBanner error={testing.error} />
        {result !== null && <Outcome result={result} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="primary" disabled={testing.isRunning}>
            {testing.isRunning ? 'Testing …' : 'Send request'}
          </button>
        </div>
      </form>
    </Dialog>
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
